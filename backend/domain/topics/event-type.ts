import {
  BROAD_CATEGORIES,
  EVENT_TYPE_RULES,
  EVENT_TYPES,
  FALLBACK_CATEGORIES,
  OBSERVABILITY_RULES,
  SERIES_OVERRIDES,
  SERIES_PREFIXES,
  DECISIVE_CATEGORIES,
} from './event-type-rules.ts'
import type { EventType, Observability, SeriesOverride } from './event-type-rules.ts'
import { venueTags } from '../market.ts'
import type { MarketFacts } from '../market.ts'
import { matcherOf } from './topic-matcher.ts'

/** The fields of a market's facts that determine its event type. */
export type EventTexts = Pick<
  MarketFacts,
  'title' | 'eventTitle' | 'seriesTitle' | 'seriesId' | 'category' | 'tags'
>

/** Time to the deciding dates, as known at the instant. */
export interface EventTiming {
  /** Days to close; null when there is none. */
  readonly tau: number | null
  /** Days to the nearest catalyst or the expected resolution (A9); null without a dated event. */
  readonly daysToEvent: number | null
  /** Whether the deciding game has begun. */
  readonly inPlay: boolean
}

export interface EventTypeParams {
  /** Days before which weather is forecast rather than observed. */
  readonly weatherDays: number
  /** Days beyond which a market without a dated event is not observable. */
  readonly farDays: number
}
export const EVENT_TYPE_PARAMS: EventTypeParams = { weatherDays: 2, farDays: 365 }

const matchEventType = matcherOf(EVENT_TYPE_RULES)
const matchObservability = matcherOf(OBSERVABILITY_RULES)
/** A rate beside a central bank's name: "Fed above 4.25%", "ECB 25 bps". */
const RATE_FIGURE = /\b(?:fed|fomc|ecb|boj)\b.*?\d(?:\.\d+)?\s*(?:%|bps?\b|basis)/is

const titlesOf = (texts: EventTexts): string[] => [
  texts.title,
  texts.eventTitle ?? '',
  texts.seriesTitle ?? '',
]

function overrideOf(
  texts: Pick<EventTexts, 'seriesId'>,
  overrides: ReadonlyMap<string, SeriesOverride>,
): SeriesOverride {
  return overrides.get(texts.seriesId?.toUpperCase() ?? '') ?? {}
}

/** The type implied by the longest matching prefix of the series id. */
function typeOfSeries(seriesId: string | null): EventType | null {
  const id = seriesId?.toUpperCase() ?? ''
  for (let length = id.length; length > 0; length--) {
    const type = SERIES_PREFIXES.get(id.slice(0, length))
    if (type !== undefined) return type
  }
  return null
}

/**
 * Event type of a market, methodology A10: the override of its series, otherwise the first matching
 * evidence: series id, category, tags, words of the titles (in the order of the rules). A broad
 * category such as politics takes precedence over words, unless they name a scheduled figure.
 */
export function eventTypeOf(
  texts: EventTexts,
  overrides: ReadonlyMap<string, SeriesOverride> = SERIES_OVERRIDES,
): EventType {
  const override = overrideOf(texts, overrides).eventType ?? typeOfSeries(texts.seriesId)
  if (override !== null) return override
  const titles = titlesOf(texts)
  const byWords = matchEventType(titles)
  if (titles.some((title) => RATE_FIGURE.test(title.slice(0, 400)))) byWords.set('data_release', 1)
  const decisive = DECISIVE_CATEGORIES.get(texts.category)
  if (decisive !== undefined) return decisive
  const broad = BROAD_CATEGORIES.get(texts.category)
  if (broad !== undefined) return byWords.has('data_release') ? 'data_release' : broad
  for (const tag of venueTags(texts)) {
    const type = DECISIVE_CATEGORIES.get(tag.toLowerCase())
    if (type !== undefined) return type
  }
  const eventType = EVENT_TYPES.find((type) => type !== 'cultural' && byWords.has(type))
  return eventType ?? FALLBACK_CATEGORIES.get(texts.category) ?? 'cultural'
}

/**
 * Observability of a market of a type, methodology A10: the override of its series, otherwise the
 * first rule from direct to medium, then none for a question without a date or about existence,
 * then low for private decisions.
 */
export function observabilityOf(
  texts: EventTexts,
  type: EventType,
  timing: EventTiming,
  overrides: ReadonlyMap<string, SeriesOverride> = SERIES_OVERRIDES,
  params: EventTypeParams = EVENT_TYPE_PARAMS,
): Observability {
  const override = overrideOf(texts, overrides).observability
  if (override !== undefined) return override
  const words = matchObservability(titlesOf(texts))
  const { tau, daysToEvent, inPlay } = timing
  if (type === 'financial') return words.has('filed') ? 'medium' : 'direct'
  if (type === 'sports') return inPlay ? 'direct' : 'high'
  if (type === 'weather')
    return isWithin(params.weatherDays, daysToEvent ?? tau) ? 'direct' : 'high'
  if (type === 'data_release') return 'high'
  if (words.has('counted')) return 'medium'
  if (words.has('existence')) return 'none'
  return daysToEvent === null && !isWithin(params.farDays, tau) ? 'none' : 'low'
}

const isWithin = (days: number, left: number | null): boolean => left !== null && left <= days
