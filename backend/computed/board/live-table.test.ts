import { beforeEach, describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { traded } from '../../testing/venue-events.ts'
import type { BookChanged } from '../../venues/connector.ts'
import { LiveTable } from './live-table.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const after = (span: number) => (NOW + span) as Millis
const MARKET = 1

const record = (facts: Partial<MarketFacts> = {}) => ({
  market: MARKET,
  facts: marketFacts({ ticker: 'KXLIVE', ...facts }),
  firstSeenAt: NOW,
  knownAt: NOW,
})
const book = (at: Millis, size: number): BookChanged => ({
  type: 'book_changed',
  venue: 'venue_a',
  ticker: 'KXLIVE',
  at,
  receivedAt: after(60_000),
  origin: 'live',
  bids: [{ price: 4_000 as PriceE4, size: size as SizeE6 }],
  asks: [],
})

describe('the live table', () => {
  let live: LiveTable
  beforeEach(() => {
    live = new LiveTable()
    live.applyFacts(record())
  })

  it('dates a book by the newest one that history stores', () => {
    live.applyBook(MARKET, book(after(1), 1), true)
    live.applyBook(MARKET, book(after(2), 2), false)
    expect(live.book(MARKET)).toMatchObject({ at: after(1), book: { bids: [{ size: 2 }] } })
    live.applyBook(MARKET, book(after(3), 3), true)
    expect(live.book(MARKET)?.at).toBe(after(3))
    live.applyBook(MARKET, book(after(2), 4), true)
    expect(live.book(MARKET)).toMatchObject({ book: { bids: [{ size: 3 }] } })
    expect(live.table.numbers(MARKET).depth).toEqual({ bid: 3, ask: 0, ts: after(3) })
  })

  it('drops a market that has ended, and its later events', () => {
    live.applyBook(MARKET, book(after(1), 1), true)
    live.applyFacts(record({ status: 'settled', result: 'yes' }))
    live.applyBook(MARKET, book(after(2), 1), true)
    expect(live.book(MARKET)).toBeNull()
    expect([...live.table.markets()]).toEqual([])
    const { venue, eventId } = marketFacts()
    expect(live.table.snapshot(NOW, new Map()).marketsOfEvent(venue, eventId)).toEqual([])
  })

  it('loads stored data of a market that is open again, behind data received since', () => {
    live.applyFacts(record({ status: 'settled', result: 'yes' }))
    live.applyFacts(record())
    live.applyBook(MARKET, book(after(5), 5), true)
    const trade = { price: 9_800 as PriceE4, ts: after(1) }
    const depth = { bid: 1 as SizeE6, ask: 1 as SizeE6, ts: after(2) }
    live.takeStored({ market: MARKET, last: trade, quote: null, activity: null, depth })
    expect(live.table.numbers(MARKET)).toMatchObject({ last: trade, depth: { ts: after(5) } })
  })

  describe('loaded while events arrive', () => {
    const storedNumbers = {
      market: MARKET,
      last: { price: 4_000 as PriceE4, ts: NOW },
      quote: null,
      activity: null,
      depth: null,
    }
    /** Loads a history whose reads return what was stored before `event`. */
    const loadDuring = (event: () => void, isStored = true) =>
      live.load(
        {
          recordsAt() {
            event()
            return Promise.resolve([record()])
          },
          numbersAt: () => Promise.resolve([storedNumbers]),
        },
        after(60_000),
        () => true,
        () => Promise.resolve(isStored),
      )

    it('takes a stored correction of the newest trade', async () => {
      live.applyTrade(MARKET, traded(NOW, { price: 4_100 as PriceE4 }))
      await loadDuring(() => {})
      expect(live.table.numbers(MARKET).last).toEqual(storedNumbers.last)
      live.applyTrade(MARKET, traded(after(1), { price: 4_100 as PriceE4 }))
      await loadDuring(() => {})
      expect(live.table.numbers(MARKET).last).toEqual(storedNumbers.last)
    })

    it('keeps live trades while what was received cannot be stored', async () => {
      live.applyTrade(MARKET, traded(after(1), { price: 4_100 as PriceE4 }))
      await loadDuring(() => {}, false)
      expect(live.table.numbers(MARKET).last).toEqual({ price: 4_100, ts: after(1) })
    })

    it('stores what was received before it reads', async () => {
      const order: string[] = []
      const write = (what: string) => () => {
        order.push(what)
        return Promise.resolve([])
      }
      const reads = { recordsAt: write('records'), numbersAt: write('numbers') }
      await live.load(
        reads,
        NOW,
        () => true,
        async () => {
          await write('flush')()
          return true
        },
      )
      expect(order).toEqual(['flush', 'records', 'numbers'])
    })

    it('keeps a trade that is newer than the stored one', async () => {
      await loadDuring(() => live.applyTrade(MARKET, traded(after(1), { price: 4_100 as PriceE4 })))
      expect(live.table.numbers(MARKET).last).toEqual({ price: 4_100, ts: after(1) })
    })

    it('keeps facts that are newer than the stored ones', async () => {
      await loadDuring(() => live.applyFacts({ ...record({ title: 'New' }), knownAt: after(1) }))
      expect(live.table.record(MARKET)?.facts.title).toBe('New')
    })

    it('leaves out a market that ended meanwhile', async () => {
      const records = await loadDuring(() => live.applyFacts(record({ status: 'settled' })))
      expect(records).toEqual([])
      expect(live.table.record(MARKET)).toBeNull()
    })

    it('leaves out a market that ended before an overlapping load was over', async () => {
      const first = loadDuring(() => {})
      const second = await loadDuring(() => live.applyFacts(record({ status: 'settled' })))
      expect([await first, second]).toEqual([[], []])
    })
  })

  it('corrects the last trade unless a later one arrived', () => {
    const trade = (at: Millis, price: number) =>
      live.applyTrade(MARKET, traded(at, { price: price as PriceE4 }))
    trade(after(2), 9_900)
    const corrected = live.lastTrade(MARKET)
    const stored = { price: 4_000 as PriceE4, ts: after(1) }
    live.correctLast(MARKET, corrected, stored)
    expect(live.lastTrade(MARKET)).toEqual(stored)
    trade(after(3), 4_200)
    live.correctLast(MARKET, corrected, stored)
    expect(live.lastTrade(MARKET)).toEqual({ price: 4_200, ts: after(3) })
  })

  it('drops data dated by a clock that was ahead, so that new data counts again', () => {
    const HOUR = 3_600_000
    live.applyBook(MARKET, book(after(HOUR), 1), true)
    live.applyTrade(MARKET, traded(NOW, { price: 4_100 as PriceE4 }))
    expect(live.dropAfter(after(HOUR))).toEqual([])
    expect(live.dropAfter(after(1))).toEqual([MARKET])
    expect(live.book(MARKET)).toBeNull()
    expect(live.table.numbers(MARKET)).toMatchObject({ depth: null, last: { ts: NOW } })
    live.applyBook(MARKET, book(after(2), 7), true)
    expect(live.book(MARKET)).toMatchObject({ at: after(2), book: { bids: [{ size: 7 }] } })
  })
})
