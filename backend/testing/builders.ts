import type { MarketView } from '../computed/board/market-board.ts'
import type { BookLevel, MarketFacts } from '../domain/market.ts'
import { slugOf } from '../domain/topics/topics.ts'
import { spreadOf } from '../domain/prices/price.ts'
import { priceOfCents, sizeOfContracts } from '../domain/units.ts'
import type { Cents, Millis } from '../domain/units.ts'
import { marketFacts as ordinaryFacts } from './market-facts.ts'

/** Milliseconds of an ISO time. */
export const at = (iso: string): Millis => Date.parse(iso) as Millis
/** The instant at which the fake clock starts. */
export const NOON = at('2026-11-20T14:00:00.000Z')

/** Facts of an open venue_a market that closes in ten days. */
export const marketFacts = (facts: Partial<MarketFacts> = {}): MarketFacts =>
  ordinaryFacts({
    ticker: 'KXTEST-26DEC-A',
    eventId: 'KXTEST-26DEC',
    eventTitle: 'Tests in December',
    category: 'science',
    closeTime: at('2026-11-30T14:00:00.000Z'),
    priceRanges: [],
    ...facts,
  })

/** Numbers of a market in plain cents and dollars. */
export interface ViewNumbers {
  readonly price?: number | null
  readonly bid?: number | null
  readonly ask?: number | null
  readonly last?: number | null
  readonly change24h?: number | null
  readonly volume24h?: number | null
}

let count = 0

/** A market at noon, by default 41/43 with a last trade at 42. */
export function marketView(
  view: Partial<Omit<MarketView, 'facts' | 'price'>> &
    ViewNumbers & { facts?: Partial<MarketFacts> } = {},
): MarketView {
  count += 1
  const { price = 42, bid = 41, ask = 43, last = price, facts: overrides, ...rest } = view
  const facts = marketFacts(overrides)
  const volume24h = view.volume24h ?? 1_000
  const bestBid = bid as Cents | null
  const bestAsk = ask as Cents | null
  return {
    market: count,
    slug: slugOf(facts),
    topics: [],
    firstSeenAt: at('2026-11-01T00:00:00.000Z'),
    status: facts.status,
    mark: price as Cents | null,
    bestBid,
    bestAsk,
    spread: spreadOf(bestBid, bestAsk),
    lastPrice: last as Cents | null,
    hasOrderbook: bid !== null && ask !== null,
    change24h: 1,
    volume: 10_000,
    volume24hUsd: volume24h,
    openInterest: 500,
    liquidityScore: 'medium',
    tau: facts.closeTime === null ? null : (facts.closeTime - NOON) / 86_400_000,
    updatedAt: NOON,
    bidDepthUsd: null,
    askDepthUsd: null,
    quotedAt: NOON,
    ...rest,
    facts,
    volume24h,
    price: price as Cents | null,
  }
}

/** One level of a book, in cents and contracts. */
export const level = (price: number, contracts: number): BookLevel => ({
  price: priceOfCents(price as Cents),
  size: sizeOfContracts(contracts),
})
