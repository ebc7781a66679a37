import { moneyOf, otherSide } from '../backtest/broker/fill-model.ts'
import type { Side, Ticker } from '../market.ts'
import type { ExitReason } from '../theses/holdings.ts'
import {
  centsOf,
  contractsOf,
  roundTo,
  type Millis,
  type MoneyE6,
  type PriceE4,
  type SizeE6,
} from '../units.ts'
import type { Venue } from '../venue.ts'
import type { LedgerEntry, Mode } from './ledger.ts'

/** A purchase of the autopilot and its end. Prices are of the bought side. */
export interface JournalTrade {
  /** Key of the fill that opened it; parts that were sold separately are numbered. */
  readonly key: string
  readonly venue: Venue
  readonly ticker: Ticker
  readonly title: string
  readonly side: Side
  readonly mode: Mode
  readonly size: SizeE6
  readonly entryPrice: PriceE4
  readonly exitPrice: PriceE4 | null
  /** Without fees. */
  readonly cost: MoneyE6
  readonly fees: MoneyE6
  /** After fees; null while it is open. */
  readonly realized: MoneyE6 | null
  readonly exitReason: ExitReason | null
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly tickId: string | null
  readonly rationale: string | null
  readonly openedAt: Millis
  readonly closedAt: Millis | null
}

/** Contracts that were bought and not yet sold. */
interface OpenLot {
  readonly entry: LedgerEntry
  readonly side: Side
  readonly price: PriceE4
  readonly feeShare: number
  size: number
  part: number
}

const textIn = ({ payload }: LedgerEntry, name: string): string | null => {
  const value = payload[name]
  return typeof value === 'string' ? value : null
}

/**
 * The trades of the autopilot in one market of one account, oldest first. They are derived from
 * all its entries: lots close first in, first out, also when an intent sells them.
 */
export function journalOf(entries: Iterable<LedgerEntry>): JournalTrade[] {
  const lots: OpenLot[] = []
  const trades: JournalTrade[] = []
  for (const entry of entries) {
    if (entry.eventType === 'settlement') {
      for (const lot of lots.splice(0)) {
        const exit = entry.result === 'void' ? lot.price : (entry.price ?? lot.price)
        trades.push(...tradeOf(lot, lot.size, { exit, fee: 0, entry, reason: 'settlement' }))
      }
    }
    if (entry.eventType === 'fill') fill(entry, lots, trades)
  }
  return [...trades, ...lots.flatMap((lot) => tradeOf(lot, lot.size, null))]
}

function fill(entry: LedgerEntry, lots: OpenLot[], trades: JournalTrade[]): void {
  const { action, direction, size, price, fee } = entry
  if (action === null || direction === null || size === null || price === null) return
  const other: Side = direction === 'yes' ? 'no' : 'yes'
  const side = action === 'buy' ? direction : other
  const paid = action === 'buy' ? price : otherSide(price)
  let rest: number = size
  for (let lot = lots[0]; lot !== undefined && lot.side !== side && rest > 0; lot = lots[0]) {
    const closed = Math.min(lot.size, rest)
    const reason = (textIn(entry, 'exitReason') ?? 'manual') as ExitReason
    const share = (fee * closed) / size
    trades.push(...tradeOf(lot, closed, { exit: otherSide(paid), fee: share, entry, reason }))
    rest -= closed
    lot.size -= closed
    lot.part += 1
    if (lot.size === 0) lots.shift()
  }
  if (rest > 0) lots.push({ entry, side, price: paid, feeShare: fee / size, size: rest, part: 0 })
}

/** A row for a part of a lot; none for a lot that others bought. */
function tradeOf(
  { entry, side, price, feeShare, part }: OpenLot,
  contracts: number,
  end: {
    readonly exit: PriceE4
    readonly fee: number
    readonly entry: LedgerEntry
    readonly reason: ExitReason
  } | null,
): JournalTrade[] {
  if (entry.source !== 'autopilot' || entry.venue === null || entry.ticker === null) return []
  const size = contracts as SizeE6
  const cost = moneyOf(price, size)
  const fees = Math.round(feeShare * size + (end?.fee ?? 0)) as MoneyE6
  const { thesisId, strategyId, tickId, occurredAt } = entry
  return [
    {
      key: part === 0 ? entry.key : `${entry.key}/${part}`,
      venue: entry.venue,
      ticker: entry.ticker,
      title: entry.marketTitle ?? entry.ticker,
      side,
      mode: entry.mode,
      size,
      entryPrice: price,
      exitPrice: end?.exit ?? null,
      cost,
      fees,
      realized: end === null ? null : ((moneyOf(end.exit, size) - cost - fees) as MoneyE6),
      exitReason: end?.reason ?? null,
      thesisId: thesisId ?? null,
      strategyId: strategyId ?? null,
      tickId,
      rationale: textIn(entry, 'reason'),
      openedAt: occurredAt,
      closedAt: end?.entry.occurredAt ?? null,
    },
  ]
}

export const TRADE_DIRECTIONS = ['buy_yes', 'buy_no'] as const

/** A row of the trade journal. Prices are cents of the bought side, money is whole cents. */
export interface Trade {
  readonly id: string
  readonly userId: string
  /** Of the autopilot's own rows; null for a reported one. */
  readonly key: string | null
  readonly venue: Venue
  readonly marketId: Ticker
  readonly marketTitle: string
  readonly direction: (typeof TRADE_DIRECTIONS)[number]
  readonly mode: Mode
  readonly quantity: number
  readonly entryPriceCents: number
  readonly exitPriceCents: number | null
  readonly costCents: number
  readonly feesCents: number
  readonly realizedPnlCents: number | null
  readonly exitReason: ExitReason | null
  readonly status: 'open' | 'closed'
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
  readonly tickId: string | null
  readonly rationale: string | null
  readonly openedAt: Millis
  readonly closedAt: Millis | null
  readonly createdAt: Millis
}

const wholeCents = (money: MoneyE6): number => roundTo(money / 10_000, 0)

/** A derived trade as a row of the journal, without its id. */
export function rowOfTrade(
  trade: JournalTrade,
): Omit<Trade, 'id' | 'userId' | 'createdAt'> & { readonly key: string } {
  const { ticker, title, side, size, entryPrice, exitPrice, cost, fees, realized, ...rest } = trade
  return {
    ...rest,
    marketId: ticker,
    marketTitle: title,
    direction: `buy_${side}`,
    quantity: contractsOf(size),
    entryPriceCents: centsOf(entryPrice),
    exitPriceCents: exitPrice === null ? null : centsOf(exitPrice),
    costCents: wholeCents(cost),
    feesCents: wholeCents(fees),
    realizedPnlCents: realized === null ? null : wholeCents(realized),
    status: trade.closedAt === null ? 'open' : 'closed',
    viewId: null,
  }
}
