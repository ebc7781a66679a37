import type { Transaction } from 'kysely'
import {
  paperSettlementKey,
  withoutReplaced,
  type LedgerEntry,
  type NewLedgerEntry,
} from '../../../domain/portfolio/ledger.ts'
import { CorrectedFold } from '../../../domain/portfolio/corrected-fold.ts'
import type { Millis, MoneyE6 } from '../../../domain/units.ts'
import { insertRows, listOf } from '../../../state/many-rows.ts'
import type { State } from '../../../state/open.ts'
import type { StateSchema } from '../../../state/schema.ts'
import { writeJournal } from '../autopilot/trades.store.ts'
import { ledgerRowOf, TRADE_EVENTS } from '../ledger.store.ts'
import { ensureRow } from '../portfolio.store.ts'
import {
  amendedSettlement,
  isOfKey,
  isOnlyPayout,
  SettlementResults,
} from './amended-settlements.ts'
import { isSameContent } from './imported-row.ts'

/**
 * Indices of the given entries that were stored, that were there, whose key has other values, and
 * that came after the paper broker settled their market.
 */
export interface ImportOutcome {
  readonly inserted: readonly number[]
  readonly duplicates: readonly number[]
  readonly conflicts: readonly number[]
  readonly late: readonly number[]
}

export interface ImportStore {
  /**
   * Stores entries of one account whose keys are new, numbered in the given order, and recomputes what later
   * entries of their markets realised, all in one transaction. A settlement of a market that has
   * one already changes its result: it is booked with a reversal of the other.
   * @param isDry only reports what would happen
   */
  insertEntries(
    userId: string,
    entries: readonly NewLedgerEntry[],
    at: Millis,
    isDry: boolean,
  ): Promise<ImportOutcome>
}

export function createImportStore(state: State): ImportStore {
  return {
    insertEntries: (userId, entries, at, isDry) =>
      state.transaction().execute(async (transaction) => {
        const storedEntries = new Map<string, NewLedgerEntry>()
        const settlements = new Set(entries.flatMap(paperSettlementOf))
        const lookedUp = [...new Set([...entries.map(({ key }) => key), ...settlements])]
        const storedRows = await transaction
          .selectFrom('ledger_entry')
          .select('entry')
          .where('user_id', '=', userId)
          .where('key', 'in', listOf(lookedUp))
          .execute()
        for (const entry of storedRows.map(entryIn)) storedEntries.set(entry.key, entry)
        const storedSettlements = new Set([...settlements].filter((key) => storedEntries.has(key)))
        const results = await settlementsOf(transaction, userId, entries.filter(isOnlyPayout))
        const outcome = {
          inserted: [] as number[],
          duplicates: [] as number[],
          conflicts: [] as number[],
          late: [] as number[],
        }
        const newEntries: NewLedgerEntry[] = []
        const add = (index: number, newLedgerEntries: readonly NewLedgerEntry[]): void => {
          for (const entry of newLedgerEntries) {
            storedEntries.set(entry.key, entry)
            results.add(entry)
          }
          newEntries.push(...newLedgerEntries)
          outcome.inserted.push(index)
        }
        for (const [index, entry] of entries.entries()) {
          const previous = storedEntries.get(entry.key)
          const isSettled = paperSettlementOf(entry).some((key) => storedSettlements.has(key))
          const current = isOnlyPayout(entry) ? results.current(entry) : null
          if (previous === undefined && isSettled) outcome.late.push(index)
          else if (previous === undefined) {
            add(index, current === null ? [entry] : amendedSettlement(entry, current))
          } else if (current !== null && isSameContent(current, entry)) {
            outcome.duplicates.push(index)
          } else if (current !== null && isReread(entry, current)) {
            const key = results.nextKey(entry.key)
            add(index, amendedSettlement({ ...entry, key }, current))
          } else if (isSettled || isSameContent(previous, entry)) outcome.duplicates.push(index)
          else outcome.conflicts.push(index)
        }
        if (!isDry && newEntries.length > 0) await insert(transaction, userId, newEntries, at)
        return outcome
      }),
  }
}

/** Key of the paper settlement of an entry's market; none for the live account. */
const paperSettlementOf = ({ mode, epoch, ticker }: NewLedgerEntry): string[] =>
  mode === 'live' || ticker === null ? [] : [paperSettlementKey(epoch, ticker)]

/** Whether the venue itself reports a result of a settlement again; files never change one. */
const isReread = (entry: NewLedgerEntry, current: NewLedgerEntry): boolean =>
  entry.source === 'reconcile' && isOfKey(current, entry.key)

/** The settlements of the markets and the account of new ones. */
async function settlementsOf(
  transaction: Transaction<StateSchema>,
  userId: string,
  entries: readonly NewLedgerEntry[],
): Promise<SettlementResults> {
  const [first] = entries
  if (first === undefined) return new SettlementResults([])
  const tickers = [...new Set(entries.flatMap(({ ticker }) => ticker ?? []))]
  const rows = await transaction
    .selectFrom('ledger_entry')
    .select('entry')
    .where('user_id', '=', userId)
    .where('mode', '=', first.mode)
    .where('epoch', '=', first.epoch)
    .where('ticker', 'in', listOf(tickers))
    .where('event_type', '=', 'settlement')
    .orderBy('seq')
    .execute()
  return new SettlementResults(rows.map(entryIn))
}

async function insert(
  transaction: Transaction<StateSchema>,
  userId: string,
  newEntries: readonly NewLedgerEntry[],
  at: Millis,
): Promise<void> {
  await ensureRow(transaction, userId, at)
  const { last_seq: last } = await transaction
    .updateTable('portfolio')
    .set(({ eb }) => ({ last_seq: eb('last_seq', '+', newEntries.length) }))
    .where('user_id', '=', userId)
    .returning('last_seq')
    .executeTakeFirstOrThrow()
  const first = last - newEntries.length + 1
  const writtenEntries = newEntries.map((entry, n): LedgerEntry => {
    return { ...entry, userId, seq: first + n, recordedAt: at }
  })
  const [{ mode, epoch }] = writtenEntries as [LedgerEntry, ...LedgerEntry[]]
  const tickers = [
    ...new Set(writtenEntries.flatMap(({ ticker }) => (ticker === null ? [] : [ticker]))),
  ]
  const changedEntries: LedgerEntry[] = []
  const entryRows = await transaction
    .selectFrom('ledger_entry')
    .select('entry')
    .where('user_id', '=', userId)
    .where('mode', '=', mode)
    .where('epoch', '=', epoch)
    .where('ticker', 'in', listOf(tickers))
    .where('event_type', 'in', TRADE_EVENTS)
    .execute()
  const previous = entryRows.map(entryIn)
  const realized = realizedByEach([...previous, ...writtenEntries])
  const withRealized = (entry: LedgerEntry): LedgerEntry => {
    return { ...entry, realized: realized.get(entry.seq) ?? null }
  }
  for (const entry of previous) {
    if (entry.realized !== withRealized(entry).realized) changedEntries.push(withRealized(entry))
  }
  await insertRows(
    transaction,
    'ledger_entry',
    writtenEntries.map((entry) => ledgerRowOf(withRealized(entry))),
  )
  for (const entry of changedEntries) {
    await transaction
      .updateTable('ledger_entry')
      .set({ entry: JSON.stringify(entry) })
      .where('user_id', '=', userId)
      .where('seq', '=', entry.seq)
      .execute()
  }
  const scope = { userId, mode, epoch, tickers: new Set(tickers) }
  await writeJournal(transaction, scope, at, [...previous, ...writtenEntries])
}

/**
 * Realised profit of each entry of several markets, by its number; replaced entries are left out.
 */
function realizedByEach(entries: readonly LedgerEntry[]): Map<number, MoneyE6 | null> {
  const folds = new Map<string | null, CorrectedFold>()
  const sortedEntries = entries.toSorted((a, b) => a.occurredAt - b.occurredAt || a.seq - b.seq)
  return new Map(
    withoutReplaced(sortedEntries).map((entry) => {
      const fold = folds.get(entry.ticker) ?? new CorrectedFold()
      folds.set(entry.ticker, fold)
      return [entry.seq, fold.apply(entry)]
    }),
  )
}

const entryIn = ({ entry }: { entry: string }): LedgerEntry => JSON.parse(entry) as LedgerEntry
