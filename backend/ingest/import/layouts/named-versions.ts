import { categoryOf } from '../../../domain/topics/topics.ts'
import type { MarketFacts } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import type { FactsRow } from '../../../history/history-batch.ts'
import type { MarketRecord } from '../../../history/market-rows.ts'
import { titleOf } from '../../../venues/venue-a/catalogue.ts'
import type { EventTitle, SeriesTitle, TitleStatus } from './titles.ts'

interface Titles {
  readonly events: readonly EventTitle[]
  readonly series: readonly SeriesTitle[]
}

/** Missing facts of a market that its event and its series can supply. */
interface MissingTitles {
  readonly event: EventTitle | null
  readonly series: SeriesTitle | null
}

/**
 * The versions that add the titles of events and series to markets. Stored versions stay: each
 * version that lacks a title gets a further one, a millisecond later, so that a market is named
 * from the instant it was known and is not named twice by the same file.
 * @param versions all versions of the markets, in any order
 */
export function namedVersions(
  versions: readonly MarketRecord[],
  titles: Titles,
): {
  readonly rows: readonly FactsRow[]
  readonly statuses: { readonly events: TitleStatus[]; readonly series: TitleStatus[] }
} {
  const events = new Map(titles.events.map((event) => [event.eventId, event]))
  const series = new Map(titles.series.map((seriesTitle) => [seriesTitle.seriesId, seriesTitle]))
  const siblings = new Map<string, Set<number>>()
  const instants = new Set<string>()
  for (const { market, facts, knownAt } of versions) {
    const members = siblings.get(facts.eventId) ?? new Set()
    siblings.set(facts.eventId, members.add(market))
    instants.add(`${market} ${knownAt}`)
  }
  const status = { events: new Map<string, TitleStatus>(), series: new Map<string, TitleStatus>() }
  const countMissing = (kind: 'events' | 'series', id: string | null, isNew: boolean): void => {
    if (id === null) return
    if (isNew) status[kind].set(id, 'taken')
    else if (!status[kind].has(id)) status[kind].set(id, 'known')
  }
  const rows: FactsRow[] = []
  for (const { market, facts, knownAt } of versions) {
    const event = events.get(facts.eventId) ?? null
    const seriesTitle = series.get(facts.seriesId ?? event?.seriesId ?? '') ?? null
    if (event === null && seriesTitle === null) continue
    const missing: MissingTitles = {
      event: facts.eventTitle === null ? event : null,
      series:
        facts.seriesTitle === null && seriesTitle !== null && seriesTitle.title !== null
          ? seriesTitle
          : null,
    }
    const isNamed = instants.has(`${market} ${knownAt + 1}`)
    const isNew = !isNamed && (missing.event !== null || missing.series !== null)
    if (event !== null) countMissing('events', event.eventId, isNew && missing.event !== null)
    if (seriesTitle !== null)
      countMissing('series', seriesTitle.seriesId, isNew && missing.series !== null)
    if (!isNew) continue
    const count = siblings.get(facts.eventId)?.size ?? 1
    rows.push({
      market,
      knownAt: (knownAt + 1) as Millis,
      facts: withTitles(facts, missing, count),
    })
  }
  return {
    rows,
    statuses: {
      events: titles.events.map(({ eventId }) => status.events.get(eventId) ?? 'no such market'),
      series: titles.series.map(({ seriesId }) => status.series.get(seriesId) ?? 'no such market'),
    },
  }
}

function withTitles(
  facts: MarketFacts,
  { event, series }: MissingTitles,
  marketCount: number,
): MarketFacts {
  const category = series?.category ?? event?.category ?? null
  const titledFacts =
    event === null
      ? facts
      : {
          ...facts,
          title: titleOf(
            { ...event, exclusive: event.exclusive === true, marketCount },
            facts.subtitle,
            facts.title,
            facts.ticker,
          ),
          eventTitle: event.title,
          exclusive: event.exclusive ?? facts.exclusive,
          seriesId: facts.seriesId ?? event.seriesId,
        }
  return {
    ...titledFacts,
    seriesTitle: series?.title ?? facts.seriesTitle,
    seriesId: titledFacts.seriesId ?? series?.seriesId ?? null,
    tags: facts.tags.length === 0 && series !== null ? series.tags : facts.tags,
    rulesUrl: facts.rulesUrl ?? series?.rulesUrl ?? null,
    category: category === null ? facts.category : categoryOf(category),
  }
}
