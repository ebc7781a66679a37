import type { MarketFacts } from '../../domain/market.ts'
import { listOf, textOf, wireOf } from '../fields.ts'
import type { WireEvent, WireSeries } from './wire.ts'

/** Fields that a market takes from its event. */
export interface EventContext {
  readonly eventId: string
  readonly title: string | null
  readonly seriesId: string | null
  readonly category: string | null
  readonly exclusive: boolean
  /**
   * Number of markets seen in the event; with more than one, the title includes the market's own
   * label.
   */
  readonly marketCount: number
}

/** Fields that a market takes from its series. */
export interface SeriesContext {
  readonly seriesId: string
  readonly title: string | null
  readonly category: string | null
  readonly tags: readonly string[]
  readonly rulesUrl: string | null
}

/** Events and series known so far; a market without them is described with fewer fields. */
export interface Catalogue {
  event(eventId: string): EventContext | null
  series(seriesId: string): SeriesContext | null
}

export const emptyCatalogue: Catalogue = { event: () => null, series: () => null }

export function parseEventContext(value: unknown): EventContext | null {
  const wire = wireOf(value) as WireEvent | null
  const eventId = textOf(wire?.event_ticker)
  if (wire === null || eventId === null) return null
  return {
    eventId,
    title: textOf(wire.title),
    seriesId: textOf(wire.series_ticker),
    category: textOf(wire.category),
    exclusive: wire.mutually_exclusive === true,
    marketCount: listOf(wire.markets).length,
  }
}

export function parseSeriesContext(value: unknown): SeriesContext | null {
  const wire = wireOf(value) as WireSeries | null
  const seriesId = textOf(wire?.ticker)
  if (wire === null || seriesId === null) return null
  const tags = [...listOf(wire.tags), ...listOf(wire.categories)].map(textOf)
  return {
    seriesId,
    title: textOf(wire.title),
    category: textOf(wire.category),
    tags: [...new Set(tags.filter((tag) => tag !== null))],
    rulesUrl: textOf(wire.contract_terms_url) ?? textOf(wire.contract_url),
  }
}

/** The series of `GET /series` or `GET /series/{ticker}`; rows without a ticker are left out. */
export function parseSeriesPage(body: unknown): readonly SeriesContext[] {
  const series = wireOf(body)?.['series']
  return (Array.isArray(series) ? series : [series])
    .map(parseSeriesContext)
    .filter((context) => context !== null)
}

/** The catalogue of one walk and all earlier ones. */
export class RememberedCatalogue implements Catalogue {
  readonly #events = new Map<string, EventContext>()
  readonly #series = new Map<string, SeriesContext>()

  event(eventId: string): EventContext | null {
    return this.#events.get(eventId) ?? null
  }

  series(seriesId: string): SeriesContext | null {
    return this.#series.get(seriesId) ?? null
  }

  /** A listing may leave out settled siblings: the largest number of markets seen is kept. */
  addEvent(context: EventContext): EventContext {
    const existing = this.#events.get(context.eventId)?.marketCount ?? 0
    const mergedContext = { ...context, marketCount: Math.max(existing, context.marketCount) }
    this.#events.set(context.eventId, mergedContext)
    return mergedContext
  }

  addSeries(contexts: readonly SeriesContext[]): void {
    for (const context of contexts) this.#series.set(context.seriesId, context)
  }
}

/**
 * Title rule of the unified model: the event's title, with the market's label when there are
 * several.
 */
export function titleOf(
  event: EventContext | null,
  label: string | null,
  marketTitle: string | null,
  ticker: string,
): MarketFacts['title'] {
  if (event === null || event.title === null) return marketTitle ?? label ?? ticker
  if (event.marketCount <= 1) return event.title
  return label === null ? (marketTitle ?? event.title) : `${event.title} - ${label}`
}
