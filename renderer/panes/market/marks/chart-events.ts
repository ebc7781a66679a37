import type { Calendar } from '../../../../backend/contract/edges.ts'
import type { ChangesAnswer } from '../../../../backend/contract/market-history.ts'
import type { LedgerPage, ServedEntry } from '../../../../backend/contract/portfolio.ts'
import type { Iso } from '../../../../backend/contract/schemas.ts'
import type { ThesesByTicker, ThesisFeed } from '../../../../backend/contract/theses/reads.ts'
import type { MarkKind } from '../../../charts/mark-kinds.ts'
import { formatCents, formatNumber } from '../../../lib/format.ts'
import { formatProbability } from '../../theses/thesis-labels.ts'
import { changeText } from '../../lists/change-text.ts'

/** Details of a fill's mark: its YES price and its direction. */
export interface MarkedFill {
  /** Cents of YES. */
  readonly price: number
  readonly side: 'yes' | 'no'
  readonly action: 'buy' | 'sell'
}

/** An event that a chart marks. */
export interface ChartEvent {
  readonly id: string
  /** Null for fills of a backtest, which have a switch of their own. */
  readonly kind: MarkKind | null
  /** Unix seconds. */
  readonly time: number
  readonly at: Iso
  /** A short label. */
  readonly label: string
  readonly title: string
  /** One of many: marked without a line and a label. */
  readonly isMinor: boolean
  readonly fill: MarkedFill | null
  /** The evaluated thesis; null for other events. */
  readonly thesis: string | null
}

const EVENT_LABELS: Readonly<Record<string, string>> = {
  resolution: 'resolves',
  econ_release: 'release',
  gov_action: 'vote',
  election: 'election',
  fed_meeting: 'Fed',
  custom: 'date',
}
const secondsOf = (at: Iso): number => Date.parse(at) / 1000

/** An event at an instant with no fill and no thesis. */
const eventAt = (id: string, kind: MarkKind, at: Iso) => ({
  id,
  kind,
  at,
  time: secondsOf(at),
  isMinor: kind === 'change',
  fill: null,
  thesis: null,
})

/** Economic releases, votes and other dates that decide a market, and its resolution date. */
export const datesOf = (calendar: Calendar | null): readonly ChartEvent[] =>
  (calendar?.events ?? []).map(({ id, kind, title, at, date, timeKnown }) => ({
    ...eventAt(id, kind === 'resolution' ? 'settlement' : 'release', at),
    title: timeKnown ? title : `${title} (${date})`,
    label: EVENT_LABELS[kind] ?? kind.replaceAll('_', ' '),
  }))

/** How a market settled. */
export const settlementsOf = (resolutions: ChangesAnswer | null): readonly ChartEvent[] =>
  (resolutions?.changes ?? []).map(({ id, at, title, after }) => ({
    ...eventAt(id, 'settlement', at),
    title,
    label: after === null ? 'resolved' : `resolved ${String(after)}`,
  }))

/** Moves, status changes and other changes of a market; its resolution is a settlement. */
export const changesOf = (changes: ChangesAnswer | null): readonly ChartEvent[] =>
  (changes?.changes ?? [])
    .filter(({ type }) => type !== 'resolved')
    .map((change) => ({
      ...eventAt(change.id, 'change', change.at),
      title: changeText(change),
      label: change.type.replaceAll('_', ' '),
    }))

/** Evaluations of the user's theses that have an edge in the market. */
export function evaluationsOf(
  linkedTheses: ThesesByTicker | null,
  feed: ThesisFeed | null,
): readonly ChartEvent[] {
  const ids = new Set((linkedTheses?.theses ?? []).map(({ thesisId }) => thesisId))
  return (feed?.feed ?? [])
    .filter(({ thesisId }) => ids.has(thesisId))
    .map(({ id, thesisId, title, evaluatedAt, confidence, summary }) => ({
      ...eventAt(id, 'thesis', evaluatedAt),
      title: `${title}: ${formatProbability(confidence)}. ${summary}`,
      label: confidence === null ? 'evaluated' : formatProbability(confidence),
      thesis: thesisId,
    }))
}

function fillOf({ action, direction, priceCents }: ServedEntry): MarkedFill | null {
  if (action === null || direction === null || priceCents === null) return null
  return { action, side: direction, price: direction === 'yes' ? priceCents : 100 - priceCents }
}

/** The user's fills in a market, at the price of YES. */
export const fillsOf = (page: LedgerPage | null): readonly ChartEvent[] =>
  (page?.data ?? []).flatMap((entry): readonly ChartEvent[] => {
    const fill = fillOf(entry)
    if (fill === null) return []
    const { id, occurredAt, quantity, priceCents, mode } = entry
    const side = `${fill.action} ${fill.side.toUpperCase()}`
    return [
      {
        ...eventAt(id, 'fill', occurredAt),
        label: side,
        title: `${side} ${formatNumber(quantity)} at ${formatCents(priceCents)}, ${mode}`,
        fill,
      },
    ]
  })

/**
 * The events of a chart in order of time, without those of hidden kinds. A chart of a past instant
 * shows none after that instant, scheduled ones included.
 */
export function visibleEventsOf(
  events: readonly ChartEvent[],
  hiddenKinds: readonly MarkKind[],
  asOf: Iso | null,
): readonly ChartEvent[] {
  const latest = asOf === null ? Infinity : secondsOf(asOf)
  return events
    .filter(({ kind, time }) => time <= latest && (kind === null || !hiddenKinds.includes(kind)))
    .sort((left, right) => left.time - right.time)
}

/** Events inside the bar that begins at `start`. */
export const eventsIn = (
  events: readonly ChartEvent[],
  start: number,
  seconds: number,
): readonly ChartEvent[] => events.filter(({ time }) => start <= time && time < start + seconds)

const countText = (count: number, singular: string, plural: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? singular : plural}`]

/** One sentence that describes a chart. */
export const chartLabel = (
  title: string | null,
  timeframe: string,
  { bars, dates, gaps }: Readonly<Record<'bars' | 'dates' | 'gaps', number>>,
): string =>
  [
    `Price of ${title ?? 'the market'}`,
    timeframe,
    `${bars} bars`,
    ...countText(gaps, 'feed gap', 'feed gaps'),
    ...countText(dates, 'marked date', 'marked dates'),
  ].join(', ')
