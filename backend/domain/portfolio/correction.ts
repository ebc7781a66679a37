import type { Millis, MoneyE6 } from '../units.ts'
import type { LedgerEntry, NewLedgerEntry } from './ledger.ts'

/** The fields by which a reversal names the entry that it takes back. */
export type Correctable = Pick<LedgerEntry, 'id' | 'payload'>

/**
 * Id of the entry that a reversal takes back; null for any other entry. A correction is a reversal
 * and, when other values take its place, a new entry; both name the corrected one in
 * `payload.corrects`.
 */
export function reversedId({ payload }: Pick<LedgerEntry, 'payload'>): string | null {
  const { corrects, reversal } = payload
  return reversal === true && typeof corrects === 'string' ? corrects : null
}

/** The entries that count: without those that were taken back, and without their reversals. */
export function withoutReversed<Entry extends Correctable>(
  entries: readonly Entry[],
): readonly Entry[] {
  const reversedIds = new Set(entries.flatMap((entry) => reversedId(entry) ?? []))
  if (reversedIds.size === 0) return entries
  return entries.filter((entry) => reversedId(entry) === null && !reversedIds.has(entry.id))
}

/** The entry that takes another back: the same trade with its cash and its fee returned. */
export function reversalOf(
  correctedEntry: NewLedgerEntry,
  { id, occurredAt, note }: { id: string; occurredAt: Millis; note: string },
): NewLedgerEntry {
  return {
    ...correctedEntry,
    id,
    occurredAt,
    note,
    source: 'reconcile',
    cashDelta: (0 - correctedEntry.cashDelta) as MoneyE6,
    fee: (0 - correctedEntry.fee) as MoneyE6,
    slippage: correctedEntry.slippage === null ? null : ((0 - correctedEntry.slippage) as MoneyE6),
    realized: null,
    key: `${correctedEntry.key}:reversed`,
    payload: { corrects: correctedEntry.id, reversal: true },
  }
}
