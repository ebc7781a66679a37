import type { Transaction } from 'kysely'
import { rowOfTrade, type JournalTrade, type Trade } from '../../../domain/portfolio/journal.ts'
import type { Mode } from '../../../domain/portfolio/ledger.ts'
import type { Millis } from '../../../domain/units.ts'
import { newId } from '../../../lib/ids.ts'
import type { State } from '../../../state/open.ts'
import type { StateSchema } from '../../../state/schema.ts'
import type { RowPlace } from './ticks.store.ts'

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
const tradeOf = ({ record }: { record: string }): Trade => JSON.parse(record) as Trade

/** Writes the trades that the ledger derives: new rows are added, known ones replaced. */
export async function writeJournal(
  transaction: Transaction<StateSchema>,
  userId: string,
  trades: readonly JournalTrade[],
  now: Millis,
): Promise<void> {
  for (const trade of trades) {
    const row = rowOfTrade(trade)
    const stored = await transaction
      .selectFrom('trade')
      .select('record')
      .where('user_id', '=', userId)
      .where('key', '=', row.key)
      .executeTakeFirst()
    const before = stored === undefined ? null : tradeOf(stored)
    const id = before?.id ?? newId('trd', now)
    const columns = columnsOf({ ...row, id, userId, createdAt: before?.createdAt ?? now })
    if (before === null) {
      await transaction
        .insertInto('trade')
        .values({ id, ...columns })
        .execute()
    } else await transaction.updateTable('trade').set(columns).where('id', '=', id).execute()
  }
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
    async one(userId: string, id: string): Promise<Trade | null> {
      const row = await rows().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
      return row === undefined ? null : tradeOf(row)
    },
    /** Newest first, after a place. */
    async page(
      userId: string,
      filter: TradeFilter,
      after: RowPlace | null,
      most: number,
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
      if (after !== null) {
        query = query.where((where) =>
          where.or([
            where('opened_at', '<', after.at),
            where.and([where('opened_at', '=', after.at), where('id', '<', after.id)]),
          ]),
        )
      }
      query = query.orderBy('opened_at', 'desc').orderBy('id', 'desc').limit(most)
      return (await query.execute()).map(tradeOf)
    },
    /** Markets with open rows that the autopilot wrote. */
    async openMarkets(userId: string): Promise<string[]> {
      const found = await state
        .selectFrom('trade')
        .select('ticker')
        .distinct()
        .where('user_id', '=', userId)
        .where('status', '=', 'open')
        .where('key', 'is not', null)
        .execute()
      return found.map(({ ticker }) => ticker)
    },
  }
}
export type TradesStore = ReturnType<typeof createTradesStore>
