import { CLOSINGS } from '../backtest/broker/positions.ts'
import { moneyOf } from '../backtest/broker/fill-model.ts'
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
import { withoutReversed } from './correction.ts'
import type { LedgerEntry, LedgerSource, Mode } from './ledger.ts'
import { PositionFold } from './position-fold.ts'

/** Purchases that the journal has: of the autopilot and of intents. */
const JOURNALED_SOURCES: readonly LedgerSource[] = ['autopilot', 'intent']

/** A purchase and its end. Prices are of the bought side. */
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
  /** Of a void the entry price, which is returned. */
  readonly exitPrice: PriceE4 | null
  /** Without fees. */
  readonly cost: MoneyE6
  readonly fees: MoneyE6
  /** After fees; null while it is open. */
  readonly realized: MoneyE6 | null
  readonly exitReason: ExitReason | null
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
  readonly intentId: string | null
  readonly tickId: string | null
  readonly rationale: string | null
  readonly openedAt: Millis
  readonly closedAt: Millis | null
}

/** Contracts that were bought, and how they were closed; null while they are open. */
interface Part {
  readonly side: Side
  readonly size: SizeE6
  readonly price: PriceE4
  readonly fees: MoneyE6
  readonly end: {
    readonly price: PriceE4
    readonly realized: MoneyE6
    readonly entry: LedgerEntry
    readonly reason: ExitReason
  } | null
}

const textIn = ({ payload }: LedgerEntry, name: string): string | null => {
  const value = payload[name]
  return typeof value === 'string' ? value : null
}

/**
 * The trades of the autopilot and of intents in one market of one account. They are the lots of the
 * fold of all its entries (methodology J1), so that results and fees add up to those of the ledger:
 * lots close first in, first out, regardless of the seller.
 */
export function journalOf(entries: Iterable<LedgerEntry>): JournalTrade[] {
  const fold = new PositionFold()
  const all = withoutReversed([...entries])
  /** The entry that closed each closed lot. */
  const closers: LedgerEntry[] = []
  for (const entry of all) {
    fold.apply(entry)
    while (closers.length < fold.closedCount) closers.push(entry)
  }
  const parts = new Map<number, number>()
  const tradeOf = (tag: number, part: Part): JournalTrade[] => {
    const opening = all[tag]
    if (opening === undefined) return []
    const partIndex = parts.get(tag) ?? 0
    parts.set(tag, partIndex + 1)
    return tradeRow(opening, partIndex, part)
  }
  const lots = fold.closedLots()
  const trades = closers.flatMap((entry, n) => {
    const price = (lots.entryPrice[n] ?? 0) as PriceE4
    const isVoid = lots.closing[n] === CLOSINGS.indexOf('voided')
    const isSettled = entry.eventType === 'settlement'
    const exitReason = (textIn(entry, 'exitReason') ?? 'manual') as ExitReason
    return tradeOf(lots.tag[n] ?? -1, {
      side: lots.isYes[n] === 1 ? 'yes' : 'no',
      size: (lots.size[n] ?? 0) as SizeE6,
      price,
      fees: (lots.fees[n] ?? 0) as MoneyE6,
      end: {
        price: isVoid ? price : ((lots.exitPrice[n] ?? 0) as PriceE4),
        realized: (lots.realised[n] ?? 0) as MoneyE6,
        entry,
        reason: isSettled ? 'settlement' : exitReason,
      },
    })
  })
  const open = fold.lots.flatMap(({ tag, side, size, price, fee }) =>
    tradeOf(tag, { side, size, price, fees: fee, end: null }),
  )
  return [...trades, ...open]
}

/** A row for a part of a lot; none for a lot that others bought. */
function tradeRow(opening: LedgerEntry, partIndex: number, part: Part): JournalTrade[] {
  const { venue, ticker, source, key, marketTitle, mode, tickId, intentId, occurredAt } = opening
  if (!JOURNALED_SOURCES.includes(source) || venue === null || ticker === null) return []
  const { side, size, price, fees, end } = part
  // What the fold counts as cost, which is rounded per lot and not per part.
  const cost = end === null ? moneyOf(price, size) : moneyOf(end.price, size) - fees - end.realized
  return [
    {
      key: partIndex === 0 ? key : `${key}/${partIndex}`,
      venue,
      ticker,
      title: marketTitle ?? ticker,
      side,
      mode,
      size,
      entryPrice: price,
      exitPrice: end?.price ?? null,
      cost: cost as MoneyE6,
      fees,
      realized: end?.realized ?? null,
      exitReason: end?.reason ?? null,
      thesisId: opening.thesisId ?? null,
      strategyId: opening.strategyId ?? null,
      viewId: opening.viewId ?? null,
      intentId,
      tickId,
      rationale: textIn(opening, 'reason'),
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
  /** Of a row that the ledger derives; null for a reported one. */
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
  /** Unrounded; null for a reported row. */
  readonly exact: {
    readonly cost: MoneyE6
    readonly fees: MoneyE6
    readonly realized: MoneyE6 | null
  } | null
  readonly exitReason: ExitReason | null
  readonly status: 'open' | 'closed'
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
  /** The intent that bought it; null for the autopilot and for a reported row. */
  readonly intentId: string | null
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
    exact: { cost, fees, realized },
    status: trade.closedAt === null ? 'open' : 'closed',
  }
}
