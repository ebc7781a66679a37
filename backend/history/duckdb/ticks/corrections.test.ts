import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../../domain/units.ts'
import { silentLogger } from '../../../lib/logger.ts'
import { tradeColumns } from '../../../testing/history-rows.ts'
import type { HistoryStore } from '../../history-store.ts'
import type { TradeCorrection } from '../../market-rows.ts'
import { openHistory } from '../open.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
const at = (minutes: number): Millis => (T0 + minutes * MINUTE) as Millis

describe('a corrected trade', () => {
  let folder = ''
  let history: HistoryStore
  let market = -1
  const open = () =>
    openHistory({
      path: join(folder, 'history.duckdb'),
      memoryLimitMb: 256,
      logger: silentLogger,
    })
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'augury-corrections-'))
    history = await open()
    const ids = await history.marketIds([{ venue: 'venue_a', ticker: 'KX' }])
    market = ids[0] ?? -1
    await history.append({
      trades: tradeColumns([
        { market, ts: at(0), tradeId: 'first', price: 4_000, taker: 1 },
        { market, ts: at(1), tradeId: 'wrong', price: 9_900, taker: 1 },
      ]),
    })
  })
  afterEach(async () => {
    await history.close()
    rmSync(folder, { recursive: true })
  })

  const word = (
    knownAt: number,
    corrected: { minute: number; price: number } | null,
    tradeId = 'wrong',
  ): TradeCorrection => ({
    market,
    tradeId,
    knownAt: at(knownAt),
    corrected:
      corrected === null
        ? null
        : {
            ts: at(corrected.minute),
            price: corrected.price as PriceE4,
            size: 2_000_000 as SizeE6,
            takerSide: 'no',
            isBlock: false,
          },
  })
  /** Closes by minute, the last price by both reads, the trades' ids, and hourly flow. */
  const seen = async (minute: number) => {
    const asOf = at(minute)
    const bars = await history.candles({
      market,
      asOf,
      width: MINUTE,
      limit: 10,
      before: Infinity as Millis,
    })
    const range = { market, asOf, from: 0 as Millis, to: asOf }
    const trades = await history.trades(range)
    expect(await history.trades({ ...range, newest: 2 })).toEqual(trades.slice(-2))
    const [one] = await history.numbersAt(asOf, [market])
    const [all] = await history.numbersAt(asOf, null)
    const [hour] = await history.microstructure({ market, asOf, from: at(0) })
    expect(all?.last).toEqual(one?.last)
    return {
      closes: Object.fromEntries(bars.map((bar) => [(bar.start - T0) / MINUTE, bar.close])),
      trades: trades.map(({ tradeId }) => tradeId),
      last: one?.last?.price,
      flow: [hour?.trades, (hour?.buyVolume ?? 0) / 1e6, (hour?.sellVolume ?? 0) / 1e6],
    }
  }
  const asPrinted = {
    closes: { 0: 4_000, 1: 9_900 },
    trades: ['first', 'wrong'],
    last: 9_900,
    flow: [2, 2, 0],
  }
  const sorted = async (hours: boolean) => {
    if (hours) await history.sortClosedHours((T0 + DAY) as Millis)
  }

  it.each([false, true])('has its corrected values from then on (sorted: %s)', async (isSorted) => {
    await sorted(isSorted)
    await history.append({ corrections: [word(5, { minute: 1, price: 4_100 })] })
    expect(await seen(4.99)).toEqual(asPrinted)
    expect(await seen(5)).toEqual({
      closes: { 0: 4_000, 1: 4_100 },
      trades: ['first', 'wrong'],
      last: 4_100,
      flow: [2, 1, 2],
    })
  })

  it.each([false, true])('is absent once busted (sorted: %s)', async (isSorted) => {
    await history.append({ corrections: [word(5, null)] })
    await sorted(isSorted)
    expect(await seen(4.99)).toEqual(asPrinted)
    expect(await seen(5)).toEqual({
      closes: { 0: 4_000 },
      trades: ['first'],
      last: 4_000,
      flow: [1, 1, 0],
    })
  })

  it('moves to the bar of its corrected time, even before all others', async () => {
    await history.append({ corrections: [word(5, { minute: -200, price: 4_100 })] })
    expect((await seen(5)).closes).toEqual({ [-200]: 4_100, 0: 4_000 })
    expect((await seen(5)).trades).toEqual(['wrong', 'first'])
    await history.append({ corrections: [word(6, { minute: 3, price: 4_200 })] })
    expect((await seen(6)).closes).toEqual({ 0: 4_000, 3: 4_200 })
    expect((await seen(5)).closes).toEqual({ [-200]: 4_100, 0: 4_000 })
  })

  it('uses the correction that was known last, not the one that arrived last', async () => {
    await history.append({ corrections: [word(9, { minute: 1, price: 4_300 })] })
    await history.append({ corrections: [word(5, null)] })
    expect((await seen(5)).last).toBe(4_000)
    expect((await seen(9)).last).toBe(4_300)
  })

  it('leaves a market without any trade when all were busted', async () => {
    await history.append({ corrections: [word(5, null), word(5, null, 'first')] })
    expect(await history.numbersAt(at(5), null)).toEqual([])
    expect((await history.numbersAt(at(5), [market]))[0]?.last).toBeNull()
    expect((await seen(4)).last).toBe(9_900)
  })

  it('stays corrected over a reopen, and is found with its corrected values', async () => {
    await history.append({
      corrections: [word(5, { minute: -200, price: 4_100 }), word(6, null, 'first')],
    })
    const before = [await seen(4), await seen(5), await seen(6)]
    await history.close()
    history = await open()
    expect([await seen(4), await seen(5), await seen(6)]).toEqual(before)
    const known = await history.knownTrades(market, ['first', 'wrong', 'other'])
    expect([...known.keys()].sort()).toEqual(['first', 'wrong'])
    expect(known.get('wrong')).toMatchObject({ ts: at(-200), price: 4_100, takerSide: 'no' })
    expect(known.get('first')).toMatchObject({ ts: at(0), price: 4_000, takerSide: 'yes' })
  })

  it('is found within an hour of the requested times', async () => {
    const find = async (from: number, to: number) => [
      ...(await history.knownTrades(market, ['wrong'], { from: at(from), to: at(to) })).keys(),
    ]
    expect(await find(1, 1)).toEqual(['wrong'])
    expect(await find(61, 90)).toEqual(['wrong'])
    expect(await find(-90, -59)).toEqual(['wrong'])
    expect(await find(62, 90)).toEqual([])
    await history.append({ corrections: [word(5, { minute: 1, price: 4_100 })] })
    expect(await find(500, 501)).toEqual(['wrong'])
  })

  it.each([
    ['unsorted', []],
    ['sorted before it came', [HOUR]],
    ['sorted after it came', [HOUR, HOUR]],
  ])('leaves the bar unchanged for earlier instants: late, %s', async (_, sorts) => {
    const [before, after] = sorts
    if (before !== undefined) await history.sortClosedHours((T0 + before) as Millis)
    await history.append({
      trades: tradeColumns([
        { market, ts: at(1.5), lag: 10 * MINUTE, tradeId: 'late', price: 4_700, taker: 2 },
      ]),
    })
    if (after !== undefined) await history.sortClosedHours((T0 + after) as Millis)
    expect(await seen(11.49)).toEqual(asPrinted)
    expect(await seen(11.5)).toEqual({
      closes: { 0: 4_000, 1: 4_700 },
      trades: ['first', 'wrong', 'late'],
      last: 4_700,
      flow: [3, 2, 1],
    })
  })
})
