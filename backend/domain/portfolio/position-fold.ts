import { otherSide } from '../backtest/broker/fill-model.ts'
import type { Lot } from '../backtest/broker/lots.ts'
import { Positions, type ClosedLots } from '../backtest/broker/positions.ts'
import type { Side } from '../market.ts'
import type { Millis, MoneyE6, SizeE6 } from '../units.ts'
import { withoutReversed } from './correction.ts'
import { PositionAllocations, type PositionAllocation } from './position-allocations.ts'
import type { LedgerEntry } from './ledger.ts'

/** The fields of a ledger entry that change a position. */
export type FoldedEntry = Pick<
  LedgerEntry,
  'eventType' | 'occurredAt' | 'action' | 'direction' | 'size' | 'price' | 'fee' | 'result'
>

/** One market's position, derived from its entries. */
export interface FoldedPosition {
  readonly status: 'open' | 'closed' | 'settled'
  /** Of the open lots, or of the last held ones. */
  readonly direction: Side
  readonly size: SizeE6
  /** Cost of open lots, without fees. */
  readonly cost: MoneyE6
  readonly lots: readonly Lot[]
  readonly realized: MoneyE6
  readonly fees: MoneyE6
  readonly openedAt: Millis
  readonly lastFillAt: Millis
  readonly closedAt: Millis | null
}

const MARKET = 0

/**
 * Folds the entries of one market and mode into its position, first in, first out (methodology J1):
 * buying the other side closes the position first.
 */
export class PositionFold {
  readonly #positions = new Positions()
  #direction: Side | null = null
  #fees = 0
  #openedAt: Millis | null = null
  #lastFillAt: Millis | null = null
  #closedAt: Millis | null = null
  #isSettled = false
  #openings = 0
  #allocatedSize = 0

  /** How often a fill opened the position. */
  get openings(): number {
    return this.#openings
  }

  /** Open lots, oldest first; `tag` is the number of the entry that opened it, from 0. */
  get lots(): readonly Lot[] {
    return this.#positions.lots(MARKET)
  }

  /** Closed lots in order; `tag` is the number of the entry that opened it, from 0. */
  closedLots(): ClosedLots {
    return this.#positions.closedLots()
  }

  /** After the fees of both legs. */
  get realized(): MoneyE6 {
    return this.#positions.realised
  }

  /** Number of closed lots. */
  get closedCount(): number {
    return this.#positions.closedCount
  }

  /** Applies the next entry; returns the realised profit, null when nothing was closed. */
  apply(entry: FoldedEntry): MoneyE6 | null {
    this.#allocatedSize += 1
    if (entry.eventType === 'fill') return this.#fill(entry)
    return entry.eventType === 'settlement' ? this.#settle(entry) : null
  }

  /** Null before the first fill. */
  position(): FoldedPosition | null {
    const [direction, openedAt, lastFillAt] = [this.#direction, this.#openedAt, this.#lastFillAt]
    if (direction === null || openedAt === null || lastFillAt === null) return null
    const lots = this.#positions.lots(MARKET)
    const size = lots.reduce((sum, lot) => sum + lot.size, 0) as SizeE6
    return {
      status: size > 0 ? 'open' : this.#isSettled ? 'settled' : 'closed',
      direction,
      size,
      lots,
      cost: this.#positions.cost,
      openedAt,
      lastFillAt,
      realized: this.#positions.realised,
      fees: this.#fees as MoneyE6,
      closedAt: size > 0 ? null : this.#closedAt,
    }
  }

  #fill({ action, direction, size, price, fee, occurredAt }: FoldedEntry): MoneyE6 | null {
    if (action === null || direction === null || size === null || price === null) return null
    const other: Side = direction === 'yes' ? 'no' : 'yes'
    // A sale is a purchase of the other side: it closes the position, and the remainder opens the
    // other side.
    const boughtSide = action === 'buy' ? direction : other
    const paidPrice = action === 'buy' ? price : otherSide(price)
    const side = this.#positions.lots(MARKET)[0]?.side ?? null
    const net = Math.abs(this.#positions.net(MARKET))
    const closing = (side !== null && side !== boughtSide ? Math.min(net, size) : 0) as SizeE6
    const opening = (size - closing) as SizeE6
    const closingFee = (opening === 0 ? fee : Math.round(fee * (closing / size))) as MoneyE6
    this.#fees += fee
    this.#lastFillAt = occurredAt
    let realized: MoneyE6 | null = null
    if (closing > 0) {
      const exit = otherSide(paidPrice)
      realized = this.#positions.close(MARKET, closing, exit, closingFee, occurredAt, 'traded')
      if (closing === net) this.#closedAt = occurredAt
    }
    if (opening > 0) {
      const lot = {
        side: boughtSide,
        size: opening,
        price: paidPrice,
        tag: this.#allocatedSize - 1,
      }
      const entryFee = (fee - closingFee) as MoneyE6
      if (this.#positions.net(MARKET) === 0) {
        this.#openedAt = occurredAt
        this.#openings += 1
      }
      this.#positions.open(MARKET, { ...lot, fee: entryFee, openedAt: occurredAt })
      this.#direction = boughtSide
      this.#isSettled = false
    }
    return realized
  }

  /**
   * @param entry its price is the payout of its direction, or of the held side without one; no
   * price for a void, which returns the cost
   */
  #settle({ price, result, direction, fee, occurredAt }: FoldedEntry): MoneyE6 | null {
    this.#fees += fee
    const size = Math.abs(this.#positions.net(MARKET)) as SizeE6
    if (size === 0) return null
    const previous = this.#positions.realised
    const side = this.#positions.lots(MARKET)[0]?.side
    if (result === 'void' || price === null) this.#positions.void(MARKET, occurredAt)
    else {
      const payout = direction === null || direction === side ? price : otherSide(price)
      this.#positions.close(MARKET, size, payout, fee, occurredAt, 'settled')
    }
    this.#isSettled = true
    this.#closedAt = occurredAt
    return (this.#positions.realised - previous) as MoneyE6
  }
}

/** The position of entries in order, oldest first; null when nothing was traded. */
export function foldPosition(entries: Iterable<FoldedEntry>): FoldedPosition | null {
  const fold = new PositionFold()
  for (const entry of entries) fold.apply(entry)
  return fold.position()
}

/** A market's position with the market fields of its newest entry. */
export interface LedgerPosition extends FoldedPosition {
  readonly mode: LedgerEntry['mode']
  readonly venue: NonNullable<LedgerEntry['venue']>
  readonly ticker: string
  readonly marketTitle: string
  readonly category: string
  readonly confidence: LedgerEntry['confidence']
  /** Of the fill that opened it. */
  readonly thesisId: LedgerEntry['thesisId']
  readonly strategyId: LedgerEntry['strategyId']
  readonly viewId: LedgerEntry['viewId']
  /** Bases for which its contracts were bought, oldest first; empty unless it is open. */
  readonly parts: readonly PositionAllocation[]
}

/** The positions of the entries of one account, oldest entry first, by ticker. */
export function foldMarkets(entries: Iterable<LedgerEntry>): Map<string, LedgerPosition> {
  const folds = new Map<
    string,
    { fold: PositionFold; parts: PositionAllocations; last: LedgerEntry; opening: LedgerEntry }
  >()
  for (const entry of withoutReversed([...entries])) {
    if (entry.ticker === null || entry.venue === null) continue
    const first = {
      fold: new PositionFold(),
      parts: new PositionAllocations(),
      last: entry,
      opening: entry,
    }
    const existing = folds.get(entry.ticker) ?? first
    const { openings } = existing.fold
    existing.fold.apply(entry)
    existing.parts.apply(entry)
    existing.last = entry
    if (existing.fold.openings > openings) existing.opening = entry
    folds.set(entry.ticker, existing)
  }
  const positions = new Map<string, LedgerPosition>()
  for (const [ticker, { fold, parts, last, opening }] of folds) {
    const position = fold.position()
    if (position === null || last.venue === null) continue
    positions.set(ticker, {
      ...position,
      ticker,
      mode: last.mode,
      venue: last.venue,
      confidence: last.confidence,
      thesisId: opening.thesisId,
      strategyId: opening.strategyId,
      viewId: opening.viewId,
      parts: parts.open,
      marketTitle: last.marketTitle ?? ticker,
      category: last.category ?? 'other',
    })
  }
  return positions
}

/** The open positions of one account after its entries, in the order of the ledger. */
export const openPositionsOf = (entries: Iterable<LedgerEntry>): LedgerPosition[] =>
  [...foldMarkets(entries).values()].filter(({ status }) => status === 'open')
