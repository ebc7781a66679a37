import type { Venue } from '../domain/market.ts'
import { SECOND, type Millis } from '../domain/units.ts'
import { byVenue } from '../domain/venue.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { TradeRow } from '../history/market-rows.ts'
import type { TradePrinted } from '../venues/connector.ts'
import { CLOCK_TOLERANCE } from '../venues/parsed.ts'
import { RecentIds } from './dedupe.ts'
import { IdFilter } from './id-filter.ts'

const MAX_IDS = 100_000
/** Socket and REST state the time of a trade to the second, not always to the millisecond. */
const SAME_TIME = SECOND

/** Fields of a trade that a venue states under its id. */
type Figures = Pick<TradePrinted, 'at' | 'price' | 'size' | 'takerSide' | 'isBlock'>

/**
 * The newest statement under an id; `isLost` when the process received it but it never reached the
 * disk.
 */
interface StatedTrade extends Figures {
  /** Null when it was no longer remembered at the time of the loss. */
  readonly market: MarketId | null
  /** When it became known; its time is never stored as later than this. */
  readonly knownAt: Millis
  readonly isLost?: true
}

/** A trade as its venue states it that was stored under a wrong clock. */
export interface MisdatedTrade extends Figures {
  readonly market: MarketId
  readonly tradeId: string
}

/** The trades of one delivery, classified. */
export interface SortedTrades {
  /** To be stored. */
  readonly fresh: ReadonlySet<TradePrinted>
  /** Those of the fresh that the process received before. */
  readonly emitted: ReadonlySet<TradePrinted>
  /** Known trades with changed figures; the newest statement applies. */
  readonly corrected: ReadonlySet<TradePrinted>
}

/**
 * Separates new trades from those received in this run or stored by an earlier one, and from those
 * that the venue restates with other figures.
 */
export class NewTrades {
  readonly #history: HistoryStore
  readonly #recentTrades: Record<Venue, RecentIds<StatedTrade>>
  /** Trades up to this time may have been stored by an earlier run or an import. */
  readonly #storedUntil: Partial<Record<Venue, Millis>> = {}
  /** Trades that this run stored and no longer remembers: the time of the newest, and their ids. */
  readonly #forgotten: Partial<Record<Venue, { until: Millis; readonly ids: IdFilter }>> = {}
  /** Trades received before the history lost rows; whether they are stored is uncertain. */
  readonly #uncertain = new WeakSet<StatedTrade>()
  /** Number of duplicates so far. */
  duplicates = 0

  /**
   * @param maxIds at least this many trades of a venue are recognized without a history lookup
   */
  constructor(history: HistoryStore, maxIds = MAX_IDS) {
    this.#history = history
    const createRecentTrades = (venue: Venue): RecentIds<StatedTrade> =>
      new RecentIds(maxIds, (forgotten) => this.#forget(venue, forgotten))
    this.#recentTrades = byVenue(createRecentTrades)
  }

  /**
   * Reads up to when an earlier run or an import stored trades. Only those trades, and the ones
   * that this run stored and no longer remembers, need a history lookup.
   */
  async resume(venues: readonly Venue[]): Promise<void> {
    for (const venue of venues) {
      const newest = await this.#history.newestTradeAt(venue)
      if (newest === null) continue
      const until = Math.max(newest, this.#storedUntil[venue] ?? newest)
      this.#storedUntil[venue] = until as Millis
    }
  }

  #forget(venue: Venue, statedTrades: ReadonlyMap<string, StatedTrade>): void {
    for (const [id, { at, isLost }] of statedTrades) {
      if (isLost === true) continue
      const forgottenTrades = (this.#forgotten[venue] ??= { until: at, ids: new IdFilter() })
      forgottenTrades.ids.add(id)
      if (at > forgottenTrades.until) forgottenTrades.until = at
    }
  }

  /** Whether a trade that is not remembered needs a history lookup. */
  #mayBeStored({ venue, tradeId, at, origin }: TradePrinted): boolean {
    // A trade stated ahead of the local clock is stored at its receipt time; a stream restates
    // nothing.
    const aheadTolerance = origin === 'live' ? SAME_TIME : CLOCK_TOLERANCE
    const storedUntil = this.#storedUntil[venue]
    if (storedUntil !== undefined && at <= storedUntil + aheadTolerance) return true
    const forgottenTrades = this.#forgotten[venue]
    if (forgottenTrades === undefined || at > forgottenTrades.until + aheadTolerance) return false
    return forgottenTrades.ids.mayHold(tradeId)
  }

  /**
   * Classifies trades of known markets and omits those of unknown ones.
   * @param now the receipt time, by the local clock
   */
  async classify(
    trades: readonly TradePrinted[],
    marketOf: (trade: TradePrinted) => MarketId | null,
    now: Millis,
  ): Promise<SortedTrades> {
    const newTrades = new Set<TradePrinted>()
    const emittedTrades = new Set<TradePrinted>()
    const correctedTrades = new Set<TradePrinted>()
    const perhapsStored = new Map<MarketId, TradePrinted[]>()
    for (const trade of trades) {
      const market = marketOf(trade)
      if (market === null) continue
      const recentTrade = this.#recentTrades[trade.venue].get(trade.tradeId)
      const isUncertain = recentTrade !== null && this.#uncertain.has(recentTrade)
      if (recentTrade !== null && recentTrade.isLost !== true && !isUncertain) {
        if (isSame(recentTrade, trade)) {
          this.duplicates += 1
        } else {
          this.#recentTrades[trade.venue].set(trade.tradeId, toStatedTrade(trade, market, now))
          correctedTrades.add(trade)
        }
        continue
      }
      this.#recentTrades[trade.venue].set(trade.tradeId, toStatedTrade(trade, market, now))
      newTrades.add(trade)
      if (recentTrade !== null) emittedTrades.add(trade)
      if (!isUncertain && !this.#mayBeStored(trade)) continue
      const sameMarket = perhapsStored.get(market)
      if (sameMarket === undefined) perhapsStored.set(market, [trade])
      else sameMarket.push(trade)
    }
    for (const [market, candidates] of perhapsStored) {
      const storedTrades = await this.#storedIds(market, candidates)
      for (const trade of candidates) {
        const storedTrade = storedTrades.get(trade.tradeId)
        if (storedTrade === undefined) continue
        newTrades.delete(trade)
        if (isSame(storedFigures(storedTrade, trade), trade)) this.duplicates += 1
        else correctedTrades.add(trade)
      }
    }
    return { fresh: newTrades, emitted: emittedTrades, corrected: correctedTrades }
  }

  /** These trades were accepted and never reached the disk, so they count as new again. */
  dropLost(trades: readonly TradePrinted[]): void {
    for (const trade of trades) {
      const recentIds = this.#recentTrades[trade.venue]
      const statedTrade =
        recentIds.get(trade.tradeId) ?? toStatedTrade(trade, null, trade.receivedAt)
      recentIds.set(trade.tradeId, { ...statedTrade, isLost: true })
    }
  }

  /**
   * The local clock was set: returns the remembered trades with a wrong time. A trade stated ahead
   * of a slow clock was stored at its receipt time; one accepted under a fast clock has a `known
   * at` in the future. They count as known from now on.
   * @param step by how much the clock was set, in ms
   */
  takeMisdated(step: number, now: Millis): readonly MisdatedTrade[] {
    const misdatedTrades: MisdatedTrade[] = []
    for (const recentIds of Object.values(this.#recentTrades)) {
      for (const [tradeId, statedTrade] of recentIds.entries()) {
        const { knownAt, isLost, market, ...figures } = statedTrade
        // A venue's clock may be slightly ahead by itself.
        const wasBehind = step > 0 && statedTrade.at - knownAt >= step / 2
        if (isLost === true || market === null || !(wasBehind || knownAt > now)) continue
        // A clock that is now slow has no better time for trades in its future.
        if (statedTrade.at > now) continue
        misdatedTrades.push({ market, tradeId, ...figures })
        recentIds.set(tradeId, { ...statedTrade, knownAt: now })
      }
    }
    return misdatedTrades
  }

  /**
   * The history lost rows: trades received so far must be looked up again.
   * @param storeBatch resolves when all of them are stored or lost
   */
  async markUncertain(storeBatch: () => Promise<void>): Promise<void> {
    const statedTrades = Object.values(this.#recentTrades).flatMap((recentIds) =>
      recentIds.values(),
    )
    await storeBatch()
    for (const trade of statedTrades) this.#uncertain.add(trade)
  }

  #storedIds(
    market: MarketId,
    candidates: readonly TradePrinted[],
  ): Promise<ReadonlyMap<string, TradeRow>> {
    let [from, to] = [Infinity, -Infinity]
    for (const { at } of candidates) [from, to] = [Math.min(from, at), Math.max(to, at)]
    return this.#history.knownTrades(
      market,
      candidates.map((trade) => trade.tradeId),
      { from: from as Millis, to: to as Millis },
    )
  }
}

function toStatedTrade(trade: TradePrinted, market: MarketId | null, now: Millis): StatedTrade {
  const { at, price, size, takerSide, isBlock, origin, receivedAt } = trade
  const isPast = origin === 'backfilled' || origin === 'imported'
  return { at, price, size, takerSide, isBlock, market, knownAt: isPast ? receivedAt : now }
}

/** The stored figures of a trade; a stored time equal to its receipt contradicts no later time. */
const storedFigures = ({ ts, ...figures }: TradeRow, { at }: TradePrinted): Figures => ({
  ...figures,
  at: ts < at && at - ts <= CLOCK_TOLERANCE ? at : ts,
})

/** A taker side that one statement omits contradicts nothing. */
function isSame(previousFigures: Figures, now: Figures): boolean {
  return (
    previousFigures.price === now.price &&
    previousFigures.size === now.size &&
    previousFigures.isBlock === now.isBlock &&
    (previousFigures.takerSide === now.takerSide ||
      previousFigures.takerSide === null ||
      now.takerSide === null) &&
    Math.abs(previousFigures.at - now.at) < SAME_TIME
  )
}
