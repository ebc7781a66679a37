import { calendarOf, type CalendarEntry } from '../../computed/calendar.ts'
import { passes } from '../../computed/market-filter.ts'
import { oncePer } from '../../computed/once-per.ts'
import { gridThen } from '../../computed/past-grid.ts'
import type { Grid } from '../../computed/grid/grid.ts'
import { MARKET_STATUSES } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import { instantOf, type Instant } from '../../http/as-of.ts'
import { entryCatalyst } from '../../http/catalyst.ts'
import { LAST_INSTANT } from '../../http/params.ts'
import { tickerOf } from '../../http/ticker.ts'
import { isoOf } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { Calendar, CalendarQuery } from './calendar.schema.ts'
import type { EdgesDeps } from './edges.deps.ts'

/** What lies ahead of a grid is worked out once for it. */
const aheadOf = oncePer((grid: Grid) =>
  calendarOf(
    [...grid.markets.values()].map(({ view }) => view),
    grid.at,
  ),
)

/** What is dated: closes and expected resolutions of markets known then. Methodology M, calendar. */
export function createCalendarReads({
  context,
  board,
  clock,
  urls,
}: Pick<EdgesDeps, 'context' | 'board' | 'clock' | 'urls'>) {
  const entriesFrom = async (from: Millis, { asOf, at }: Instant) => {
    if (from < at) {
      const snapshot = await board.at(asOf, { statuses: MARKET_STATUSES })
      return calendarOf(snapshot.list(null), at, from)
    }
    const grid = await gridThen(context, asOf)
    return grid === null ? [] : aheadOf(grid)
  }

  /** The entries with the prices of the instant in place of those of their grid. */
  const asPriced = async (entries: readonly CalendarEntry[], asOf: Millis | null) => {
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
    /** @throws InvalidInput for a window that ends before it begins */
    async calendar(asked: CalendarQuery): Promise<Calendar> {
      const { days, category, kind, ticker, topic, limit } = asked
      const instant = instantOf(asked.asOf, clock.now(), board.ready)
      const from = asked.from ?? instant.at
      const to = asked.to ?? (Math.min(from + days * DAY, LAST_INSTANT) as Millis)
      if (to < from) throw new InvalidInput('to must not be before from')
      const counts = passes({ category, topic, venue: null, words: null })
      const decided = ticker === null ? null : tickerOf(ticker)
      const found = kind === null || kind === 'resolution' ? await entriesFrom(from, instant) : []
      const page = found
        .filter(({ at }) => at >= from && at <= to)
        .filter(({ tickers }) => decided === null || tickers.includes(decided))
        .filter(({ markets }) => markets.some(counts))
        .slice(0, limit)
      const events = (await asPriced(page, instant.asOf)).map((entry) => {
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
export type CalendarReads = ReturnType<typeof createCalendarReads>
