import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from 'kysely'
import { journalOf, rowOfTrade, type Trade } from '../../../domain/portfolio/journal.ts'
import { withoutReplaced, type LedgerEntry, type Mode } from '../../../domain/portfolio/ledger.ts'
import type { Millis } from '../../../domain/units.ts'
import { newId } from '../../../lib/ids.ts'
import { insertRows, listOf } from '../../../state/many-rows.ts'
import type { State } from '../../../state/open.ts'
import type { StateSchema } from '../../../state/schema.ts'
import { rowsAfter } from '../../../state/rows-after.ts'
import type { RowPosition } from '../../../http/request/list-page.ts'

/** Filter of a user's trades; null for all. */
export interface TradeFilter {
  readonly since: Millis | null
  readonly until: Millis | null
  readonly status: Trade['status'] | null
  readonly venue: string | null
  readonly ticker: string | null
  readonly thesisId: string | null
  readonly mode: Mode | null
}

const columnsOf = (trade: Trade) => ({
  user_id: trade.userId,
  key: trade.key,
  opened_at: trade.openedAt,
  status: trade.status,
  mode: trade.mode,
  venue: trade.venue,
  ticker: trade.marketId,
  thesis_id: trade.thesisId,
  record: JSON.stringify(trade),
})
/** Rows of earlier versions have no exact figures. */
function tradeOf({ record }: { record: string }): Trade {
  const storedTrade = JSON.parse(record) as Omit<Trade, 'intentId' | 'exact'> & Partial<Trade>
  return {
    ...storedTrade,
    intentId: storedTrade.intentId ?? null,
    exact: storedTrade.exact ?? null,
  }
}

/** Markets of an account of a user. */
export interface JournalScope {
  readonly userId: string
  readonly mode: Mode
  readonly epoch: number
  readonly tickers: ReadonlySet<string>
}

/**
 * Derives the trades of markets from their ledger entries again, in the transaction that wrote
 * these: new rows are added, known ones replaced.
 * @param read the entries, if the caller has already read them
 */
export async function writeJournal(
  transaction: Transaction<StateSchema>,
  scope: JournalScope,
  now: Millis,
  read: readonly LedgerEntry[] | null = null,
): Promise<void> {
  const { userId, mode, tickers } = scope
  const tickerList = listOf([...tickers])
  const sortedEntries = (read ?? (await entriesOf(transaction, scope))).toSorted(
    (a, b) => a.occurredAt - b.occurredAt || a.seq - b.seq,
  )
  const byMarket = Map.groupBy(withoutReplaced(sortedEntries), ({ ticker }) => ticker)
  const rows = [...byMarket.values()].flatMap((entries) => journalOf(entries).map(rowOfTrade))
  const storedTrades = new Map<string, Trade>()
  for (const { record } of await transaction
    .selectFrom('trade')
    .select('record')
    .where('user_id', '=', userId)
    .where('mode', '=', mode)
    .where('ticker', 'in', tickerList)
    .where('key', 'is not', null)
    .execute()) {
    const trade = tradeOf({ record })
    if (trade.key !== null) storedTrades.set(trade.key, trade)
  }
  const newRows: ({ readonly id: string } & ReturnType<typeof columnsOf>)[] = []
  for (const row of rows) {
    const previous = storedTrades.get(row.key) ?? null
    const id = previous?.id ?? newId('trd', now)
    const columns = columnsOf({ ...row, id, userId, createdAt: previous?.createdAt ?? now })
    if (previous === null) newRows.push({ id, ...columns })
    else if (!isDeepStrictEqual(tradeOf(columns), previous)) {
      await transaction.updateTable('trade').set(columns).where('id', '=', id).execute()
    }
  }
  await insertRows(transaction, 'trade', newRows)
  // An older fill that is imported later moves the lots of live trades; paper only appends.
  if (mode === 'paper') return
  const existingKeys = new Set(rows.map(({ key }) => key))
  for (const { id, key } of storedTrades.values()) {
    if (key !== null && !existingKeys.has(key)) {
      await transaction.deleteFrom('trade').where('id', '=', id).execute()
    }
  }
}

/** The entries, unsorted: with an `order by`, SQLite would scan all entries of the user by time. */
async function entriesOf(
  transaction: Transaction<StateSchema>,
  { userId, mode, epoch, tickers }: JournalScope,
): Promise<LedgerEntry[]> {
  const rows = await transaction
    .selectFrom('ledger_entry')
    .select('entry')
    .where('user_id', '=', userId)
    .where('mode', '=', mode)
    .where('epoch', '=', epoch)
    .where('ticker', 'in', listOf([...tickers]))
    .where('event_type', 'in', ['fill', 'settlement'])
    .execute()
  return rows.map(({ entry }) => JSON.parse(entry) as LedgerEntry)
}

/** Derives the trades of every market in which these entries traded. */
export async function writeJournals(
  transaction: Transaction<StateSchema>,
  entries: readonly LedgerEntry[],
  now: Millis,
): Promise<void> {
  const scopes = new Map<string, JournalScope & { readonly tickers: Set<string> }>()
  for (const { userId, mode, epoch, ticker, eventType } of entries) {
    const isTrade = eventType === 'fill' || eventType === 'settlement'
    if (!isTrade || ticker === null) continue
    const account = `${mode} ${epoch}`
    const scope = scopes.get(account) ?? { userId, mode, epoch, tickers: new Set() }
    scope.tickers.add(ticker)
    scopes.set(account, scope)
  }
  for (const scope of scopes.values()) await writeJournal(transaction, scope, now)
}

/** The trade journals of users. */
export function createTradesStore(state: State) {
  const rows = () => state.selectFrom('trade').select('record')
  return {
    async add(trade: Trade): Promise<void> {
      await state
        .insertInto('trade')
        .values({ id: trade.id, ...columnsOf(trade) })
        .execute()
    },
    async byId(userId: string, id: string): Promise<Trade | null> {
      const row = await rows().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : tradeOf(row)
    },
    /** Newest first, after a position. */
    async page(
      userId: string,
      filter: TradeFilter,
      after: RowPosition | null,
      max: number,
    ): Promise<Trade[]> {
      const { since, until, status, venue, ticker, thesisId, mode } = filter
      let query = rows().where('user_id', '=', userId)
      if (since !== null) query = query.where('opened_at', '>=', since)
      if (until !== null) query = query.where('opened_at', '<', until)
      if (status !== null) query = query.where('status', '=', status)
      if (venue !== null) query = query.where('venue', '=', venue)
      if (ticker !== null) query = query.where('ticker', '=', ticker)
      if (thesisId !== null) query = query.where('thesis_id', '=', thesisId)
      if (mode !== null) query = query.where('mode', '=', mode)
      const tradeRows = await rowsAfter(query, ['opened_at', 'id'], after).limit(max).execute()
      return tradeRows.map(tradeOf)
    },
    /** Derives the trades of the intents that were stored before the journal had them. */
    async deriveMissing(now: Millis): Promise<void> {
      const scopes = await state
        .selectFrom('ledger_entry as entry')
        .select(['user_id', 'mode', 'epoch', 'ticker'])
        .distinct()
        .where('event_type', '=', 'fill')
        .where('source', '=', 'intent')
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('trade')
                .select('trade.id')
                .whereRef('trade.user_id', '=', 'entry.user_id')
                .whereRef('trade.ticker', '=', 'entry.ticker')
                .where('trade.key', 'is not', null),
            ),
          ),
        )
        .execute()
      for (const { user_id: userId, mode, epoch, ticker } of scopes) {
        if (ticker === null) continue
        const scope = { userId, mode: mode as Mode, epoch, tickers: new Set([ticker]) }
        await state.transaction().execute((transaction) => writeJournal(transaction, scope, now))
      }
    },
  }
}
export type TradesStore = ReturnType<typeof createTradesStore>
