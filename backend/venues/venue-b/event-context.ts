import { idOf, listOf, pick, scaledOf, textOf, wireOf, type Wire } from '../fields.ts'
import type { MoneyE6 } from '../../domain/units.ts'

export interface Tag {
  readonly label: string
  readonly slug: string
}

/** Fields that a market takes from its event. */
export interface EventContext {
  readonly eventId: string
  readonly title: string | null
  readonly seriesId: string | null
  readonly seriesTitle: string | null
  readonly category: string | null
  readonly tags: readonly Tag[]
  readonly exclusive: boolean
  /**
   * Dollars of the whole event; null when not stated. A stated 0 means "not computed" at this
   * venue.
   */
  readonly openInterest: MoneyE6 | null
  readonly marketCount: number
}

/**
 * Labels of the venue's main sections. The first of them among an event's tags is its category;
 * the others are themes, places and housekeeping.
 */
const TOP_LEVEL: ReadonlySet<string> = new Set(
  [
    'politics sports crypto finance geopolitics earnings tech technology culture pop-culture world',
    'economy economics elections us-politics mentions climate weather climate-and-weather science',
    'science-and-technology climate-and-science business esports entertainment health',
  ].flatMap((line) => line.split(' ')),
)

export function parseEventContext(value: unknown): EventContext | null {
  const wire = wireOf(value)
  const eventId = idOf(wire?.['id'])
  if (wire === null || eventId === null) return null
  const series = wireOf(listOf(wire['series'])[0])
  const openInterest = scaledOf(wire['openInterest'], 6)
  return {
    eventId,
    title: textOf(wire['title']),
    seriesId: idOf(series?.['id']),
    seriesTitle: textOf(series?.['title']),
    category: textOf(wire['category']),
    tags: parseTags(wire['tags']),
    exclusive: pick(wire, 'negRisk', 'neg_risk') === true,
    openInterest: openInterest !== null && openInterest > 0 ? (openInterest as MoneyE6) : null,
    marketCount: listOf(wire['markets']).length,
  }
}

/** Tags as the venue sends them, or bare labels as in socket messages and some collectors. */
export function parseTags(value: unknown): readonly Tag[] {
  return listOf(value)
    .map((row) => {
      const wire: Wire = wireOf(row) ?? { label: row }
      const label = textOf(wire['label'])
      if (label === null) return null
      return { label, slug: textOf(wire['slug']) ?? slugOfLabel(label) }
    })
    .filter((tag) => tag !== null)
}

const slugOfLabel = (label: string): string =>
  label
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')

/** The first label of a main section, else the stated category; null for neither. */
export const categoryText = (tags: readonly Tag[], category: string | null): string | null =>
  tags.find((tag) => TOP_LEVEL.has(tag.slug))?.label ?? category
