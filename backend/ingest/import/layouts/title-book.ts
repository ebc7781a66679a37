import type { ImportHost } from '../import-host.ts'
import type { EventTitle, SeriesTitle, TitleStatus } from './titles.ts'

interface Titles {
  readonly events: readonly EventTitle[]
  readonly series: readonly SeriesTitle[]
}

/** Titles from files of events and series, and the status of each. */
export interface TitleBook {
  readonly venueTitles: Titles
  add(titles: Titles): void
  /** Status of all titles, by "event ID" and "series ID"; the first call reads the history. */
  statuses(): Promise<ReadonlyMap<string, TitleStatus>>
}

/**
 * Searching the markets of the history takes a while, so all files of an import share one search.
 */
export function createTitleBook(
  host: ImportHost,
  dryRun: boolean,
  venueTitles: Titles = { events: [], series: [] },
): TitleBook {
  const events = [...venueTitles.events]
  const series = [...venueTitles.series]
  let pendingStatuses: Promise<ReadonlyMap<string, TitleStatus>> | null = null
  const ask = async (): Promise<ReadonlyMap<string, TitleStatus>> => {
    const statuses = new Map<string, TitleStatus>()
    if (events.length + series.length === 0) return statuses
    const namedCounts = await host.nameMarkets({ events, series }, dryRun)
    events.forEach(({ eventId }, index) => {
      statuses.set(`event ${eventId}`, namedCounts.events[index] ?? 'no such market')
    })
    series.forEach(({ seriesId }, index) => {
      statuses.set(`series ${seriesId}`, namedCounts.series[index] ?? 'no such market')
    })
    return statuses
  }
  return {
    venueTitles: { events, series },
    add(titles) {
      events.push(...titles.events)
      series.push(...titles.series)
    },
    statuses: () => (pendingStatuses ??= ask()),
  }
}
