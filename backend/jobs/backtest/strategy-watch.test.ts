import { describe, expect, it } from 'vitest'
import { useOf } from './process-use.ts'
import { StrategyWatch } from './strategy-watch.ts'

const LIMITS = { runMs: 3_600_000, silenceMs: 10_000, heapMb: 128, memoryMb: 400 }
const use = (cpuMs: number | null, residentMb = 100) => ({ cpuMs, residentMb })

describe('the watchdog of a strategy', () => {
  it('[backtest.strategy.endless] ends a process that worked too long without a message', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    watch.gave(0)
    expect(watch.verdict(use(300), 200)).toBeNull()
    expect(watch.verdict(use(10_300), 11_000)).toBeNull()
    expect(watch.verdict(use(10_310), 11_200)?.message).toContain('did not return within 10 s')
  })

  it('[backtest.strategy.patience] waits for a process that waits for others or for the processor', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    watch.gave(0)
    // It is scheduled late: half a minute passes, with a second of its own work.
    for (let now = 0; now < 30_000; now += 200) expect(watch.verdict(use(now / 30), now)).toBeNull()
    watch.recordMessage(1, 30_000)
    // An hour in which the service reads history.
    expect(watch.verdict(use(1_000), 3_600_000)).toBeNull()
    watch.gave(3_600_000)
    expect(watch.verdict(use(1_010), 3_600_200)).toBeNull()
    expect(watch.verdict(use(11_000), 3_611_000)).toBeNull()
    expect(watch.verdict(use(11_020), 3_611_200)).not.toBeNull()
  })

  it('[backtest.strategy.patience] restarts its timer with each message, and ends a process that sleeps for ever', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    for (const _ of [1, 2, 3]) watch.gave(0)
    expect(watch.verdict(use(0), 100)).toBeNull()
    watch.recordMessage(1, 8_000)
    expect(watch.verdict(use(9_000), 9_000)).toBeNull()
    watch.recordMessage(2, 17_000)
    expect(watch.verdict(use(18_500), 18_500)).toBeNull()
    expect(watch.verdict(use(18_500), 17_000 + 60_000)).toBeNull()
    expect(watch.verdict(use(18_500), 17_000 + 60_001)).not.toBeNull()
  })

  it('[backtest.strategy.endless] ends a run that makes progress for too long, without counting its waits for events', () => {
    const watch = new StrategyWatch({ ...LIMITS, runMs: 20_000 }, 0)
    watch.gave(0)
    watch.recordMessage(1, 8_000)
    // The service reads history for an hour.
    watch.gave(3_600_000)
    watch.recordMessage(1, 3_606_000)
    expect(watch.verdict(use(9_000), 3_612_000)).toBeNull()
    watch.recordMessage(1, 3_612_000)
    expect(watch.verdict(use(9_001), 3_612_001)?.message).toContain('was ended after 20 s')
  })

  it('[backtest.strategy.endless] ends an idle process with a pending response', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    watch.gave(0)
    expect(watch.verdict(use(10), 1_000)).toBeNull()
    expect(watch.verdict(use(10), 60_001)?.message).toContain('made no progress for 60 s')
  })

  it('[backtest.strategy.patience] allows ten minutes for the report of many fills', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    watch.gave(0)
    watch.recordMessage(0, 1_000)
    watch.reporting()
    expect(watch.verdict(use(10), 1_000)).toBeNull()
    expect(watch.verdict(use(500_000), 601_000)).toBeNull()
    expect(watch.verdict(use(500_000), 601_001)?.message).toContain('made no progress for 600 s')
  })

  it('counts elapsed time if the system has no processor time, without the start', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    watch.gave(0)
    expect(watch.verdict(use(null), 50_000)).toBeNull()
    watch.recordMessage(1, 50_000)
    watch.gave(50_000)
    expect(watch.verdict(use(null), 60_000)).toBeNull()
    expect(watch.verdict(use(null), 60_001)).not.toBeNull()
  })

  it('ends a process that uses too much memory, busy or not', () => {
    const watch = new StrategyWatch(LIMITS, 0)
    expect(watch.verdict(use(0, 401), 1)?.message).toContain('more than 400 MB of memory')
  })

  it.skipIf(process.platform !== 'linux')('reads the resource usage of a process', async () => {
    const { cpuMs, residentMb } = await useOf(process.pid)
    expect(residentMb).toBeGreaterThan(10)
    const { user, system } = process.cpuUsage()
    expect(Math.abs((cpuMs ?? 0) - (user + system) / 1_000)).toBeLessThan(2_000)
    expect(await useOf(undefined)).toEqual({ cpuMs: null, residentMb: null })
  })
})
