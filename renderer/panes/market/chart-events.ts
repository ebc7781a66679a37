import type { Calendar } from '../../../backend/contract/edges.ts'
import type { ChangesAnswer } from '../../../backend/contract/market-history.ts'
import type { Iso } from '../../../backend/contract/schemas.ts'

/** Events that a chart marks: catalysts and settlement. */
export interface ChartEvent {
  readonly id: string
  /** Unix seconds. */
  readonly time: number
  readonly at: Iso
  /** A short label. */
  readonly word: string
  readonly title: string
}

const WORDS: Readonly<Record<string, string>> = {
  resolution: 'resolves',
  econ_release: 'release',
  gov_action: 'vote',
  election: 'election',
  fed_meeting: 'Fed',
  custom: 'date',
}
const secondsOf = (at: Iso): number => Date.parse(at) / 1000

/** Catalysts of a market and its own resolution, the earliest first. */
export function chartEvents(
  calendar: Calendar | null,
  resolved: ChangesAnswer | null,
): readonly ChartEvent[] {
  const ahead = (calendar?.events ?? []).map(({ id, kind, title, at, date, timeKnown }) => ({
    id,
    at,
    time: secondsOf(at),
    title: timeKnown ? title : `${title} (${date})`,
    word: WORDS[kind] ?? kind.replaceAll('_', ' '),
  }))
  const done = (resolved?.changes ?? []).map(({ id, at, title, after }) => ({
    id,
    at,
    time: secondsOf(at),
    title,
    word: after === null ? 'resolved' : `resolved ${String(after)}`,
  }))
  return [...ahead, ...done].sort((left, right) => left.time - right.time)
}

/** Events inside the bar that begins at `start`. */
export const eventsIn = (
  events: readonly ChartEvent[],
  start: number,
  seconds: number,
): readonly ChartEvent[] => events.filter(({ time }) => start <= time && time < start + seconds)

const counted = (count: number, one: string, many: string): readonly string[] =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`]

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
    ...counted(gaps, 'feed gap', 'feed gaps'),
    ...counted(dates, 'marked date', 'marked dates'),
  ].join(', ')
