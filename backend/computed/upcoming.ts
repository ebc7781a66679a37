import type { AnswerMarket } from '../domain/answers/answer-facts.ts'
import { DAY } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import { selectCatalysts } from '../domain/world/catalysts.ts'
import { resolutionsAhead } from '../domain/world/resolutions.ts'
import type { MarketView } from './market-board.ts'

/** How far ahead answers look. */
const AHEAD = (30 * DAY) as Millis

/** A resolution ahead with the market that is least decided. */
export interface Upcoming {
  readonly id: string
  readonly title: string
  readonly at: Millis
  readonly category: string
  readonly importance: 'high' | 'medium' | 'low'
  readonly source: string
  readonly tickers: readonly AnswerMarket['ticker'][]
  readonly contested: MarketView
}

/** Resolutions of these markets in the next 30 days, soonest first (methodology C8, calendar). */
export function upcomingOf(views: readonly MarketView[], at: Millis, limit: number): Upcoming[] {
  const open = views
    .filter(({ status }) => status === 'active' || status === 'paused')
    .map((view) => ({
      view,
      venue: view.facts.venue,
      ticker: view.facts.ticker,
      title: view.facts.title,
      eventId: view.facts.eventId,
      eventTitle: view.facts.eventTitle,
      category: view.facts.category,
      closeTime: view.facts.closeTime,
      expirationTime: view.facts.expirationTime,
      mark: view.mark,
      liquidity: view.liquidityScore,
      volume24hUsd: view.volume24hUsd,
    }))
  return selectCatalysts(resolutionsAhead(open, at), at, AHEAD, limit).map((entry) => ({
    id: entry.id,
    title: entry.title,
    at: entry.at,
    category: entry.category,
    importance: entry.importance,
    source: entry.venue,
    tickers: entry.markets.map(({ ticker }) => ticker),
    contested: entry.contested.view,
  }))
}
