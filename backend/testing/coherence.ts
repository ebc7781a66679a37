import { MINUTE } from '../domain/units.ts'
import type { Venue } from '../domain/market.ts'
import type { Catalogue } from '../simulator/catalogue/catalogue.ts'
import { isTrading } from '../simulator/catalogue/market.ts'
import type { SimEvent, SimMarket } from '../simulator/catalogue/market.ts'
import type { Truth, Twin } from './sample-truth.ts'

/** Best bid and ask of a market in cents, null where there is none. */
export interface Touch {
  readonly bid: number | null
  readonly ask: number | null
}
export type TouchOf = (market: SimMarket) => Touch

/** The contradictions as texts, and the number of comparisons. */
export interface Coherence {
  readonly faults: string[]
  readonly compared: number
}

const VENUES: readonly Venue[] = ['venue_a', 'venue_b']
/** Maximum spread of a book with a meaningful middle, cents. */
const MAX_SPREAD = 10
/** Prices of a market without buyers, cents. */
const WORTHLESS = 3
/** Prices of a venue that follows late may be off for so long after a jump. */
const AFTER_JUMP = 6 * MINUTE

/** Middle of the book in cents; null when it is one-sided or wide. */
const midOf = ({ bid, ask }: Touch): number | null =>
  bid === null || ask === null || ask - bid > MAX_SPREAD ? null : (bid + ask) / 2

/** The same, and the middle to 0 or 100 where the market is as good as decided. */
function worthOf({ bid, ask }: Touch): number | null {
  if (bid === null && ask !== null && ask <= WORTHLESS) return ask / 2
  if (ask === null && bid !== null && bid >= 100 - WORTHLESS) return (bid + 100) / 2
  return midOf({ bid, ask })
}

const eventsOf = (catalogue: Catalogue, at: number): SimEvent[] =>
  VENUES.flatMap((venue) => catalogue.events(venue, at))
const listed = (event: SimEvent): SimMarket[] =>
  event.markets.filter((market) => !market.placeholder)

/** Exclusive outcomes that all trade in a book of their own sum to 95 to 105 cents. */
export function sumsOf(catalogue: Catalogue, at: number, touchOf: TouchOf): Coherence {
  const sums = eventsOf(catalogue, at)
    .filter((event) => event.exclusive && listed(event).length > 1)
    .filter((event) => listed(event).every((market) => isTrading(market, at)))
    .map((event) => ({ event, mids: listed(event).map((market) => worthOf(touchOf(market))) }))
    .flatMap(({ event, mids }) =>
      mids.includes(null)
        ? []
        : [{ event, sum: mids.reduce<number>((sum, mid) => sum + (mid ?? 0), 0) }],
    )
  return {
    compared: sums.length,
    faults: sums
      .filter(({ sum }) => sum < 95 || sum > 105)
      .map(({ event, sum }) => `${event.id} sums to ${sum.toFixed(1)}`),
  }
}

/**
 * A later deadline is no cheaper than an earlier one, a higher strike no more expensive than a
 * lower one.
 */
export function laddersOf(catalogue: Catalogue, at: number, touchOf: TouchOf): Coherence {
  const faults: string[] = []
  let compared = 0
  for (const event of eventsOf(catalogue, at)) {
    const { kind } = event.template.shape
    if (kind !== 'above' && kind !== 'deadline') continue
    const rungs = listed(event)
      .filter((market) => isTrading(market, at))
      .map((market) => ({ market, mid: midOf(touchOf(market)) }))
      .filter(({ mid }) => mid !== null)
    // From the likeliest to the least likely.
    if (kind === 'deadline') rungs.reverse()
    for (const [i, easier] of rungs.entries()) {
      const harder = rungs[i + 1]
      if (harder === undefined) continue
      compared += 1
      // A market on a grid of whole cents may be half a cent off its neighbour's finer grid.
      if ((harder.mid ?? 0) > (easier.mid ?? 0) + 0.5)
        faults.push(
          `${harder.market.id} at ${harder.mid} is dearer than ${easier.market.id} at ${easier.mid}`,
        )
    }
  }
  return { faults, compared }
}

/** Cents that remain of buying on one venue and selling on the other, after venue_a's fee. */
export function profitOf({ a, b }: Twin, touchOf: TouchOf): number | null {
  const [one, other] = [touchOf(a), touchOf(b)]
  const mid = midOf(one)
  if (mid === null || midOf(other) === null) return null
  const fee = (7 * mid * (100 - mid)) / 10_000
  return Math.max((one.bid ?? 0) - (other.ask ?? 100), (other.bid ?? 0) - (one.ask ?? 100)) - fee
}

/** The same question on both venues leaves no profit after fees, but where a gap was planted. */
export function twinGapsOf(truth: Truth, at: number, touchOf: TouchOf): Coherence {
  const planted = new Set(truth.gaps(at, at + 1).flatMap(({ twins }) => twins.map(({ a }) => a.id)))
  const jumped = ({ a }: Twin): boolean =>
    Math.abs(truth.chance(a, at) - truth.chance(a, at - AFTER_JUMP)) > 0.02
  const profits = truth
    .twins(at)
    .filter((twin) => !planted.has(twin.a.id) && !jumped(twin))
    .flatMap((twin) => {
      const profit = profitOf(twin, touchOf)
      return profit === null ? [] : [{ twin, profit }]
    })
  return {
    compared: profits.length,
    faults: profits
      .filter(({ profit }) => profit > 0)
      .map(({ twin: { a, b }, profit }) => `${a.id} and ${b.id} leave ${profit.toFixed(2)}`),
  }
}

/**
 * Titles that two markets of a venue share; `titleOf` answers null for a market that is not shown.
 */
export function sharedTitles(
  markets: readonly SimMarket[],
  titleOf: (market: SimMarket) => string | null,
): string[] {
  const byTitle = Map.groupBy(
    markets,
    (market) => `${market.venue}: ${titleOf(market) ?? market.id}`,
  )
  return [...byTitle].filter(([, sharing]) => sharing.length > 1).map(([title]) => title)
}
