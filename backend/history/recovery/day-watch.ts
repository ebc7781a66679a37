import { HOUR } from '../../domain/units.ts'
import type { ContextRows } from '../context-store.ts'
import type { HistoryBatch } from '../history-batch.ts'
import type { WholeHistory } from '../history.ts'
import type { MarketId } from '../market-key.ts'
import { NO_VENUE } from './copied-kinds.ts'
import type { DailyBackups } from './day-copies.ts'
import { dayOf, hourOf, nameOfDay, type DayKey } from './day-files.ts'

/** Rows before these instants affect the file of their day, or of their hour. */
type ClosedHours = Pick<DailyBackups, 'openFrom' | 'openHourFrom'>

/**
 * A history that marks days whose copies become incomplete. It marks them before the rows are
 * stored, so that an incomplete copy never counts as complete, and after, so that a file written in
 * between is written again.
 */
export function withDayWatch(
  history: WholeHistory,
  copies: DailyBackups,
  pathOf: (stagedName: string) => string,
): WholeHistory {
  const noting = async <T>(touchedDays: readonly DayKey[], store: () => Promise<T>): Promise<T> => {
    if (touchedDays.length === 0) return store()
    copies.markChanged(touchedDays)
    const result = await store()
    copies.markChanged(touchedDays)
    return result
  }
  return {
    ...history,
    appendContext: (rows) =>
      noting(
        closedDaysOfContext(rows, copies, (market) => history.keyOf(market).venue),
        () => history.appendContext(rows),
      ),
    append: (batch) =>
      noting(
        closedDaysOf(batch, copies, (market) => history.keyOf(market).venue),
        () => history.append(batch),
      ),
    adopt: async (kind, path, ...rest) =>
      noting(await copies.daysOfStaged(kind, pathOf(path)), () =>
        history.adopt(kind, path, ...rest),
      ),
    adoptFacts: (facts, step) =>
      noting(
        closedDaysOf({ facts }, copies, (market) => history.keyOf(market).venue),
        () => history.adoptFacts(facts, step),
      ),
    storeStatements: (rows, step) =>
      noting(
        closedDaysOf(rows, copies, (market) => history.keyOf(market).venue),
        () => history.storeStatements(rows, step),
      ),
  }
}

/** Closed days and hours of a batch's rows; normally none, determined in one pass. */
function closedDaysOf(
  batch: HistoryBatch,
  closedHours: ClosedHours,
  venueOf: (market: MarketId) => string,
): DayKey[] {
  const { found, touch } = closedKeyCollector(closedHours)
  const openFrom = closedHours.openHourFrom
  for (const kind of ['trades', 'quotes', 'books', 'candles', 'activity'] as const) {
    const rows = batch[kind]
    if (rows === undefined) continue
    for (let i = 0; i < rows.ts.length; i++) {
      const at = rows.ts[i] ?? 0
      if (at < openFrom) touch(kind, venueOf(rows.market[i] ?? 0), at)
    }
  }
  for (const row of batch.facts ?? []) {
    if (row.knownAt < openFrom) touch('facts', venueOf(row.market), row.knownAt)
  }
  for (const row of batch.changes ?? []) {
    if (row.at < openFrom) touch('changes', venueOf(row.market), row.at)
  }
  for (const row of batch.coverage ?? []) {
    if (row.knownAt < openFrom) touch('coverage', row.venue, row.knownAt)
  }
  for (const row of batch.corrections ?? []) {
    if (row.knownAt < openFrom) touch('corrections', venueOf(row.market), row.knownAt)
  }
  return [...found.values()]
}

/** The same for computed rows; days of snapshots are not copied. */
function closedDaysOfContext(
  { indices = [], regimes = [], judgements = [], served = [] }: ContextRows,
  closedHours: ClosedHours,
  venueOf: (market: MarketId) => string,
): DayKey[] {
  const { found, touch } = closedKeyCollector(closedHours)
  for (const row of indices) touch('indices', NO_VENUE, row.at)
  for (const row of served) touch('served', NO_VENUE, row.at)
  for (const row of judgements) touch('judgements', NO_VENUE, row.at)
  for (const row of regimes) touch('regimes', venueOf(row.market), row.at)
  return [...found.values()]
}

/**
 * Collects the keys of rows in closed days and hours, each once. A backfill touches every row, so
 * that a key that is known already costs three lookups.
 */
function closedKeyCollector({ openFrom, openHourFrom }: ClosedHours) {
  const dayKeys = new Map<string, DayKey>()
  const daysByKind = new Map<string, Map<string, Set<number>>>()
  const knownDays = (kind: string, venue: string): Set<number> => {
    const venues = daysByKind.get(kind) ?? new Map<string, Set<number>>()
    const slots = venues.get(venue) ?? new Set<number>()
    daysByKind.set(kind, venues.set(venue, slots))
    return slots
  }
  const markDirty = (kind: string, venue: string, at: number): void => {
    if (at >= openHourFrom) return
    // Days are negative, hours are not.
    const slot = at < openFrom ? -1 - dayOf(at) : Math.floor(at / HOUR)
    const slots = daysByKind.get(kind)?.get(venue) ?? knownDays(kind, venue)
    if (slots.has(slot)) return
    slots.add(slot)
    const dayKey = at < openFrom ? { day: dayOf(at) } : hourOf(at)
    const key: DayKey = { kind, venue, ...dayKey }
    dayKeys.set(nameOfDay(key), key)
  }
  return { found: dayKeys, touch: markDirty }
}
