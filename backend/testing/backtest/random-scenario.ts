import fc from '../../../scripts/properties.ts'
import { FULL_FILLS, PAPER_FILLS, type FillModel } from '../../domain/backtest/broker/fill-model.ts'
import type { FactsVersion } from '../../domain/backtest/event-columns.ts'
import type { MarketFacts } from '../../domain/market.ts'
import type { Cents, Millis, PriceE4 } from '../../domain/units.ts'
import { marketFacts } from '../market-facts.ts'
import type { Action, PlainBook, Scenario } from './scenario.ts'

const FROM = Date.parse('2026-08-03T22:00:00Z')
/** Few instants, so that many events coincide. */
const SPAN = 4_000
const STEP = 250

const instant = fc.integer({ min: 1, max: SPAN / STEP }).map((n) => FROM + n * STEP)
/** Mostly near each other, so that orders match; some at the ends. */
const cents = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: 44, max: 54 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 99 }) },
)
const price = cents.map((one) => one * 100)
/** Contracts in hundredths, so that fractions of contracts occur. */
const contracts = fc.oneof(
  fc.integer({ min: 1, max: 200 }),
  fc.integer({ min: 50, max: 9_999 }).map((n) => n / 100),
)
const size = contracts.map((n) => Math.round(n * 1e6))
const sizeOrNot = fc.oneof(
  { weight: 4, arbitrary: size },
  { weight: 1, arbitrary: fc.constant(NaN) },
)

const stamp = (markets: number) =>
  fc
    .tuple(instant, fc.constantFrom(0, 0, STEP, 500), fc.integer({ min: 0, max: markets - 1 }))
    .map(([known, lag, market]) => ({ known, ts: known - lag, market }))

const sided = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: cents }, { weight: 1, arbitrary: fc.constant(0) }),
    fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 5 }) },
      { weight: 1, arbitrary: fc.integer({ min: -1, max: 60 }) },
    ),
  )
  .map(([bid, width]) => ({ bid: bid * 100, ask: Math.min(10_000, (bid + width) * 100) }))

const book = (markets: number): fc.Arbitrary<PlainBook> =>
  fc
    .tuple(
      stamp(markets),
      sided,
      fc.array(size, { minLength: 0, maxLength: 5 }),
      fc.array(size, { minLength: 0, maxLength: 5 }),
    )
    .map(([at, { bid, ask }, bidSizes, askSizes]) => ({
      ...at,
      bids: bidSizes.map((one, k) => [bid - k * 100, one] as const).filter(([level]) => level > 0),
      asks: askSizes
        .map((one, k) => [ask + k * 100, one] as const)
        .filter(([level]) => level < 10_000 && level > 0),
    }))

const versionsOf = (market: number, venue: 'venue_a' | 'venue_b') =>
  fc
    .record({
      listedAt: fc.constantFrom(FROM - 1_000, FROM - 1_000, FROM, FROM + STEP),
      closeAfter: fc.constantFrom(null, null, 2_750, SPAN * 3),
      paused: fc.option(instant, { freq: 1 }),
      settled: fc.option(instant, { freq: 1 }),
      result: fc.constantFrom('yes' as const, 'no' as const, 'scalar' as const, 'void' as const),
      paid: fc.option(price),
      amended: fc.option(fc.constantFrom('yes' as const, 'no' as const, 'void' as const)),
      snapshot: fc.boolean(),
    })
    .map(({ listedAt, closeAfter, paused, settled, result, paid, amended, snapshot }) => {
      const facts = marketFacts({
        venue,
        ticker: `M${market}`,
        openTime: FROM as Millis,
        status: 'active',
        closeTime: closeAfter === null ? null : ((FROM + closeAfter) as Millis),
        ...(snapshot ? {} : { priceRanges: [] }),
      })
      const version = (knownAt: number, change: Partial<MarketFacts>): FactsVersion => ({
        market,
        knownAt: knownAt as Millis,
        facts: { ...facts, ...change },
      })
      const versions = [version(listedAt, {})]
      if (paused !== null && paused > listedAt) {
        versions.push(version(paused, { status: 'paused' }))
        versions.push(version(paused + 500, {}))
      }
      if (settled !== null && settled > listedAt) {
        const settlementPrice = result === 'scalar' ? (paid as PriceE4 | null) : null
        const end: Partial<MarketFacts> = { status: 'settled', result, settlementPrice }
        const earlier = versions.filter(({ knownAt }) => knownAt < settled)
        earlier.push(version(settled, end))
        if (amended !== null && amended !== result && result !== 'scalar')
          earlier.push(version(settled + 500, { ...end, result: amended }))
        return earlier
      }
      return versions
    })

const action = (markets: number): fc.Arbitrary<Action> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .record({
          received: fc.integer({ min: 0, max: 40 }),
          market: fc.integer({ min: 0, max: markets - 1 }),
          action: fc.constantFrom('buy' as const, 'buy' as const, 'sell' as const),
          side: fc.constantFrom('yes' as const, 'no' as const),
          contracts,
          limit: fc.oneof(
            { weight: 8, arbitrary: cents as fc.Arbitrary<Cents> },
            { weight: 3, arbitrary: fc.constant(null) },
            { weight: 1, arbitrary: fc.integer({ min: 0, max: 200 }).map((n) => (n / 2) as Cents) },
          ),
          timeInForce: fc.constantFrom(
            'gtc' as const,
            'gtc' as const,
            'ioc' as const,
            'fok' as const,
          ),
          postOnly: fc.constantFrom(false, false, false, true),
        })
        .map(({ received, ...order }) => ({
          received,
          order: { ...order, postOnly: order.postOnly && order.limit !== null },
        })),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        received: fc.integer({ min: 0, max: 40 }),
        cancel: fc.integer({ min: 0, max: 12 }),
      }),
    },
  )

const models: readonly FillModel[] = [
  FULL_FILLS,
  { ...FULL_FILLS, latencyMs: 0 as Millis },
  { ...FULL_FILLS, latencyMs: 500 as Millis, takerDelayMs: 250 as Millis },
  PAPER_FILLS,
  { ...PAPER_FILLS, levels: 5, longestQuoteAgeMs: 500 as Millis },
]

/** Runs of a few markets in which many events coincide. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('venue_a' as const, 'venue_b' as const))
  .chain(([markets, second]) => {
    const venues = Array.from({ length: markets }, (_, m) => (m === 1 ? second : 'venue_a'))
    return fc.record({
      from: fc.constant(FROM),
      to: fc.constant(FROM + SPAN),
      markets: fc.constant(venues.map((venue, m) => ({ venue, ticker: `M${m}` }))),
      versions: fc
        .tuple(...venues.map((venue, m) => versionsOf(m, venue)))
        .map((all) => all.flat().sort((a, b) => a.knownAt - b.knownAt || a.market - b.market)),
      trades: fc.array(
        fc
          .record({
            at: stamp(markets),
            price,
            size,
            taker: fc.constantFrom(0 as const, 1 as const, 2 as const),
          })
          .map(({ at, ...trade }) => ({ ...at, ...trade })),
        { minLength: 8, maxLength: 25 },
      ),
      quotes: fc.array(
        fc
          .record({ at: stamp(markets), sides: sided, bidSize: sizeOrNot, askSize: sizeOrNot })
          .map(({ at, sides, ...sizes }) => ({ ...at, ...sides, ...sizes })),
        { minLength: 10, maxLength: 30 },
      ),
      books: fc.array(book(markets), { minLength: 2, maxLength: 14 }),
      bars: fc.array(
        fc
          .record({
            at: stamp(markets),
            close: price,
            sides: sided,
            isQuoted: fc.boolean(),
            volume: size,
          })
          .map(({ at, close, sides, isQuoted, volume }) => ({
            ...at,
            close,
            volume,
            ...(isQuoted ? sides : { bid: -1, ask: -1 }),
          })),
        { maxLength: 4 },
      ),
      actions: fc.array(action(markets), { minLength: 6, maxLength: 24 }),
      model: fc.constantFrom(...models),
      startCash: fc.constantFrom(1_000_000_000, 100_000_000, 25_000_000),
    })
  })
