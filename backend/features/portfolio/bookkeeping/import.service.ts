import type { MarketBoard, MarketView } from '../../../computed/board/market-board.ts'
import type { ImportError, LedgerImported } from '../../../contract/orders/imports.ts'
import { canonicalTicker, type Ticker, type Venue } from '../../../domain/market.ts'
import {
  paperSettlementKey,
  type LedgerSource,
  type Mode,
  type NewLedgerEntry,
} from '../../../domain/portfolio/ledger.ts'
import { orderInContracts, isFillOf, type LiveOrder } from '../../../domain/portfolio/live-order.ts'
import { MAX_IMPORTED_ROWS } from '../../../domain/portfolio/statement/book-statement.ts'
import { onlyBasis, type NamedSide } from '../../../domain/portfolio/named-basis.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import type { Clock } from '../../../lib/clock.ts'
import { InvalidInput, NotFound } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'
import { basisOf, type UserTheses } from '../intent-basis.ts'
import { ImportFields } from './import-fields.ts'
import type { ImportStore } from './import.store.ts'
import type { ImportedRow, ImportKind, ReadContext } from './imported-row.ts'
import { venueAFill, venueASettlement } from './venue-a-rows.ts'
import { venueBFill, venueBSettlement } from './venue-b-rows.ts'

type ReadRow = (fields: ImportFields, context: ReadContext) => ImportedRow

/** Readers of a venue's rows, and the source of their entries. */
interface ImportFormat {
  readonly venue: Venue
  readonly source: LedgerSource
  readonly fill: ReadRow
  readonly settlement: ReadRow
}
export const IMPORT_FORMATS = {
  venue_a: {
    venue: 'venue_a',
    source: 'import_venue_a',
    fill: venueAFill,
    settlement: venueASettlement,
  },
  venue_b: {
    venue: 'venue_b',
    source: 'import_venue_b',
    fill: venueBFill,
    settlement: venueBSettlement,
  },
} as const satisfies Record<string, ImportFormat>

/** The account that rows are booked in. */
export interface ImportAccount {
  readonly mode: Mode
  readonly epoch: number
}
const LIVE: ImportAccount = { mode: 'live', epoch: 0 }

export interface LedgerImports {
  /**
   * @param account the live account unless given
   * @throws InvalidInput without rows, or with too many
   */
  importEntries(
    userId: string,
    format: ImportFormat,
    body: unknown,
    account?: ImportAccount,
  ): Promise<LedgerImported>
}

/** Imports of fills and settlements that a user made at a venue. */
export function createLedgerImports(deps: {
  readonly store: ImportStore
  readonly board: Pick<MarketBoard, 'markets'>
  readonly theses: Pick<UserTheses, 'basis' | 'namedSides'>
  /** The orders that a user sent to a venue. */
  readonly ordersAt: (userId: string, venue: Venue) => Promise<readonly LiveOrder[]>
  readonly clock: Pick<Clock, 'now'>
}): LedgerImports {
  const { store, board, theses, ordersAt, clock } = deps

  return {
    async importEntries(userId, format, body, account = LIVE) {
      const fields = new BodyFields(body)
      const rowsByKind = {
        fill: rowsIn(fields, 'fills'),
        settlement: rowsIn(fields, 'settlements'),
      }
      if (rowsByKind.fill === null && rowsByKind.settlement === null) {
        throw new InvalidInput('fills or settlements must be an array')
      }
      const dryRun = fields.flag('dryRun') ?? false
      const now = clock.now()
      const records = (['fill', 'settlement'] as const).flatMap((kind) =>
        (rowsByKind[kind] ?? []).map((row: unknown, index) => ({ kind, row, index })),
      )
      const views = await board.markets(tickersIn(records.map(({ row }) => row)), null)
      const ordinals = new Map<string, number>()
      const context: ReadContext = {
        now,
        marketOf: (ticker) => views.get(ticker) ?? null,
        ordinalOf(key) {
          const ordinal = ordinals.get(key) ?? 0
          ordinals.set(key, ordinal + 1)
          return ordinal
        },
      }
      const checkBasis = basisChecker(userId, theses)
      const namedSides = await theses.namedSides(userId)
      const errors: ImportError[] = []
      const readRows: { kind: ImportKind; index: number; row: ImportedRow }[] = []
      for (const { kind, row, index } of records) {
        try {
          const importedRow = format[kind](new ImportFields(row), context)
          readRows.push({ kind, index, row: await checkBasis(importedRow) })
        } catch (error) {
          if (!(error instanceof InvalidInput)) throw error
          errors.push({ kind, index, reason: error.message })
        }
      }
      readRows.sort((a, b) => a.row.occurredAt - b.row.occurredAt)
      const sentOrders = account.mode === 'live' ? await ordersAt(userId, format.venue) : []
      const entries = readRows.map(({ row }) => ({
        ...withOrderAttribution(
          entryOf(row, format, context.marketOf(row.ticker), namedSides, newId('ple', now)),
          sentOrders,
        ),
        ...account,
        key: account.mode === 'live' ? row.key : paperKey(row, account.epoch),
      }))
      const outcome = await store.insertEntries(userId, entries, now, dryRun)
      for (const rowIndex of outcome.conflicts) {
        const { kind, index } = readRows[rowIndex] ?? { kind: 'fill' as const, index: -1 }
        errors.push({ kind, index, reason: 'key exists with other values' })
      }
      for (const rowIndex of outcome.late) {
        const { kind, index } = readRows[rowIndex] ?? { kind: 'fill' as const, index: -1 }
        errors.push({ kind, index, reason: 'ticker was settled on paper before this was read' })
      }
      errors.sort((a, b) => (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : a.index - b.index))
      const count = (indices: readonly number[]) => {
        const fills = indices.filter((rowIndex) => readRows[rowIndex]?.kind === 'fill').length
        return { fills, settlements: indices.length - fills }
      }
      return {
        ok: true,
        dryRun,
        source: format.source,
        received: {
          fills: rowsByKind.fill?.length ?? 0,
          settlements: rowsByKind.settlement?.length ?? 0,
        },
        inserted: count(outcome.inserted),
        duplicates: count(outcome.duplicates),
        errors,
      }
    },
  }
}

/** @throws InvalidInput unless it is an array of at most 2000 rows; null when not sent */
function rowsIn(fields: BodyFields, name: 'fills' | 'settlements'): readonly unknown[] | null {
  const rows = fields.raw(name)
  if (rows === undefined || rows === null) return null
  if (!Array.isArray(rows)) throw new InvalidInput(`${name} must be an array`)
  if (rows.length > MAX_IMPORTED_ROWS) {
    throw new InvalidInput(`${name} must have at most ${MAX_IMPORTED_ROWS} rows`, {
      code: 'IMPORT_TOO_MANY_ROWS',
    })
  }
  return rows as readonly unknown[]
}

const TICKER_NAMES = ['ticker', 'market_ticker', 'conditionId', 'condition_id', 'market'] as const

/** The markets that rows name, whatever else is wrong with them. */
function tickersIn(rows: readonly unknown[]): Ticker[] {
  const tickers = new Set<Ticker>()
  for (const row of rows) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) continue
    const name = new ImportFields(row).raw(...TICKER_NAMES)
    if (typeof name === 'string') tickers.add(canonicalTicker(name.trim()))
  }
  return [...tickers]
}

/** Completes the ids of own theses and strategies; refuses others. */
function basisChecker(userId: string, theses: Pick<UserTheses, 'basis'>) {
  const cachedChecks = new Map<
    string,
    Promise<Pick<ImportedRow, 'thesisId' | 'strategyId'> | null>
  >()
  return async (row: ImportedRow): Promise<ImportedRow> => {
    const { thesisId, strategyId } = row
    if (thesisId === null && strategyId === null) return row
    const name = JSON.stringify([thesisId, strategyId])
    const pendingBasis =
      cachedChecks.get(name) ??
      theses.basis(userId, { thesisId, strategyId }).catch((error: unknown) => {
        if (error instanceof NotFound) return null
        throw error
      })
    cachedChecks.set(name, pendingBasis)
    const basis = await pendingBasis
    if (basis === null) {
      const field = thesisId === null ? 'strategyId' : 'thesisId'
      throw new InvalidInput(
        `${field} must be the id of one of your own ${field === 'thesisId' ? 'theses' : 'strategies'}`,
      )
    }
    return { ...row, ...basis }
  }
}

/** Keys of paper are those of the epoch; a settlement has the key of the paper broker's. */
const paperKey = ({ kind, key, ticker }: ImportedRow, epoch: number): string =>
  kind === 'settlement' ? paperSettlementKey(epoch, ticker) : `p:${epoch}:${key}`

/**
 * A fill of an order that ticks sent carries the order's attribution, as if its reconciliation had
 * booked it; a thesis that the row names stays.
 */
function withOrderAttribution(entry: ImportedEntry, orders: readonly LiveOrder[]): ImportedEntry {
  if (orders.length === 0) return entry
  const { thesisId = null, strategyId = null, ...entryFields } = entry
  const { action, direction, price, size, fee, confidence } = entryFields
  const order =
    entry.eventType === 'fill' ? orders.find((liveOrder) => isFillOf(liveOrder, entry)) : undefined
  if (order === undefined || action === null || direction === null) return entry
  if (price === null || size === null) return entry
  return {
    ...entryFields,
    ...orderInContracts(order, { action, direction, price, size, fee }),
    ...basisOf(confidence === 'exact' ? { thesisId, strategyId } : order),
    ...(order.viewId !== null && { viewId: order.viewId }),
    clientOrderId: order.clientOrderId,
    tickId: order.tickId,
    intentId: order.intentId,
    confidence: 'exact',
    payload: order.payload,
  }
}

type ImportedEntry = Omit<NewLedgerEntry, keyof ImportAccount | 'key'>

function entryOf(
  row: ImportedRow,
  { venue, source }: ImportFormat,
  view: MarketView | null,
  namedSides: readonly NamedSide[],
  id: string,
): ImportedEntry {
  const { ticker, direction, occurredAt: at } = row
  const isExact = row.thesisId !== null || row.strategyId !== null
  const basis =
    isExact || row.kind === 'settlement' ? null : onlyBasis(namedSides, { ticker, direction, at })
  const { thesisId, strategyId } = isExact ? row : (basis ?? { thesisId: null, strategyId: null })
  return {
    id,
    eventType: row.kind,
    source,
    occurredAt: at,
    venue,
    ticker,
    marketTitle: view?.facts.title ?? null,
    category: view?.facts.category ?? null,
    action: row.action,
    direction,
    size: row.size,
    price: row.price,
    cashDelta: row.cashDelta,
    fee: row.fee,
    slippage: null,
    realized: null,
    result: row.result,
    orderId: row.orderId,
    ...(row.clientOrderId !== null && { clientOrderId: row.clientOrderId }),
    ...(row.venueTradeId !== null && { venueTradeId: row.venueTradeId }),
    liquidity: row.liquidity,
    tickId: null,
    intentId: null,
    ...(thesisId !== null && { thesisId }),
    ...(strategyId !== null && { strategyId }),
    confidence: isExact ? 'exact' : basis === null ? 'unknown' : 'low',
    note: null,
    payload: {},
  }
}
