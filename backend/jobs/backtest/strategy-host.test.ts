import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, vi } from 'vitest'
import type { EventWindow } from '../../domain/backtest/event-columns.ts'
import { FULL_FILLS } from '../../domain/backtest/broker/fill-model.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import { systemClock } from '../../lib/clock.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { createFrameFixture } from '../../testing/frame-fixture.ts'
import { startStrategy, type StrategyHost } from './strategy-host.ts'
import { STRATEGY_LIMITS } from './strategy-watch.ts'

const T0 = Date.parse('2026-08-03T00:00:00Z')
const folder = mkdtempSync(join(tmpdir(), 'augury-strategy-host-'))
const file = createFrameFixture(join(folder, 'windows'))
afterAll(() => {
  file.close()
  rmSync(folder, { recursive: true, force: true })
})
const strategyThat = (name: string, what: string): string => {
  const path = join(folder, `${name}.ts`)
  writeFileSync(
    path,
    `export default { name: 'own', about: 'a test', feeds: ['trades'],\n  create() { return { onEvent(event, run) { ${what} } } } }\n`,
  )
  return pathToFileURL(path).href
}

/** Windows of `rows` trades of one market, a second apart, from the n-th hour on. */
function tradesOf(hour: number, rows: number): EventWindow {
  const known = Float64Array.from({ length: rows }, (_, i) => T0 + hour * HOUR + i)
  return {
    until: (T0 + (hour + 1) * HOUR) as Millis,
    quotes: null,
    books: null,
    bars: null,
    trades: {
      known,
      ts: known,
      market: new Int32Array(rows),
      price: new Int32Array(rows).fill(4_000),
      size: new Float64Array(rows).fill(1e6),
      taker: new Uint8Array(rows),
    },
  }
}

function begin(host: StrategyHost): void {
  const facts = marketFacts({ ticker: 'KX-0', openTime: T0 as Millis, closeTime: null })
  host.sendMessage({ type: 'versions', versions: [{ market: 0, knownAt: T0 as Millis, facts }] })
  const plan = { to: (T0 + 400 * HOUR) as Millis, cuts: [], checkDeterminism: false, multiples: [] }
  host.sendMessage({
    type: 'run',
    order: {
      ...plan,
      from: T0 as Millis,
      model: FULL_FILLS,
      startCashUsd: 100,
      seed: 1,
      scope: 'one',
      markets: [{ venue: 'venue_a', ticker: 'KX-0' }],
      gaps: [],
      gapsLeftOut: 0,
      keepsResult: false,
    },
  })
}

/** A test clock that counts wake-ups of its watchers. */
class WatchedClock extends FakeClock {
  looks = 0
  override sleep(span: number, signal?: AbortSignal): Promise<void> {
    this.looks++
    return super.sleep(span, signal)
  }
}

describe('the process of a strategy', () => {
  it('[backtest.strategy.patience] waits for events for as long as reading them takes', async () => {
    const clock = new WatchedClock()
    let beats = 0
    const host = await startStrategy(
      { module: strategyThat('waits', 'run.last(event.market)'), params: {} },
      { clock, limits: STRATEGY_LIMITS, file, onBeat: () => beats++ },
    )
    begin(host)
    await host.play(file.write(tradesOf(0, 10)))
    await vi.waitUntil(() => beats > 0, { timeout: 60_000 })
    for (let hours = 0; hours < 3; hours++) {
      const { looks } = clock
      await clock.advance(HOUR)
      await vi.waitUntil(() => clock.looks > looks, { timeout: 60_000 })
    }
    await host.play(file.write(tradesOf(1, 10)))
    await host.play(null)
    expect((await host.done).report.events).toBe(20)
  })

  it('[backtest.strategy.faults] reports its error while events are still being sent', async () => {
    const host = await startStrategy(
      { module: strategyThat('throws', 'throw new Error("mine")'), params: {} },
      { clock: systemClock, limits: STRATEGY_LIMITS, file, onBeat: () => {} },
    )
    begin(host)
    const place = file.write(tradesOf(0, 20_000))
    const played = (async () => {
      for (let hour = 0; hour < 400; hour++) await host.play(place)
    })()
    await expect(played).rejects.toThrow(/^throws\.ts:2:\d+: Error: mine/)
    await expect(host.done).rejects.toThrow('mine')
  })

  it('[backtest.strategy.endless] ends one that acknowledged everything and returns no result', async () => {
    const host = await startStrategy(
      { module: strategyThat('silent', 'run.last(event.market)'), params: {} },
      {
        clock: systemClock,
        file,
        onBeat: () => {},
        limits: { ...STRATEGY_LIMITS, silenceMs: 500 },
      },
    )
    begin(host)
    // The end of its run was never sent, so the process is idle.
    await expect(host.result()).rejects.toThrow('made no progress for 3 s')
  })

  it('reports why it was ended, not that its channel was closed', async () => {
    const host = await startStrategy(
      { module: strategyThat('ended', 'for (;;) {}'), params: {} },
      { clock: systemClock, limits: STRATEGY_LIMITS, file, onBeat: () => {} },
    )
    begin(host)
    const place = file.write(tradesOf(0, 20_000))
    const played = (async () => {
      for (let hour = 0; hour < 400; hour++) await host.play(place)
    })()
    setImmediate(() => host.end(new Error('the reason')))
    await expect(played).rejects.toThrow('the reason')
  })
})
