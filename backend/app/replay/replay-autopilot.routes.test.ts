import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServedDecision, TickPage } from '../../contract/orders/ticks.ts'
import type { ServedRisk } from '../../contract/portfolio.ts'
import { HOUR, MINUTE } from '../../domain/units.ts'
import { readRecording } from '../../jobs/replay/recording.ts'
import { openState } from '../../state/open.ts'
import { recordDay } from '../../testing/recorded-day.ts'
import { startReplayOf, type RunningReplay } from '../../testing/replayed-folder.ts'
import { OPEN_LIMITS } from '../../testing/trading-service.ts'
import { accountRow } from '../../testing/users.ts'

/** Hours at which quotes of the recorded day rise first and fall then. */
const FROM = Date.parse('2026-11-20T06:30:00.000Z')
const HOURS = 12
const SPAN = { from: FROM, to: FROM + HOURS * HOUR }
const HALT = 3_000

let folder: string
let dataDir: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'augury-autopilot-'))
  dataDir = join(folder, 'data')
  await recordDay(dataDir, { markets: 4, from: Date.parse('2026-11-20T00:00:00.000Z') })
  const state = await openState(join(dataDir, 'state.sqlite'))
  const owner = accountRow('usr_owner', { is_owner: 1, is_admin: 1, tier: 'institutional' })
  await state.insertInto('account').values(owner).execute()
  await state.destroy()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An hourly autopilot that buys three markets whatever they cost. */
async function configure(replay: RunningReplay): Promise<void> {
  await replay.ask('PUT', '/api/portfolio/config', {
    ...OPEN_LIMITS,
    excludeCategories: [],
    cronExpression: '0 * * * *',
    drawdownWarnCents: HALT / 2,
    maxDrawdownHaltCents: HALT,
  })
  const rawThesis = 'The senate will pass the shutdown bill by December 31, 2026'
  const path = '/api/thesis/create?sync=true'
  const { id } = await replay.ask<{ id: string }>('POST', path, { rawThesis })
  for (const n of [0, 1, 2]) {
    const size = { entryBelow: 99, perOrderQuantity: 20, maxQuantity: 500 }
    const strategy = { marketId: `KXR-${n}`, direction: 'yes', ...size }
    // By its short id, as people type it.
    await replay.ask('POST', `/api/thesis/${id.slice(0, 8)}/strategies`, strategy)
  }
}

const untilEnded = (replay: RunningReplay) =>
  vi.waitUntil(() => replay.replay.control.position().state === 'ended', {
    timeout: 60_000,
    interval: 20,
  })

/** What the autopilot did, without ids and real times. */
async function resultOf(replay: RunningReplay) {
  const { data } = await replay.ask<TickPage>('GET', '/api/portfolio/ticks?limit=100&envelope=1')
  const ticks = data
    .toReversed()
    .map(({ id: _id, tickDurationMs: _took, decisions, actions: _actions, ...tick }) => ({
      ...tick,
      decisions: decisions.map(({ orderId: _order, basis: _basis, ...decision }) => decision),
    }))
  const risk = await replay.ask<ServedRisk>('GET', '/api/portfolio/risk')
  const { report } = await replay.ask<{ report: object }>('GET', '/api/replay/report')
  return { ticks, risk: { ...risk, lastTick: null }, report: JSON.stringify(report) }
}

type Orders = readonly Pick<ServedDecision, 'marketId' | 'outcome' | 'filledQuantity'>[]
const ordersOf = (decisions: Orders = []): string[] =>
  decisions.map(
    ({ marketId, outcome, filledQuantity }) => `${marketId} ${outcome} ${filledQuantity}`,
  )

describe('a day of the autopilot in a replay', () => {
  // [portfolio.ticks.replayed]
  it('runs at the times of the replay, halts at the drawdown, and is the same when run again', async () => {
    const record = join(folder, 'day.ndjson')
    const replay = await startReplayOf(dataDir, { ...SPAN, record })
    let first: Awaited<ReturnType<typeof resultOf>>
    try {
      await configure(replay)
      await replay.post('speed', { speed: 'max' })
      await replay.post('resume')
      await untilEnded(replay)
      first = await resultOf(replay)
    } finally {
      await replay.stop()
    }
    const { ticks, risk } = first
    const hours = Array.from({ length: HOURS }, (_, n) => FROM + HOUR / 2 + n * HOUR)
    expect(ticks.map(({ tickAt }) => Date.parse(tickAt))).toEqual(hours)
    expect(ordersOf(ticks[0]?.decisions)).toEqual([
      'KXR-0 filled 20',
      'KXR-1 filled 20',
      'KXR-2 filled 20',
    ])
    expect(risk.halted?.reason).toBe('drawdown')
    const haltedAt = Date.parse(risk.halted?.at ?? '')
    const [ran, skipped] = [true, false].map((isBefore) =>
      ticks.filter(({ tickAt }) => Date.parse(tickAt) <= haltedAt === isBefore),
    )
    expect(ran?.length).toBeGreaterThan(1)
    expect(ran?.map(({ status }) => status)).toEqual(ran?.map(() => 'completed'))
    // Between two ticks: equity is checked each minute.
    expect([haltedAt % HOUR > 0, haltedAt % MINUTE]).toEqual([true, 0])
    expect(skipped?.length).toBeGreaterThan(1)
    const since = new Date(haltedAt).toISOString().slice(0, 16).replace('T', ' ')
    for (const tick of skipped ?? []) {
      expect(tick).toMatchObject({
        trigger: 'schedule',
        status: 'skipped',
        skipReason: 'halted',
        decisions: [],
        handoffNote: `Trading is halted since ${since} UTC, because the drawdown reached the limit of $30.00`,
      })
    }
    expect(skipped?.[0]?.drawdownCents).toBeGreaterThan(HALT / 2)
    // Figures of one tick agree to the cent.
    for (const { dailyPnlCents, portfolioValueCents } of ticks) {
      expect(dailyPnlCents).toBe((portfolioValueCents ?? 0) - 500_000)
    }

    const again = await startReplayOf(dataDir, SPAN)
    try {
      await again.replay.playRecording(readRecording(readFileSync(record, 'utf8'), record))
      expect(await resultOf(again)).toEqual(first)
    } finally {
      await again.stop()
    }
  }, 180_000)
})
