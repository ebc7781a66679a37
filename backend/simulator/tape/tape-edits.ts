import type { Venue } from '../../domain/market.ts'
import type { SimMarket } from '../catalogue/market.ts'
import type { SimTrade } from './sim-trade.ts'

/** A span whose trades are removed; bounds in ms, the first exclusive. */
interface TradeRemoval {
  readonly venue: Venue
  /** Null: every market of the venue. */
  readonly market: SimMarket | null
  readonly from: number
  readonly to: number
}

/** An edit of a trade: removed, or printed again. */
interface Edit {
  readonly original: SimTrade
  readonly replacement: SimTrade | null
}

/** A trade that is published at an instant other than its own. */
export interface LateTrade {
  readonly at: number
  readonly trade: SimTrade
}

/** Changes of the generated trades: lost, late, corrected, or prevented ones. */
export class TapeEdits {
  readonly #cuts: TradeRemoval[] = []
  readonly #edits = new Map<SimMarket, Map<string, Edit>>()
  readonly #lateTrades: LateTrade[] = []

  get isEmpty(): boolean {
    return this.#cuts.length === 0 && this.#edits.size === 0
  }

  /** Removes the trades of (from, to]; null means every market of the venue. */
  removeTrades(venue: Venue, market: SimMarket | null, from: number, to: number): void {
    this.#cuts.push({ venue, market, from, to })
  }

  /** Removes a trade. */
  remove(trade: SimTrade): void {
    this.#edit(trade, null)
  }

  /** Restores a removed trade; it is published at `at`. */
  restore(trade: SimTrade, at: number): void {
    this.#edits.get(trade.market)?.delete(tradeKey(trade))
    this.#lateTrades.push({ at, trade })
  }

  /** Prints a trade with other values under its existing id; it is published at `at`. */
  correct(trade: SimTrade, figures: { price: number; size: number }, at: number): SimTrade {
    const correctedTrade = { ...trade, ...figures }
    this.#edit(trade, correctedTrade)
    this.#lateTrades.push({ at, trade: correctedTrade })
    return correctedTrade
  }

  /** Trades published in (from, to], whenever they happened. */
  reportedWithin(from: number, to: number): SimTrade[] {
    return this.#lateTrades.filter(({ at }) => at > from && at <= to).map(({ trade }) => trade)
  }

  /** The current trades of one hour. */
  withEdits(market: SimMarket, trades: readonly SimTrade[]): readonly SimTrade[] {
    const edits = this.#edits.get(market)
    const cuts = this.#cutsOf(market)
    if (edits === undefined && cuts.length === 0) return trades
    return trades.flatMap((trade) => {
      if (cuts.some((removal) => isWithin(removal, trade))) return []
      const edit = edits?.get(tradeKey(trade))
      if (edit === undefined) return [trade]
      return edit.replacement === null ? [] : [edit.replacement]
    })
  }

  /**
   * Size removed from the generated trades until an instant, in hundredths of contracts and in 1e-4
   * dollars of it. @param tradesBetween the generated trades of a span
   */
  missing(
    market: SimMarket,
    at: number,
    tradesBetween: (from: number, to: number) => readonly SimTrade[],
  ): { size: number; dollars: number } {
    const removedTrades = this.#cutsOf(market).flatMap((removal) =>
      tradesBetween(removal.from, Math.min(removal.to, at)),
    )
    let size = removedTrades.reduce((sum, trade) => sum + trade.size, 0)
    let dollars = removedTrades.reduce((sum, trade) => sum + trade.size * trade.price, 0)
    for (const { original, replacement } of this.#edits.get(market)?.values() ?? []) {
      if (original.at > at) continue
      size += original.size - (replacement?.size ?? 0)
      dollars +=
        original.size * original.price -
        (replacement === null ? 0 : replacement.size * replacement.price)
    }
    return { size, dollars }
  }

  #edit(trade: SimTrade, replacement: SimTrade | null): void {
    const marketEdits = this.#edits.get(trade.market) ?? new Map<string, Edit>()
    const key = tradeKey(trade)
    const original = marketEdits.get(key)?.original ?? trade
    marketEdits.set(key, { original, replacement })
    this.#edits.set(trade.market, marketEdits)
  }

  #cutsOf(market: SimMarket): readonly TradeRemoval[] {
    return this.#cuts.filter(
      (removal) =>
        removal.venue === market.venue && (removal.market === null || removal.market === market),
    )
  }
}

const tradeKey = ({ hour, index }: SimTrade): string => `${hour}:${index}`
const isWithin = ({ from, to }: TradeRemoval, { at }: SimTrade): boolean => at > from && at <= to
