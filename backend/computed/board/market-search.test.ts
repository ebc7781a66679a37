import fc from '../../../scripts/properties.ts'
import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import { isLive } from '../../domain/market-status.ts'
import { volumeUsd } from '../../domain/liquidity/volume.ts'
import { finalScore } from '../../domain/text/market-ranking.ts'
import { runToCompletion } from '../../domain/cooperative-steps.ts'
import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Cents, Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { MarketNumbers } from '../../history/market-rows.ts'
import { at } from '../../testing/builders.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { MarketTable } from './market-table.ts'
import { DescribedMarket } from './described-market.ts'
import { noNumbers, viewOf } from './market-view.ts'
import { searchInputsAt } from './searched-market.ts'

const NOON = at('2026-11-20T12:00:00Z')
const plus = (span: number): Millis => (NOON + span) as Millis
const price = fc.integer({ min: 0, max: 100 }).map((cents) => (cents * 100) as PriceE4)
const size = fc.integer({ min: 0, max: 20_000 }).map((n) => (n * 1_000_000) as SizeE6)
const moment = fc.integer({ min: -180, max: 180 }).map((minutes) => plus(minutes * MINUTE))
/** Instants around those of the numbers, and around a day later. */
const span = fc.oneof(
  fc.integer({ min: -4 * HOUR, max: 4 * HOUR }),
  fc.integer({ min: DAY - 3 * HOUR, max: DAY + 3 * HOUR }),
  fc.integer({ min: -180, max: 180 }).map((minutes) => DAY + minutes * MINUTE - 1),
)
const numbersOf = fc.record({
  market: fc.constant(1),
  last: fc.option(fc.record({ price, ts: moment })),
  quote: fc.option(
    fc.record({
      bid: fc.option(price),
      ask: fc.option(price),
      bidSize: fc.option(size),
      askSize: fc.option(size),
      ts: moment,
      knownAt: moment,
    }),
  ),
  activity: fc.option(
    fc.record({
      volume: fc.option(size),
      volume24h: fc.option(size),
      openInterest: fc.option(size),
      lastPrice: fc.option(price),
      ts: moment,
    }),
  ),
  depth: fc.option(fc.record({ bid: size, ask: size, ts: moment })),
})
const factsOf = fc
  .record({
    venue: fc.constantFrom('venue_a' as const, 'venue_b' as const),
    status: fc.constantFrom('upcoming', 'active', 'paused', 'closed', 'settled' as const),
    openTime: fc.option(moment),
    closeTime: fc.option(moment),
    volumeUnit: fc.constantFrom('contracts', 'usd' as const),
  })
  .map((change) => marketFacts(change))

describe('ranking inputs of a market', () => {
  it('equal its view at every instant, for any number of earlier requests', () => {
    fc.assert(
      fc.property(
        factsOf,
        fc.array(numbersOf, { minLength: 1, maxLength: 3 }),
        fc.array(span, { minLength: 1, maxLength: 30 }),
        (facts, versions, requested) => {
          const described = new DescribedMarket(recordOf(1, facts))
          // Changed in place, as the table does.
          const numbers: { -readonly [K in keyof MarketNumbers]: MarketNumbers[K] } = noNumbers(1)
          for (const version of versions) {
            Object.assign(numbers, version)
            for (const after of [...requested, ...requested.map((time) => time + 1)]) {
              const view = viewOf(described, numbers, null, plus(after))
              expect(searchInputsAt(described, numbers, plus(after))).toEqual({
                facts,
                ticker: facts.ticker,
                eventKey: `${facts.venue}:${facts.eventId}`,
                live: isLive(facts, plus(after)),
                closeTime: facts.closeTime,
                price: view.price,
                volume: view.volume,
                volume24hUsd: view.volume24hUsd,
                openInterestUsd: volumeUsd(view.openInterest, facts.volumeUnit, view.price),
                liquidity: view.liquidityScore,
              })
            }
          }
        },
      ),
    )
  })

  it('change with the minute in which a quote expires', () => {
    const described = new DescribedMarket(recordOf(1, marketFacts({ closeTime: plus(9 * HOUR) })))
    const numbers = quoted(1, 40, 42, 30_000)
    const liquidityAt = (span: number) => searchInputsAt(described, numbers, plus(span)).liquidity
    expect(liquidityAt(0)).toBe('high')
    expect(liquidityAt(15 * MINUTE)).toBe('high')
    expect(liquidityAt(15 * MINUTE + 1)).toBe('low')
  })
})

const WORDS = ['iran', 'deal', 'oil', 'above', 'fed', 'cut', '2026', '2027', '70000', '$80,000']
const titleOf = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
const entryOf = fc.record({
  title: titleOf,
  venue: fc.constantFrom('venue_a' as const, 'venue_b' as const),
  event: fc.integer({ min: 0, max: 5 }),
  contracts: fc.integer({ min: 0, max: 30 }),
  spread: fc.integer({ min: 1, max: 6 }),
})
const queryOf = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })

describe('a search in a table', () => {
  it('of a venue equals a search over every market, for any limit', () => {
    fc.assert(
      fc.property(
        fc.array(entryOf, { maxLength: 80 }),
        queryOf,
        fc.constantFrom('venue_a' as const, 'venue_b' as const, null),
        fc.integer({ min: 1, max: 12 }),
        (entries, words, venue, limit) => {
          const table = new MarketTable()
          for (const [index, entry] of entries.entries()) {
            const ticker = `T${String(index).padStart(2, '0')}`
            const facts = marketFacts({
              ticker,
              venue: entry.venue,
              title: entry.title.join(' '),
              eventId: `E${entry.event}`,
              eventTitle: null,
              subtitle: null,
              description: '',
              status: 'active',
              closeTime: plus(9 * HOUR),
            })
            table.put(recordOf(index + 1, facts))
            table.setNumbers(quoted(index + 1, 40, 40 + entry.spread, entry.contracts * 1_000))
          }
          const snapshot = table.snapshot(NOON, new Map())
          const query = words.join(' ')
          const whole = snapshot.search(
            query,
            ({ facts }) => venue === null || facts.venue === venue,
            Infinity,
          )
          const found = snapshot.search(query, venue, limit)
          expect(found).toEqual(whole.slice(0, limit))
          for (const { view, score } of found) {
            expect(score).toBeLessThanOrEqual(finalScore(1, 1, view.liquidityScore))
          }
        },
      ),
    )
  })

  it('finds the same while its index is built and markets are added and removed', () => {
    const table = new MarketTable()
    for (let market = 1; market <= 40; market++) table.put(recordOf(market, rainy(market)))
    const steps = table.prepareSearch()
    for (let step = 0; step < 10; step++) steps.next()
    table.remove(3)
    table.remove(30)
    table.put(recordOf(5, marketFacts({ ticker: 'K5', eventId: 'E5', title: 'snow' })))
    table.put(recordOf(41, rainy(41)))
    const found = () =>
      table
        .snapshot(NOON, new Map())
        .search('rain', null, 100)
        .map(({ view }) => view.market)
        .sort((a, b) => a - b)
    const expected = Array.from({ length: 41 }, (_, i) => i + 1).filter(
      (market) => ![3, 5, 30].includes(market),
    )
    expect(found()).toEqual(expected)
    runToCompletion(steps)
    expect(found()).toEqual(expected)
  })
})

const recordOf = (market: number, facts: MarketFacts) => ({
  market,
  facts,
  firstSeenAt: NOON,
  knownAt: NOON,
})

const rainy = (market: number): MarketFacts =>
  marketFacts({ ticker: `K${market}`, eventId: `E${market}`, title: 'rain' })

function quoted(market: number, bid: number, ask: number, contracts: number): MarketNumbers {
  const of = (cents: number) => ((cents as Cents) * 100) as PriceE4
  return {
    market,
    last: null,
    depth: null,
    quote: {
      bid: of(bid),
      ask: of(ask),
      bidSize: null,
      askSize: null,
      ts: NOON,
      knownAt: NOON,
    },
    activity: {
      volume: null,
      openInterest: null,
      lastPrice: null,
      ts: NOON,
      volume24h: (contracts * 1_000_000) as SizeE6,
    },
  }
}
