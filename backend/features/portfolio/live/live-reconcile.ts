import type { MarketView } from '../../../computed/board/market-board.ts'
import {
  isCancelled,
  isFillOf,
  OPEN_STATUSES,
  type LiveOrder,
} from '../../../domain/portfolio/live-order.ts'
import type { Mismatch, ReconcileStatus } from '../../../domain/portfolio/live-account.ts'
import {
  isVenueFill,
  type LedgerEntry,
  type NewLedgerEntry,
} from '../../../domain/portfolio/ledger.ts'
import { foldMarkets } from '../../../domain/portfolio/position-fold.ts'
import {
  contractsOf,
  DAY,
  HOUR,
  type Millis,
  type MoneyE6,
  type SizeE6,
} from '../../../domain/units.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { TradingClient, VenueFill, VenuePage } from '../../../venues/trading.ts'
import type { ImportStore } from '../bookkeeping/import.store.ts'
import type { LedgerStore } from '../ledger.store.ts'
import { cancellationEntry, fillEntry, settlementEntry } from './live-fills.ts'
import type { LiveOrders } from './live-orders.ts'
import type { LiveOrdersStore } from './live-orders.store.ts'

/** Fills of the first reconciliation of an account. */
const FIRST_READ_SPAN = 90 * DAY
/** Fills are read again from this long before the newest known one; known ones change nothing. */
const REREAD_SPAN = HOUR
/** Times of one trade in the rows of an export and of the API differ by less. */
const SAME_TRADE_WINDOW = 5_000
const MAX_PAGES = 500
const MAX_MISMATCHES = 50
export interface Reconciliation {
  readonly status: ReconcileStatus
  readonly balance: MoneyE6 | null
  readonly mismatches: readonly Mismatch[]
  readonly booked: number
  /** Time of the newest fill that was read so far; null before the first. */
  readonly fillsReadUntil: Millis | null
  /** Why it failed; null when it did not. */
  readonly error: string | null
}

/** Brings ledger and orders up to what a venue reports. */
export function createLiveReconcile(deps: {
  readonly ledger: Pick<LedgerStore, 'trades'>
  readonly imports: ImportStore
  readonly orders: LiveOrders
  readonly store: LiveOrdersStore
  readonly viewOf: (ticker: string) => Promise<MarketView | null>
  /** The account whose ledger entries are read and written; 0 unless it is a simulated one. */
  readonly epochOf?: () => number
  /** Called after fills were booked and before their orders end. */
  readonly onBooked?: (userId: string) => Promise<void>
  /** Called after the states of orders may have changed, with their ticks. */
  readonly onLookedUp?: (userId: string, tickIds: readonly string[]) => Promise<void>
  readonly clock: Clock
}) {
  const { ledger, imports, orders, store, viewOf, epochOf = () => 0, clock } = deps

  const tradesOf = (userId: string) => ledger.trades(userId, { mode: 'live', epoch: epochOf() })

  const newFills = async (
    userId: string,
    client: TradingClient,
    readUntil: Millis | null,
    signal: AbortSignal,
  ): Promise<VenueFill[]> => {
    // Imports and reports of callers may be newer than fills that were never read.
    const bookedTrades = (await tradesOf(userId)).filter(
      (entry) =>
        entry.venue === client.venue && isVenueFill(entry) && !entry.source.startsWith('import_'),
    )
    // Fills that an import has too are read, and not booked again.
    const newest = Math.max(bookedTrades.at(-1)?.occurredAt ?? 0, readUntil ?? 0)
    const since = (newest === 0 ? clock.now() - FIRST_READ_SPAN : newest - REREAD_SPAN) as Millis
    const fills = await allRows((cursor) => client.fills(since, cursor, signal))
    return fills.sort((a, b) => a.at - b.at)
  }

  /** Payouts since the newest known one, or since the first fill. */
  const newSettlements = async (
    userId: string,
    client: TradingClient,
    signal: AbortSignal,
  ): Promise<NewLedgerEntry[]> => {
    const venueEntries = (await tradesOf(userId)).filter(({ venue }) => venue === client.venue)
    if (venueEntries.length === 0) return []
    const newest =
      venueEntries.findLast(({ eventType }) => eventType === 'settlement') ?? venueEntries[0]
    const since = ((newest?.occurredAt ?? clock.now()) - DAY) as Millis
    const rows = await allRows((cursor) => client.settlements(since, cursor, signal))
    const tradedTickers = new Set(venueEntries.map(({ ticker }) => ticker))
    const entries: NewLedgerEntry[] = []
    for (const row of rows) {
      const entry = await settlementEntry(client.venue, row, viewOf, clock.now()).catch(
        nullIfUnreadable,
      )
      // A market whose fills are older than the ledger pays for nothing that it has.
      if (entry !== null && tradedTickers.has(entry.ticker)) entries.push(entry)
    }
    return entries
  }

  const book = async (
    userId: string,
    client: TradingClient,
    readUntil: Millis | null,
    signal: AbortSignal,
  ): Promise<{ readonly booked: number; readonly newest: Millis | null }> => {
    const venueOrders = await store.ordersAtVenue(userId, client.venue)
    const fills = await newFills(userId, client, readUntil, signal)
    const entries = await Promise.all(
      fills.map(async (fill) => {
        const order = venueOrders.find((liveOrder) => isFillOf(liveOrder, fill)) ?? null
        const view = await viewOf(fill.ticker)
        return fillEntry(client.venue, fill, order, view === null ? null : view.facts)
      }),
    )
    const bookedCount = await insert(userId, withoutImported(entries, await tradesOf(userId)))
    await reopenLateOrders(venueOrders, fills)
    const settlementCount = await insert(userId, await newSettlements(userId, client, signal))
    return { booked: bookedCount + settlementCount, newest: fills.at(-1)?.at ?? readUntil }
  }

  /** Keys of a simulated exchange repeat those of an earlier run. */
  const insert = async (userId: string, entries: readonly NewLedgerEntry[]): Promise<number> => {
    const epoch = epochOf()
    const attributedEntries = entries.map((entry) => ({
      ...entry,
      epoch,
      key: epoch === 0 ? entry.key : `${epoch}:${entry.key}`,
    }))
    const { inserted } = await imports.insertEntries(userId, attributedEntries, clock.now(), false)
    return inserted.length
  }

  /** Reopens orders that had ended and traded more than was known then. */
  const reopenLateOrders = async (
    venueOrders: readonly LiveOrder[],
    fills: readonly VenueFill[],
  ): Promise<void> => {
    for (const order of venueOrders) {
      if (OPEN_STATUSES.includes(order.status)) continue
      const orderFills = fills.filter((venueFill) => isFillOf(order, venueFill))
      const [fill] = orderFills
      const size = orderFills.reduce((sum, venueFill) => sum + venueFill.size, 0)
      if (fill === undefined || size <= order.filled) continue
      const next = {
        ...order,
        status: 'resting' as const,
        venueOrderId: fill.orderId,
        reason: null,
      }
      await store.put(next, order.status)
    }
  }

  /** Orders whose fills are in the ledger are done, also when an import booked them. */
  const endBookedOrders = async (userId: string, client: TradingClient): Promise<void> => {
    const fills = (await tradesOf(userId)).filter(isVenueFill)
    for (const order of await store.open(userId)) {
      if (order.venue !== client.venue) continue
      const orderFills = fills.filter((fill) => isFillOf(order, fill))
      const size = orderFills.reduce((sum, fill) => sum + (fill.size ?? 0), 0) as SizeE6
      const isBooked = order.status === 'traded' && size >= order.filled
      const status = isBooked ? ('done' as const) : order.status
      // Written before the order is done, so that a stop in between loses none.
      if (isBooked && isCancelled(order)) {
        await insert(userId, [cancellationEntry(order, clock.now())])
      }
      if (size !== order.booked || isBooked) {
        await store.put({ ...order, booked: size, status }, order.status)
      }
    }
  }

  const mismatchesOf = async (
    userId: string,
    client: TradingClient,
    signal: AbortSignal,
  ): Promise<Mismatch[]> => {
    const venueContracts = new Map(
      (await client.positions(signal)).map(({ ticker, size }) => [ticker, size as number]),
    )
    const contractsByTicker = new Map<string, number>()
    for (const position of foldMarkets(await tradesOf(userId)).values()) {
      if (position.venue !== client.venue || position.status !== 'open') continue
      const { ticker, direction, size } = position
      contractsByTicker.set(ticker, direction === 'yes' ? size : 0 - size)
    }
    return [...new Set([...contractsByTicker.keys(), ...venueContracts.keys()])]
      .filter(
        (ticker) => (contractsByTicker.get(ticker) ?? 0) !== (venueContracts.get(ticker) ?? 0),
      )
      .map((marketId) => ({
        venue: client.venue,
        marketId,
        ours: contractsOf((contractsByTicker.get(marketId) ?? 0) as SizeE6),
        theirs: contractsOf((venueContracts.get(marketId) ?? 0) as SizeE6),
      }))
      .slice(0, MAX_MISMATCHES)
  }

  return {
    /**
     * Never throws for a venue that does not answer. The caller holds the user's queue.
     * @param readUntil `fillsReadUntil` of the last one
     */
    async reconcile(
      userId: string,
      client: TradingClient,
      readUntil: Millis | null,
      signal: AbortSignal,
    ): Promise<Reconciliation> {
      try {
        const previous = (await store.open(userId)).filter(({ venue }) => venue === client.venue)
        await orders.resolve(userId, client, signal)
        await orders.refresh(userId, client, signal)
        const { booked, newest } = await book(userId, client, readUntil, signal)
        await deps.onBooked?.(userId)
        await endBookedOrders(userId, client)
        const tickIds = previous.map(({ tickId }) => tickId)
        await deps.onLookedUp?.(userId, tickIds)
        const balance = await client.balance(signal)
        const mismatches = await mismatchesOf(userId, client, signal)
        const status = mismatches.length === 0 ? 'ok' : 'mismatch'
        return { status, balance, mismatches, booked, fillsReadUntil: newest, error: null }
      } catch (error) {
        const message = error instanceof Error ? error.message : 'the venue did not answer'
        return {
          status: 'failed',
          balance: null,
          mismatches: [],
          booked: 0,
          fillsReadUntil: readUntil,
          error: message,
        }
      }
    },
  }
}

/** The rows of every page. @throws Error when there are too many */
async function allRows<Row>(
  page: (cursor: string | null) => Promise<VenuePage<Row>>,
): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { rows: pageRows, next }: VenuePage<Row> = await page(cursor)
    rows.push(...pageRows)
    if (next === null) return rows
    cursor = next
  }
  throw new Error(`the venue lists more than ${MAX_PAGES} pages`)
}

/**
 * Null for a payout that cannot be read, so that it stops nothing else: its position stays open in
 * the ledger, and is reported as a mismatch with the venue.
 */
function nullIfUnreadable(error: unknown): null {
  if (error instanceof InvalidInput) return null
  throw error
}

/**
 * The entries without those that an import has booked from rows without the venue's trade id: these
 * have keys of their own.
 */
function withoutImported(
  entries: readonly NewLedgerEntry[],
  ledger: readonly LedgerEntry[],
): NewLedgerEntry[] {
  const keys = new Set(entries.map(({ key }) => key))
  const bookedKeys = new Set(ledger.map(({ key }) => key))
  const importedByKey = Map.groupBy(
    ledger.filter(
      (entry) => isVenueFill(entry) && entry.source.startsWith('import_') && !keys.has(entry.key),
    ),
    tradeOf,
  )
  return entries.filter((entry) => {
    const rows = bookedKeys.has(entry.key) ? [] : (importedByKey.get(tradeOf(entry)) ?? [])
    const at = rows.findIndex(
      (row) => Math.abs(row.occurredAt - entry.occurredAt) <= SAME_TRADE_WINDOW,
    )
    if (at !== -1) rows.splice(at, 1)
    return at === -1
  })
}

const tradeOf = ({ ticker, direction, action, size, price }: NewLedgerEntry): string =>
  [ticker, direction, action, size, price].join(' ')
