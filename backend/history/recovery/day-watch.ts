import type { ContextRows } from '../context-store.ts'
import type { HistoryBatch } from '../history-batch.ts'
import type { WholeHistory } from '../history.ts'
import type { MarketId } from '../market-key.ts'
import { NO_VENUE } from './copied-kinds.ts'
import type { DayCopies } from './day-copies.ts'
import { dayOf, type DayKey } from './day-files.ts'

/**
 * A history that notes rows which arrive for days that are copied already. They are noted before they
 * are stored, so that a copy is never believed to be whole when it is not, and after, so that a file
 * written in between is written again.
 */
export function withDayWatch(
  history: WholeHistory,
  copies: DayCopies,
  pathOf: (staged: string) => string,
): WholeHistory {
  const noting = async <T>(touched: readonly DayKey[], store: () => Promise<T>): Promise<T> => {
    if (touched.length === 0) return store()
    copies.noteRows(touched)
    const result = await store()
    copies.noteRows(touched)
    return result
  }
  return {
    ...history,
    appendContext: (rows) =>
      noting(
        closedDaysOfContext(rows, copies.openFrom, (market) => history.keyOf(market).venue),
        () => history.appendContext(rows),
      ),
    append: (batch) =>
      noting(
        closedDaysOf(batch, copies.openFrom, (market) => history.keyOf(market).venue),
        () => history.append(batch),
      ),
    adopt: async (kind, path, ...rest) =>
      noting(await copies.daysOfStaged(kind, pathOf(path)), () =>
        history.adopt(kind, path, ...rest),
      ),
    adoptFacts: (facts) =>
      noting(
        closedDaysOf({ facts }, copies.openFrom, (market) => history.keyOf(market).venue),
        () => history.adoptFacts(facts),
      ),
    adoptStated: (rows) =>
      noting(
        closedDaysOf(rows, copies.openFrom, (market) => history.keyOf(market).venue),
        () => history.adoptStated(rows),
      ),
  }
}

/** Days before `openFrom` that a batch has rows of; in steady state none, found by one pass. */
function closedDaysOf(
  batch: HistoryBatch,
  openFrom: number,
  venueOf: (market: MarketId) => string,
): DayKey[] {
  const found = new Map<string, DayKey>()
  const touch = (kind: string, venue: string, at: number): void => {
    const key = { kind, venue, day: dayOf(at) }
    found.set(`${kind} ${venue} ${key.day}`, key)
  }
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
  openFrom: number,
  venueOf: (market: MarketId) => string,
): DayKey[] {
  const found = new Map<string, DayKey>()
  const touch = (kind: string, venue: string, at: number): void => {
    if (at < openFrom) found.set(`${kind} ${venue} ${dayOf(at)}`, { kind, venue, day: dayOf(at) })
  }
  for (const row of indices) touch('indices', NO_VENUE, row.at)
  for (const row of served) touch('served', NO_VENUE, row.at)
  for (const row of judgements) touch('judgements', NO_VENUE, row.at)
  for (const row of regimes) touch('regimes', venueOf(row.market), row.at)
  return [...found.values()]
}
