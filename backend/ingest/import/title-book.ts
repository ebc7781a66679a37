import type { ImportHost } from './import-host.ts'
import type { EventTitle, SeriesTitle, TitleFate } from './titles.ts'

interface Titles {
  readonly events: readonly EventTitle[]
  readonly series: readonly SeriesTitle[]
}

/** What files of events and series say of markets, and what became of it. */
export interface TitleBook {
  readonly told: Titles
  add(titles: Titles): void
  /** What became of all titles, by «event ID» and «series ID»; asks the history the first time. */
  fates(): Promise<ReadonlyMap<string, TitleFate>>
}

/** Looking through the markets of the history takes a while: all files of an import share one look. */
export function createTitleBook(
  host: ImportHost,
  dryRun: boolean,
  told: Titles = { events: [], series: [] },
): TitleBook {
  const events = [...told.events]
  const series = [...told.series]
  let asked: Promise<ReadonlyMap<string, TitleFate>> | null = null
  const ask = async (): Promise<ReadonlyMap<string, TitleFate>> => {
    const fates = new Map<string, TitleFate>()
    if (events.length + series.length === 0) return fates
    const named = await host.nameMarkets({ events, series }, dryRun)
    events.forEach(({ eventId }, index) => {
      fates.set(`event ${eventId}`, named.events[index] ?? 'no such market')
    })
    series.forEach(({ seriesId }, index) => {
      fates.set(`series ${seriesId}`, named.series[index] ?? 'no such market')
    })
    return fates
  }
  return {
    told: { events, series },
    add(titles) {
      events.push(...titles.events)
      series.push(...titles.series)
    },
    fates: () => (asked ??= ask()),
  }
}
