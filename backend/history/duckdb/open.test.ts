import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { silentLogger } from '../../lib/logger.ts'
import {
  activityColumns,
  bookColumns,
  candleColumns,
  quoteColumns,
  tradeColumns,
} from '../../testing/history-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { openHistory } from './open.ts'

const T0 = Date.parse('2026-11-20T12:00:00Z')
const at = (ms: number): Millis => (T0 + ms) as Millis
const logger = silentLogger

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-history-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

const openFile = () => openHistory({ path: join(folder, 'history.duckdb'), logger })

describe('a history file', () => {
  it('keeps every kind of row over a reopen', async () => {
    const first = await openFile()
    const [a = -1, b = -1] = await first.marketIds([
      { venue: 'venue_a', ticker: 'KX-A' },
      { venue: 'venue_b', ticker: '0xabc' },
    ])
    await first.append({
      trades: tradeColumns([
        { market: a, ts: at(1), lag: 5, tradeId: 't1', price: 4100, size: 2_500_000, taker: 2 },
        { market: b, ts: at(2), tradeId: 't2', price: 55, taker: 1, isBlock: true },
      ]),
      quotes: quoteColumns([
        { market: a, ts: at(3), bid: 4000, ask: null, bidSize: 7, askSize: null },
      ]),
      books: bookColumns([{ market: a, ts: at(4), bids: [[4000, 7]], asks: [] }]),
      candles: candleColumns([
        { market: b, start: at(0), width: 60_000, prices: [1, 2, 1, 2], volume: 9 },
      ]),
      activity: activityColumns([
        {
          market: a,
          ts: at(5),
          volume: 2 ** 40,
          volume24h: null,
          openInterest: 3,
          lastPrice: 4_200,
        },
      ]),
      facts: [
        { market: a, knownAt: at(0), facts: marketFacts({ ticker: 'KX-A', subtitle: null }) },
      ],
      changes: [
        { id: 'c1', market: a, type: 'price_move', at: at(6), before: 40, after: 44, delta: 4 },
        {
          id: 'c0',
          market: b,
          type: 'status_change',
          at: at(6),
          before: 'active',
          after: 'closed',
          delta: null,
        },
      ],
    })
    const requested = async (history: typeof first) => ({
      size: await history.size(),
      trades: await history.trades({ market: a, from: at(0), to: at(9), asOf: at(9) }),
      quotes: await history.quotes({ market: a, from: at(0), to: at(9), asOf: at(9) }),
      book: await history.bookAt(a, at(9)),
      numbers: await history.numbersAt(at(9), [a, b]),
      records: await history.recordsAt(at(9), null),
      changes: await history.changes({
        since: at(0),
        asOf: at(9),
        types: null,
        markets: null,
        after: null,
        limit: 10,
      }),
      newest: await history.newestTradeAt('venue_b'),
      bars: await history.candles({
        market: b,
        width: 60_000 as Millis,
        asOf: at(90_000),
        before: at(90_000),
        limit: 5,
      }),
    })
    const before = await requested(first)
    await first.close()
    const second = await openFile()
    expect(await requested(second)).toEqual(before)
    expect(second.marketIdOf('0xabc')).toEqual({ market: b, venue: 'venue_b' })
    await second.close()

    expect(before.size).toEqual({
      markets: 2,
      trades: 2,
      quotes: 1,
      books: 1,
      candles: 1,
      firstTs: at(1),
      lastTs: at(60_000),
    })
    expect(before.trades).toEqual([
      { tradeId: 't1', ts: at(1), price: 4100, size: 2_500_000, takerSide: 'no', isBlock: false },
    ])
    expect(before.quotes).toEqual([{ ts: at(3), bid: 4000, ask: null }])
    expect(before.book).toEqual({ book: { bids: [{ price: 4000, size: 7 }], asks: [] }, ts: at(4) })
    expect(before.numbers).toEqual([
      {
        market: a,
        last: { price: 4100, ts: at(1) },
        quote: { bid: 4000, ask: null, bidSize: 7, askSize: null, ts: at(3), knownAt: at(3) },
        activity: {
          volume: 2 ** 40,
          volume24h: null,
          openInterest: 3,
          lastPrice: 4_200,
          ts: at(5),
        },
        depth: { bid: 7, ask: 0, ts: at(4) },
      },
      { market: b, last: null, quote: null, activity: null, depth: null },
    ])
    expect(before.records).toEqual([
      {
        market: a,
        facts: marketFacts({ ticker: 'KX-A', subtitle: null }),
        firstSeenAt: at(0),
        knownAt: at(0),
      },
    ])
    expect(before.changes.map((change) => [change.id, change.before, change.delta])).toEqual([
      ['c0', 'active', null],
      ['c1', 40, 4],
    ])
    expect(before.newest).toBe(at(2))
    // The market has a stored trade in that minute (a block trade), so no native bar replaces it.
    expect(before.bars).toEqual([])
  })

  it('reports in a sentence that another process has it open', async () => {
    const first = await openFile()
    await expect(openFile()).rejects.toThrow(/is already open/)
    await expect(openFile()).rejects.toBeInstanceOf(StoreFailed)
    await first.close()
    const again = await openFile()
    await again.close()
  })

  it('refuses work once closed', async () => {
    const history = await openFile()
    await history.close()
    await history.close()
    await expect(history.size()).rejects.toThrow('The history is closed')
    await expect(history.append({ trades: tradeColumns([]) })).rejects.toThrow(
      'The history is closed',
    )
  })

  it('treats hostile text as data', async () => {
    const history = await openFile()
    const evil = `'); drop table trade; -- \u0000 $market {{}} "`.replace('\u0000', '')
    const [market = -1] = await history.marketIds([{ venue: 'venue_a', ticker: evil }])
    await history.append({
      facts: [
        {
          market,
          knownAt: at(0),
          facts: marketFacts({ ticker: evil, title: evil, tags: [evil, '"'] }),
        },
      ],
      trades: tradeColumns([{ market, ts: at(1), tradeId: evil, price: 1 }]),
    })
    const [record] = await history.recordsAt(at(5), [market])
    expect(record?.facts.title).toBe(evil)
    expect(record?.facts.tags).toEqual([evil, '"'])
    expect([...(await history.knownTrades(market, [evil, 'x'])).keys()]).toEqual([evil])
    await history.close()
  })
})
