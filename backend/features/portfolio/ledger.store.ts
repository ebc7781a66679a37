import { sql } from 'kysely'
import type { Intent, IntentStatus } from '../../domain/portfolio/intent.ts'
import {
  withoutReplaced,
  type LedgerEntry,
  type LedgerEvent,
  type Mode,
  type NewLedgerEntry,
} from '../../domain/portfolio/ledger.ts'
import type { Millis, MoneyE6 } from '../../domain/units.ts'
import { StoreFailed } from '../../lib/errors.ts'
import { insertRows } from '../../state/many-rows.ts'
import type { State } from '../../state/open.ts'
import type { Tick } from '../../domain/portfolio/tick.ts'
import { insertTick, writeTick } from './autopilot/ticks.store.ts'
import { writeJournals } from './autopilot/trades.store.ts'
import { ensureRow } from './portfolio.store.ts'
import { rowsAfter } from '../../state/rows-after.ts'

/** Filter of ledger entries; null for all. */
export interface LedgerFilter {
  readonly since: Millis | null
  readonly until: Millis | null
  readonly events: readonly LedgerEvent[] | null
  readonly venue: string | null
  readonly ticker: string | null
  readonly source: string | null
  readonly confidence: string | null
  readonly mode: Mode | null
  /** Entries of one thesis, of none with `none`; all when null or absent. */
  readonly thesisId?: string | null
}

/** Changes that are written atomically. */
export interface Booking {
  /** The next state of the intent, and the state it must be in before. */
  readonly intent?: { readonly next: Intent; readonly from: IntentStatus }
  readonly entries?: readonly NewLedgerEntry[]
  /** The next state of the tick that the entries belong to. */
  readonly tick?: Tick
  /** A tick that begins with the entries. */
  readonly newTick?: Tick
}

export interface LedgerStore {
  /**
   * Writes a booking, and the trades that follow from its entries.
   * @throws StoreFailed if the intent was changed in the meantime; nothing is written then
   */
  book(userId: string, booking: Booking, at: Millis): Promise<LedgerEntry[]>
  page(
    userId: string,
    filter: LedgerFilter,
    order: 'asc' | 'desc',
    /** Time and number of the entry before. */
    after: { readonly at: number; readonly id: number } | null,
    max: number,
  ): Promise<LedgerEntry[]>
  /** Fills and settlements of an account that count, oldest first; optionally of one market. */
  trades(
    userId: string,
    account: { readonly mode: Mode; readonly epoch: number },
    ticker?: string,
  ): Promise<readonly LedgerEntry[]>
  /** Cash change of an account over all time. */
  cashOf(userId: string, account: { readonly mode: Mode; readonly epoch: number }): Promise<MoneyE6>
  /** When an account last closed anything at a loss that counts; null if it never did. */
  lastLossAt(
    userId: string,
    account: { readonly mode: Mode; readonly epoch: number },
  ): Promise<Millis | null>
  /** Users who have traded on paper. */
  paperUsers(): Promise<string[]>
}

const THESIS_OF_ENTRY = sql<string | null>`json_extract(entry, '$.thesisId')`
const REALIZED_PNL = sql<number | null>`json_extract(entry, '$.realized')`
const ENTRY_ID = sql<string>`json_extract(entry, '$.id')`
const CORRECTED_ENTRY_ID = sql<string>`json_extract(entry, '$.payload.corrects')`
const IS_REVERSAL = sql<number | null>`json_extract(entry, '$.payload.reversal')`
/** Entries that change a position. */
export const TRADE_EVENTS: readonly LedgerEvent[] = ['fill', 'settlement']
const entryOf = ({ entry }: { entry: string }): LedgerEntry => JSON.parse(entry) as LedgerEntry

export function createLedgerStore(state: State): LedgerStore {
  return {
    book: (userId, { intent, entries = [], tick, newTick }, at) =>
      state.transaction().execute(async (transaction) => {
        if (intent !== undefined) {
          const { next, from } = intent
          const { numUpdatedRows } = await transaction
            .updateTable('intent')
            .set({ status: next.status, record: JSON.stringify(next) })
            .where('id', '=', next.id)
            .where('user_id', '=', userId)
            .where('status', '=', from)
            .executeTakeFirst()
          if (numUpdatedRows !== 1n) throw new StoreFailed(`intent ${next.id} is no longer ${from}`)
        }
        if (tick !== undefined) await writeTick(transaction, tick)
        if (newTick !== undefined) await insertTick(transaction, newTick)
        if (entries.length === 0) return []
        await ensureRow(transaction, userId, at)
        const { last_seq: last } = await transaction
          .updateTable('portfolio')
          .set(({ eb }) => ({ last_seq: eb('last_seq', '+', entries.length) }))
          .where('user_id', '=', userId)
          .returning('last_seq')
          .executeTakeFirstOrThrow()
        const first = last - entries.length + 1
        const writtenEntries = entries.map((entry, n): LedgerEntry => {
          return { ...entry, userId, seq: first + n, recordedAt: at }
        })
        await insertRows(transaction, 'ledger_entry', writtenEntries.map(ledgerRowOf))
        await writeJournals(transaction, writtenEntries, at)
        return writtenEntries
      }),
    async page(userId, filter, order, after, max) {
      let query = state.selectFrom('ledger_entry').select('entry').where('user_id', '=', userId)
      const { since, until, events, venue, ticker, source, confidence, mode } = filter
      const { thesisId = null } = filter
      if (since !== null) query = query.where('occurred_at', '>=', since)
      if (until !== null) query = query.where('occurred_at', '<', until)
      if (events !== null) query = query.where('event_type', 'in', events)
      if (venue !== null) query = query.where('venue', '=', venue)
      if (ticker !== null) query = query.where('ticker', '=', ticker)
      if (source !== null) query = query.where('source', '=', source)
      if (confidence !== null) query = query.where('confidence', '=', confidence)
      if (mode !== null) query = query.where('mode', '=', mode)
      if (thesisId === 'none') query = query.where(THESIS_OF_ENTRY, 'is', null)
      else if (thesisId !== null) query = query.where(THESIS_OF_ENTRY, '=', thesisId)
      const rows = await rowsAfter(query, ['occurred_at', 'seq'], after, order).limit(max).execute()
      return rows.map(entryOf)
    },
    async trades(userId, { mode, epoch }, ticker) {
      let query = state
        .selectFrom('ledger_entry')
        .select('entry')
        .where('user_id', '=', userId)
        .where('mode', '=', mode)
        .where('epoch', '=', epoch)
        .where('event_type', 'in', TRADE_EVENTS)
      if (ticker !== undefined) query = query.where('ticker', '=', ticker)
      const rows = await query.orderBy('occurred_at').orderBy('seq').execute()
      return withoutReplaced(rows.map(entryOf))
    },
    async cashOf(userId, { mode, epoch }) {
      const { cash } = await state
        .selectFrom('ledger_entry')
        .select(({ fn }) => fn.sum<number | null>('cash_delta').as('cash'))
        .where('user_id', '=', userId)
        .where('mode', '=', mode)
        .where('epoch', '=', epoch)
        .executeTakeFirstOrThrow()
      return (cash ?? 0) as MoneyE6
    },
    async lastLossAt(userId, { mode, epoch }) {
      const { at } = await state
        .selectFrom('ledger_entry')
        .select(({ fn }) => fn.max<number | null>('occurred_at').as('at'))
        .where('user_id', '=', userId)
        .where('mode', '=', mode)
        .where('epoch', '=', epoch)
        .where('event_type', 'in', TRADE_EVENTS)
        .where(REALIZED_PNL, '<', 0)
        .where(IS_REVERSAL, 'is', null)
        .where(ENTRY_ID, 'not in', (from) =>
          from
            .selectFrom('ledger_entry')
            .select(CORRECTED_ENTRY_ID.as('corrected'))
            .where('user_id', '=', userId)
            .where('mode', '=', mode)
            .where('epoch', '=', epoch)
            .where('event_type', 'in', TRADE_EVENTS)
            .where(IS_REVERSAL, 'is not', null),
        )
        .executeTakeFirstOrThrow()
      return at as Millis | null
    },
    async paperUsers() {
      const rows = await state
        .selectFrom('ledger_entry')
        .select('user_id')
        .distinct()
        .where('mode', '=', 'paper')
        .execute()
      return rows.map(({ user_id: userId }) => userId)
    },
  }
}

/** The columns of an entry. */
export const ledgerRowOf = (entry: LedgerEntry) => ({
  user_id: entry.userId,
  seq: entry.seq,
  key: entry.key,
  event_type: entry.eventType,
  mode: entry.mode,
  epoch: entry.epoch,
  source: entry.source,
  venue: entry.venue,
  ticker: entry.ticker,
  confidence: entry.confidence,
  occurred_at: entry.occurredAt,
  cash_delta: entry.cashDelta,
  entry: JSON.stringify(entry),
})
