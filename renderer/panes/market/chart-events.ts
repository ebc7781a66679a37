import type { Calendar } from '../../api/context-types.ts'
import type { ChangesPage, Iso } from '../../api/types.ts'

/** What a chart marks beside prices: what decides the market, and how it was decided. */
export interface ChartEvent {
  readonly id: string
  /** Unix seconds. */
  readonly time: number
  readonly at: Iso
  /** In a word or two. */
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
  resolved: ChangesPage | null,
): readonly ChartEvent[] {
  const ahead = (calendar?.events ?? []).map(({ id, kind, title, at, date, timeKnown }) => ({
    ...{ id, at, time: secondsOf(at), title: timeKnown ? title : `${title} (${date})` },
    word: WORDS[kind] ?? kind.replaceAll('_', ' '),
  }))
  const done = (resolved?.changes ?? []).map(({ id, at, title, after }) => ({
    ...{ id, at, time: secondsOf(at), title },
    word: after === null ? 'resolved' : `resolved ${String(after)}`,
  }))
  return [...ahead, ...done].sort((left, right) => left.time - right.time)
}

/** Events that fall into the bar that begins at `start`. */
export const eventsIn = (
  events: readonly ChartEvent[],
  start: number,
  seconds: number,
): readonly ChartEvent[] => events.filter(({ time }) => start <= time && time < start + seconds)
