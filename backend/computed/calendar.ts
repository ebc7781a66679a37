import { DAY } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import {
  compareCalendarEntries,
  selectCatalysts,
  type CatalystEntry,
} from '../domain/world/salient/catalysts.ts'
import type { QuestionTwins } from '../domain/links/question-groups.ts'
import { resolutionsAhead } from '../domain/world/salient/resolutions.ts'
import type { MarketView } from './board/market-board.ts'

/** Horizon of answers. */
const LOOKAHEAD = (30 * DAY) as Millis

/** A calendar entry: markets of one event that are decided at the same time. */
export interface CalendarEntry extends CatalystEntry {
  readonly title: string
  readonly category: string
  /** Source of the date. */
  readonly source: string
  /** Markets that it decides, most traded first. */
  readonly markets: readonly MarketView[]
  readonly tickers: readonly string[]
  /** The market that is least decided, weighted by liquidity. */
  readonly contested: MarketView
}

function entriesOf(
  views: readonly MarketView[],
  at: Millis,
  from: Millis | null,
  questionTwins: Iterable<QuestionTwins>,
): CalendarEntry[] {
  const datedViews = views.map((view) => ({
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
  return resolutionsAhead(datedViews, at, from, questionTwins).map(
    ({ venue, markets, contested, ...entry }) => ({
      ...entry,
      source: venue,
      markets: markets.map(({ view }) => view),
      tickers: markets.map(({ ticker }) => ticker),
      contested: contested.view,
    }),
  )
}

/**
 * Closes and expected resolutions of these markets, soonest first, at equal times more important
 * ones first (methodology M, calendar): those after `at`, or at or after `from` if given.
 * @param questionTwins pairs whose events are listed once
 */
export const calendarOf = (
  views: readonly MarketView[],
  at: Millis,
  from: Millis | null = null,
  questionTwins: Iterable<QuestionTwins> = [],
): CalendarEntry[] => entriesOf(views, at, from, questionTwins).sort(compareCalendarEntries)

/**
 * Resolutions of these markets in the next 30 days, soonest first; above the limit the entries with
 * the highest weight are kept (methodology C8).
 */
export function upcomingOf(
  views: readonly MarketView[],
  at: Millis,
  limit: number,
  questionTwins: Iterable<QuestionTwins> = [],
): CalendarEntry[] {
  const trading = views.filter(({ status }) => status === 'active' || status === 'paused')
  return selectCatalysts(entriesOf(trading, at, null, questionTwins), at, LOOKAHEAD, limit)
}
