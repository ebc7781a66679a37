import { calendarOf, type CalendarEntry } from '../../computed/calendar.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { MARKET_STATUSES } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { instantOf, type Instant } from '../../http/request/as-of.ts'
import { entryCatalyst } from '../../http/presenters/catalyst.ts'
import { LAST_INSTANT } from '../../contract/params.ts'
import { tickerOf } from '../../http/request/ticker.ts'
import { isoOf } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { Calendar, CalendarQuery } from '../../contract/edges.ts'
import type { EdgesDeps } from './edges.deps.ts'

/** Calendar of a snapshot, computed once per snapshot. */
const upcomingEntries = memoizeByKey((snapshot: ContextSnapshot) =>
  calendarOf(
    [...snapshot.markets.values()].map(({ view }) => view),
    snapshot.at,
    null,
    snapshot.pairs,
  ),
)

/**
 * Calendar: closes and expected resolutions of markets known at the instant. Methodology M,
 * calendar.
 */
export function createCalendarService({
  context,
  board,
  clock,
  urls,
}: Pick<EdgesDeps, 'context' | 'board' | 'clock' | 'urls'>) {
  const entriesFrom = async (from: Millis, { asOf, at }: Instant) => {
    const snapshot = await contextSnapshotAsOf(context, asOf)
    if (from < at) {
      const boardView = await board.at(asOf, { statuses: MARKET_STATUSES })
      return calendarOf(boardView.list(null), at, from, snapshot?.pairs)
    }
    return snapshot === null ? [] : upcomingEntries(snapshot)
  }

  /** The entries with prices of the requested instant instead of those of the snapshot. */
  const withPricesAt = async (entries: readonly CalendarEntry[], asOf: Millis | null) => {
    const views = await board.markets(
      entries.map(({ contested }) => contested.facts.ticker),
      asOf,
    )
    return entries.map((entry) => ({
      ...entry,
      contested: views.get(entry.contested.facts.ticker) ?? entry.contested,
    }))
  }

  return {
    /** @throws InvalidInput for a window that ends before it starts */
    async calendar(query: CalendarQuery): Promise<Calendar> {
      const { days, category, kind, ticker, topic, limit } = query
      const instant = instantOf(query.asOf, clock.now(), board.ready)
      const from = query.from ?? instant.at
      const to = query.to ?? (Math.min(from + days * DAY, LAST_INSTANT) as Millis)
      if (to < from) throw new InvalidInput('to must not be before from')
      const matchesFilter = passes({ category, topic, venue: null, words: null })
      const marketTicker = ticker === null ? null : tickerOf(ticker)
      const entries = kind === null || kind === 'resolution' ? await entriesFrom(from, instant) : []
      const page = entries
        .filter(({ at }) => at >= from && at <= to)
        .filter(({ tickers }) => marketTicker === null || tickers.includes(marketTicker))
        .filter(({ markets }) => markets.some(matchesFilter))
        .slice(0, limit)
      const events = (await withPricesAt(page, instant.asOf)).map((entry) => {
        const catalyst = entryCatalyst(entry, urls)
        return { ...catalyst, name: catalyst.title, start: catalyst.at }
      })
      return {
        from: isoOf(from),
        to: isoOf(to),
        events,
        count: events.length,
        generatedAt: isoOf(instant.at),
      }
    },
  }
}
export type CalendarService = ReturnType<typeof createCalendarService>
