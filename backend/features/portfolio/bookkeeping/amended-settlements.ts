import { reversalOf, reversedId } from '../../../domain/portfolio/correction.ts'
import type { NewLedgerEntry } from '../../../domain/portfolio/ledger.ts'
import type { Venue } from '../../../domain/venue.ts'
import { newId } from '../../../lib/ids.ts'

/** Venues that pay a market once: another settlement of it states a changed result. */
const PAYS_ONCE: readonly (Venue | null)[] = ['venue_a']

/** Whether at most one settlement of the market of an entry can count. */
export const isOnlyPayout = ({ eventType, mode, venue }: NewLedgerEntry): boolean =>
  eventType === 'settlement' && mode === 'live' && PAYS_ONCE.includes(venue)

/** Settlements of the markets of an account, of which the newest result of each counts. */
export class SettlementResults {
  readonly #entries: NewLedgerEntry[] = []

  constructor(storedEntries: readonly NewLedgerEntry[]) {
    this.#entries.push(...storedEntries)
  }

  add(entry: NewLedgerEntry): void {
    this.#entries.push(entry)
  }

  /** The settlement of an entry's market that counts; null before the first. */
  current({ ticker, epoch }: NewLedgerEntry): NewLedgerEntry | null {
    const marketEntries = this.#entries.filter(
      (entry) => isOnlyPayout(entry) && entry.ticker === ticker && entry.epoch === epoch,
    )
    const reversedIds = new Set(marketEntries.flatMap((entry) => reversedId(entry) ?? []))
    const counts = ({ id, payload }: NewLedgerEntry): boolean =>
      reversedId({ payload }) === null && !reversedIds.has(id)
    return marketEntries.findLast(counts) ?? null
  }

  /** The key of a changed result that the venue reports under the key of the first. */
  nextKey(key: string): string {
    const reportedSettlements = this.#entries.filter(
      (entry) => entry.key === key || (isAmendmentOf(entry, key) && reversedId(entry) === null),
    )
    return `${key}:${reportedSettlements.length + 1}`
  }
}

/** Whether an entry is under a key, or a changed result of it. */
export const isOfKey = (entry: NewLedgerEntry, key: string): boolean =>
  entry.key === key || isAmendmentOf(entry, key)
const isAmendmentOf = (entry: NewLedgerEntry, key: string): boolean =>
  entry.key.startsWith(`${key}:`)

/**
 * The entries of a settlement whose market has one already: the result of the later time counts,
 * and the other is taken back then.
 */
export function amendedSettlement(
  entry: NewLedgerEntry,
  current: NewLedgerEntry,
): NewLedgerEntry[] {
  const [earlierEntry, laterEntry] =
    entry.occurredAt < current.occurredAt ? [entry, current] : [current, entry]
  const { occurredAt } = laterEntry
  const entryFields = {
    id: newId('ple', occurredAt),
    occurredAt,
    note: 'the venue changed the result',
  }
  const reversal = reversalOf(earlierEntry, entryFields)
  if (earlierEntry === entry) return [entry, reversal]
  const payload = { ...entry.payload, corrects: current.id }
  return [reversal, { ...entry, source: 'reconcile', payload }]
}
