import type { Cents, Millis } from '../domain/units.ts'
import type { WorldMarket } from '../domain/world/world-market.ts'

/** 2026-11-20 14:05 UTC, aligned to the five-minute snapshot. */
export const NOON_ISH = Date.UTC(2026, 10, 20, 14, 5) as Millis
export const DAY_MS = 86_400_000

/** Fields of a market with plain numbers for its prices and times. */
export type WorldMarketFields = {
  readonly [Name in keyof WorldMarket]?: WorldMarket[Name] extends Cents | Millis | null
    ? number | Extract<WorldMarket[Name], null>
    : WorldMarket[Name]
}

/** An active market with a book at 49/51 and no events; `fields` override values. */
export function worldMarket(fields: WorldMarketFields = {}): WorldMarket {
  const ticker = fields.ticker ?? 'KXA'
  const price = fields.price === undefined ? 50 : fields.price
  const mark = fields.mark === undefined ? price : fields.mark
  const rest: WorldMarket = {
    venue: 'venue_a',
    ticker,
    title: `Question of ${ticker}?`,
    subtitle: null,
    slug: `question-venue-a-${ticker.toLowerCase()}`,
    eventId: `${ticker}-EVENT`,
    eventTitle: null,
    seriesId: null,
    seriesTitle: null,
    category: 'politics',
    topics: [],
    theme: 'politics',
    exclusive: false,
    exhaustive: false,
    rung: null,
    multiLeg: false,
    firstSeenAt: (NOON_ISH - 30 * DAY_MS) as Millis,
    listedAt: (NOON_ISH - 30 * DAY_MS) as Millis,
    closeTime: (NOON_ISH + 40 * DAY_MS) as Millis,
    tau: 40,
    daysToEvent: null,
    catalyst: null,
    price: price as Cents | null,
    mark: mark as Cents | null,
    spread: 2 as Cents,
    twoSided: true,
    priceDayAgo: price as Cents | null,
    markDayAgo: mark as Cents | null,
    markAtBaseline: mark as Cents | null,
    volume24h: 1_000,
    volume24hUsd: 500,
    liquidity: 'high',
    cri: 1,
    las: 0.04,
    adjIy: 50,
    vr: 0,
    residualVr: null,
    trendLabel: null,
    markSd7d: 2,
    tradedMoves: { sigma: 0, changes: 0 },
  }
  return { ...rest, ...(fields as Partial<WorldMarket>) }
}
