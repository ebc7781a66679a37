import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR, SECOND, type Millis, type PriceE4, type SizeE6 } from '../domain/units.ts'
import { openHistory } from '../history/duckdb/open.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { silentLogger } from '../lib/logger.ts'
import { traded } from '../testing/venue-events.ts'
import { CLOCK_TOLERANCE } from '../venues/parsed.ts'
import { tradeColumns } from './batch.ts'
import { NewTrades } from './new-trades.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z')
const first = traded(NOW, { tradeId: 'one' })

describe('trades of a delivery', () => {
  let history: HistoryStore
  let market: number
  beforeEach(async () => {
    history = await openHistory({ path: ':memory:', logger: silentLogger })
    ;[market = -1] = await history.marketIds([first])
    return () => history.close()
  })
  const sort = async (trades: NewTrades, delivery: (typeof first)[]) => {
    const { fresh, corrected } = await trades.classify(delivery, () => market, NOW as Millis)
    return [[...fresh].map((trade) => trade.tradeId), [...corrected].map((trade) => trade.price)]
  }

  it('are new once', async () => {
    const trades = new NewTrades(history)
    expect(await sort(trades, [first, first])).toEqual([['one'], []])
    expect(await sort(trades, [first])).toEqual([[], []])
    expect(trades.duplicates).toBe(2)
  })

  it.each([
    ['another price', { price: 4_200 as PriceE4 }, true],
    ['a time seconds away', { at: (NOW + 5 * SECOND) as Millis }, true],
    ['a time a second earlier', { at: (NOW - SECOND) as Millis }, true],
    ['a time almost a second earlier', { at: (NOW - SECOND + 1) as Millis }, false],
    ['another size', { size: 2_000_000 as SizeE6 }, true],
    ['another kind', { isBlock: true }, true],
    ['another taker', { takerSide: 'no' }, true],
    ['a time to the second', { at: (NOW + 400) as Millis }, false],
    ['no taker', { takerSide: null }, false],
  ] as const)('restated with %s: corrected %#', async (_what, figures, isCorrected) => {
    const restated = { ...first, ...figures }
    const inMemory = new NewTrades(history)
    await sort(inMemory, [first])
    const expected = [[], isCorrected ? [restated.price] : []]
    expect(await sort(inMemory, [restated])).toEqual(expected)
    expect(await sort(inMemory, [restated])).toEqual([[], []])

    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const afterRestart = new NewTrades(history)
    await afterRestart.resume(['venue_a'])
    expect(
      await sort(afterRestart, [{ ...restated, at: Math.min(restated.at, NOW) as Millis }]),
    ).toEqual(restated.at > NOW + SECOND ? [[], []] : expected)
  })

  it('are recognised from history once they left memory', async () => {
    const trades = new NewTrades(history, 2)
    await sort(trades, [first])
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const others = ['a', 'b', 'c', 'd', 'e'].map((tradeId) => traded(NOW + SECOND, { tradeId }))
    expect(await sort(trades, others)).toEqual([['a', 'b', 'c', 'd', 'e'], []])
    expect(await sort(trades, [first])).toEqual([[], []])
  })

  it('of a backfill need no lookup in history, however many came before', async () => {
    const trades = new NewTrades(history, 2)
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const looks = vi.spyOn(history, 'knownTrades')
    // The newest page of the past comes first.
    for (let page = 0; page < 20; page++) {
      const at = NOW - page * SECOND
      const delivery = ['x', 'y', 'z'].map((name) => traded(at, { tradeId: `${name}${page}` }))
      expect((await sort(trades, delivery))[0]).toHaveLength(3)
    }
    expect(looks).not.toHaveBeenCalled()
  })

  it('are recognised from history if they were dated ahead of our clock', async () => {
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const trades = new NewTrades(history)
    await trades.resume(['venue_a'])
    const asStated = { ...first, at: (NOW + 5 * SECOND) as Millis, origin: 'polled' } as const
    expect(await sort(trades, [asStated])).toEqual([[], []])
    expect(trades.duplicates).toBe(1)
  })

  it('are recognised from history if an import brought them meanwhile', async () => {
    const trades = new NewTrades(history)
    await trades.resume(['venue_a'])
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    await trades.resume(['venue_a'])
    expect(await sort(trades, [first])).toEqual([[], []])
  })

  it.each([
    ['live', SECOND, 1],
    ['live', SECOND + 1, 0],
    ['polled', CLOCK_TOLERANCE, 1],
    ['polled', CLOCK_TOLERANCE + 1, 0],
  ] as const)('%s, %i ms after the newest stored one: %i lookups', async (origin, ahead, count) => {
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const trades = new NewTrades(history)
    await trades.resume(['venue_a', 'venue_b'])
    const looks = vi.spyOn(history, 'knownTrades')
    const at = (NOW + ahead) as Millis
    expect(await sort(trades, [traded(at, { tradeId: 'other', origin })])).toEqual([['other'], []])
    expect(looks).toHaveBeenCalledTimes(count)
  })

  it('are looked up once per market, over the span of the delivery', async () => {
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const trades = new NewTrades(history)
    await trades.resume(['venue_a'])
    const looks = vi.spyOn(history, 'knownTrades')
    const delivery = [0, -3, 1].map((seconds) =>
      traded(NOW + seconds * SECOND, { tradeId: `at ${seconds}` }),
    )
    await sort(trades, delivery)
    expect(looks.mock.calls).toEqual([
      [market, ['at 0', 'at -3', 'at 1'], { from: NOW - 3 * SECOND, to: NOW + SECOND }],
    ])
  })

  it('keep the newest time up to which trades are stored', async () => {
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    const trades = new NewTrades(history)
    await trades.resume(['venue_a'])
    vi.spyOn(history, 'newestTradeAt').mockResolvedValue((NOW - HOUR) as Millis)
    await trades.resume(['venue_a'])
    expect(await sort(trades, [first])).toEqual([[], []])
  })

  it('of unknown markets are omitted', async () => {
    const trades = new NewTrades(history)
    const { fresh, corrected } = await trades.classify([first], () => null, NOW as Millis)
    expect([fresh.size, corrected.size, trades.duplicates]).toEqual([0, 0, 0])
    expect(await sort(trades, [first])).toEqual([['one'], []])
  })

  it('are new again, but known as received, once they were lost', async () => {
    const trades = new NewTrades(history, 1)
    await sort(trades, [first])
    trades.dropLost([first, traded(NOW, { tradeId: 'not remembered' })])
    const again = await trades.classify(
      [first, traded(NOW, { tradeId: 'not remembered' }), traded(NOW, { tradeId: 'new' })],
      () => market,
      NOW as Millis,
    )
    const idsOf = (some: ReadonlySet<typeof first>) => [...some].map(({ tradeId }) => tradeId)
    expect(idsOf(again.fresh)).toEqual(['one', 'not remembered', 'new'])
    expect(idsOf(again.emitted)).toEqual(['one', 'not remembered'])
    expect(trades.duplicates).toBe(0)
  })

  it('are looked up again after the history lost rows', async () => {
    const trades = new NewTrades(history)
    const lost = traded(NOW + SECOND, { tradeId: 'lost' })
    await sort(trades, [first, lost])
    const stored = Promise.withResolvers<void>()
    const marked = trades.markUncertain(() => stored.promise)
    // Not before the rows that wait are stored or lost.
    expect(await sort(trades, [first, lost])).toEqual([[], []])
    const later = traded(NOW + 2 * SECOND, { tradeId: 'later' })
    await sort(trades, [later])
    await history.append({ trades: tradeColumns([{ market, event: first }]) })
    stored.resolve()
    await marked
    const again = await trades.classify([first, lost, later], () => market, NOW as Millis)
    expect([...again.fresh]).toEqual([lost])
    expect([...again.emitted]).toEqual([first, lost])
    expect(trades.duplicates).toBe(4)
    expect(await sort(trades, [first, lost])).toEqual([[], []])
  })

  describe('with a wrong time', () => {
    const misdated = async (
      at: number,
      { step, now, known = NOW }: { step: number; now: number; known?: number },
    ) => {
      const trades = new NewTrades(history)
      await trades.classify([{ ...first, at: at as Millis }], () => market, known as Millis)
      const take = () => trades.takeMisdated(step, now as Millis).map((trade) => trade.at)
      return [take(), take()]
    }

    it.each([
      ['stated half of the step ahead of a slow clock', NOW + HOUR / 2, HOUR, NOW + HOUR, true],
      ['stated less ahead than half of the step', NOW + HOUR / 2 - 1, HOUR, NOW + HOUR, false],
      ['still in the future', NOW + HOUR + 1, HOUR, NOW + HOUR, false],
      ['of the present', NOW + HOUR, HOUR, NOW + HOUR, true],
      ['received by a fast clock', NOW - HOUR, 0 - HOUR, NOW - 1, true],
      ['received at the present instant', NOW - HOUR, 0 - HOUR, NOW, false],
    ])('are found once: %s', async (_what, at, step, now, isFound) => {
      expect(await misdated(at, { step, now })).toEqual([isFound ? [at] : [], []])
    })

    it('are not those that were lost', async () => {
      const trades = new NewTrades(history)
      const past = (tradeId: string) => traded(NOW - HOUR, { tradeId })
      await sort(trades, [past('lost'), past('stored')])
      trades.dropLost([past('lost')])
      const found = trades.takeMisdated(0 - HOUR, (NOW - 1) as Millis)
      expect(found.map(({ tradeId }) => tradeId)).toEqual(['stored'])
    })
  })

  it('that were backfilled have the time of their reading', async () => {
    const trades = new NewTrades(history)
    const past = { ...first, receivedAt: (NOW + HOUR) as Millis, origin: 'backfilled' } as const
    await sort(trades, [past])
    expect(trades.takeMisdated(0 - SECOND, (NOW + HOUR - 1) as Millis)).toHaveLength(1)
  })
})
