import type { Venue } from '../domain/market.ts'
import { SECOND, type Millis } from '../domain/units.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import type { TradeRow } from '../history/market-rows.ts'
import type { TradePrinted } from '../venues/connector.ts'
import { CLOCK_TOLERANCE } from '../venues/parsed.ts'
import { RecentIds } from './dedupe.ts'
import { IdFilter } from './id-filter.ts'

const REMEMBERED = 100_000
/** Socket and REST state the time of one trade to the second, not always to the millisecond. */
const SAME_TIME = SECOND

/** What a venue says of a trade under its id. */
type Figures = Pick<TradePrinted, 'at' | 'price' | 'size' | 'takerSide' | 'isBlock'>

/** What was said under an id; `isLost` when it was told to the process and never reached the disk. */
interface Said extends Figures {
  /** Null where it was no longer remembered as it was lost. */
  readonly market: MarketId | null
  /** When it was known; its time is stored as no later one. */
  readonly knownAt: Millis
  readonly isLost?: true
}

/** A trade as its venue states it, that was stored by a clock that was wrong. */
export interface Misdated extends Figures {
  readonly market: MarketId
  readonly tradeId: string
}

/** Trades of one delivery, told apart. */
export interface SortedTrades {
  /** To be stored. */
  readonly fresh: ReadonlySet<TradePrinted>
  /** Those of the fresh that the process heard of before. */
  readonly told: ReadonlySet<TradePrinted>
  /** Known trades with other figures than before: the newest word is theirs. */
  readonly corrected: ReadonlySet<TradePrinted>
}

/**
 * Tells trades that are new from those seen in this run or stored by an earlier one, and from those
 * that the venue states anew with other figures.
 */
export class NewTrades {
  readonly #history: HistoryStore
  readonly #seen: Record<Venue, RecentIds<Said>>
  /** Trades up to here may have been stored by others: an earlier run, an import. */
  readonly #storedUntil: Partial<Record<Venue, Millis>> = {}
  /** Trades that were stored by this run and are no longer remembered: the newest, and their ids. */
  readonly #forgotten: Partial<Record<Venue, { until: Millis; readonly ids: IdFilter }>> = {}
  /** What was said and stored, by a history that has lost rows since. */
  readonly #doubted = new WeakSet<Said>()
  /** Trades refused so far. */
  duplicates = 0

  /** @param remembered of so many trades a venue at least a repetition is known without a look into history */
  constructor(history: HistoryStore, remembered = REMEMBERED) {
    this.#history = history
    const seenOf = (venue: Venue): RecentIds<Said> =>
      new RecentIds(remembered, (forgotten) => this.#forget(venue, forgotten))
    this.#seen = { venue_a: seenOf('venue_a'), venue_b: seenOf('venue_b') }
  }

  /**
   * Learns up to when others (an earlier run, an import) stored trades; only those, and the ones that
   * this run stored and no longer remembers, need a look into history.
   */
  async resume(venues: readonly Venue[]): Promise<void> {
    for (const venue of venues) {
      const newest = await this.#history.newestTradeAt(venue)
      if (newest === null) continue
      const until = Math.max(newest, this.#storedUntil[venue] ?? newest)
      this.#storedUntil[venue] = until as Millis
    }
  }

  #forget(venue: Venue, said: ReadonlyMap<string, Said>): void {
    for (const [id, { at, isLost }] of said) {
      if (isLost === true) continue
      const forgotten = (this.#forgotten[venue] ??= { until: at, ids: new IdFilter() })
      forgotten.ids.add(id)
      if (at > forgotten.until) forgotten.until = at
    }
  }

  /** Whether history has to be asked for a trade that is not remembered. */
  #mayBeStored({ venue, tradeId, at, origin }: TradePrinted): boolean {
    // What was stated ahead of our clock is stored as of its receipt; a stream states nothing anew.
    const ahead = origin === 'live' ? SAME_TIME : CLOCK_TOLERANCE
    const storedUntil = this.#storedUntil[venue]
    if (storedUntil !== undefined && at <= storedUntil + ahead) return true
    const forgotten = this.#forgotten[venue]
    if (forgotten === undefined || at > forgotten.until + ahead) return false
    return forgotten.ids.mayHold(tradeId)
  }

  /**
   * Sorts trades of known markets; those of unknown markets are left out.
   * @param now when they are told, by our clock
   */
  async among(
    trades: readonly TradePrinted[],
    marketOf: (trade: TradePrinted) => MarketId | null,
    now: Millis,
  ): Promise<SortedTrades> {
    const fresh = new Set<TradePrinted>()
    const told = new Set<TradePrinted>()
    const corrected = new Set<TradePrinted>()
    const perhapsStored = new Map<MarketId, TradePrinted[]>()
    for (const trade of trades) {
      const market = marketOf(trade)
      if (market === null) continue
      const seen = this.#seen[trade.venue].get(trade.tradeId)
      const isDoubted = seen !== null && this.#doubted.has(seen)
      if (seen !== null && seen.isLost !== true && !isDoubted) {
        if (isSame(seen, trade)) {
          this.duplicates += 1
        } else {
          this.#seen[trade.venue].set(trade.tradeId, saidOf(trade, market, now))
          corrected.add(trade)
        }
        continue
      }
      this.#seen[trade.venue].set(trade.tradeId, saidOf(trade, market, now))
      fresh.add(trade)
      if (seen !== null) told.add(trade)
      if (!isDoubted && !this.#mayBeStored(trade)) continue
      const sameMarket = perhapsStored.get(market)
      if (sameMarket === undefined) perhapsStored.set(market, [trade])
      else sameMarket.push(trade)
    }
    for (const [market, candidates] of perhapsStored) {
      const stored = await this.#stored(market, candidates)
      for (const trade of candidates) {
        const held = stored.get(trade.tradeId)
        if (held === undefined) continue
        fresh.delete(trade)
        if (isSame(storedFigures(held, trade), trade)) this.duplicates += 1
        else corrected.add(trade)
      }
    }
    return { fresh, told, corrected }
  }

  /** These were taken and never reached the disk: they are new once more. */
  lost(trades: readonly TradePrinted[]): void {
    for (const trade of trades) {
      const seen = this.#seen[trade.venue]
      const said = seen.get(trade.tradeId) ?? saidOf(trade, null, trade.receivedAt)
      seen.set(trade.tradeId, { ...said, isLost: true })
    }
  }

  /**
   * Our clock was set: trades that it dated wrongly, of those remembered. One that was told ahead of a
   * clock that was behind is stored as of its receipt; one that a clock far ahead took is known in
   * time to come alone. They count as known from now on.
   * @param step by how much the clock was set, in ms
   */
  misdated(step: number, now: Millis): readonly Misdated[] {
    const found: Misdated[] = []
    for (const seen of Object.values(this.#seen)) {
      for (const [tradeId, said] of seen.entries()) {
        const { knownAt, isLost, market, ...figures } = said
        // A venue may be ahead of us by itself, by less.
        const wasBehind = step > 0 && said.at - knownAt >= step / 2
        if (isLost === true || market === null || !(wasBehind || knownAt > now)) continue
        // A clock that is behind now tells nothing better of what is to come for it.
        if (said.at > now) continue
        found.push({ market, tradeId, ...figures })
        seen.set(tradeId, { ...said, knownAt: now })
      }
    }
    return found
  }

  /**
   * History has lost rows: whether a trade that was said so far is stored has to be asked again.
   * @param stored resolves when all of them are stored or lost
   */
  async doubt(stored: () => Promise<void>): Promise<void> {
    const said = Object.values(this.#seen).flatMap((seen) => seen.values())
    await stored()
    for (const one of said) this.#doubted.add(one)
  }

  #stored(
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

function saidOf(trade: TradePrinted, market: MarketId | null, now: Millis): Said {
  const { at, price, size, takerSide, isBlock, origin, receivedAt } = trade
  const isPast = origin === 'backfilled' || origin === 'imported'
  return { at, price, size, takerSide, isBlock, market, knownAt: isPast ? receivedAt : now }
}

/** What is stored of a trade: a time that is that of its receipt contradicts no later one. */
const storedFigures = ({ ts, ...figures }: TradeRow, { at }: TradePrinted): Figures => ({
  ...figures,
  at: ts < at && at - ts <= CLOCK_TOLERANCE ? at : ts,
})

/** A side that one statement leaves out contradicts nothing. */
function isSame(before: Figures, now: Figures): boolean {
  return (
    before.price === now.price &&
    before.size === now.size &&
    before.isBlock === now.isBlock &&
    (before.takerSide === now.takerSide || before.takerSide === null || now.takerSide === null) &&
    Math.abs(before.at - now.at) < SAME_TIME
  )
}
