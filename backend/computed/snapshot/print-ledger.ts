import {
  ADVERSE_SELECTION_PARAMS,
  costOfPrint,
  openPrints,
  type DatedPrintCost,
  type OpenPrint,
  type PrintCost,
} from '../../domain/regime/adverse-selection.ts'
import { headlinePrice, markOf, usableBook } from '../../domain/prices/price.ts'
import type { MarkedQuotes, PrintColumns } from '../../domain/regime/signed-prints.ts'
import {
  centsOf,
  contractsOf,
  HOUR,
  MINUTE,
  type Cents,
  type Millis,
  type PriceE4,
  type SizeE6,
} from '../../domain/units.ts'
import type { HistoryColumns, PrintedColumns, QuotedColumns } from '../../history/context-store.ts'
import { NO_PRICE } from '../../history/history-batch.ts'
import type { MarketId } from '../../history/market-key.ts'
import { rangesOf, type RowRange } from './row-ranges.ts'

/** A valid quote is stored again every five minutes; a longer gap means that it was lost. */
const MAX_QUOTE_GAP = (6 * MINUTE) as Millis
/**
 * Lookback for trades before the first counted one, for the tick rule, and for quotes before it.
 */
const WARM_UP = HOUR
/** Markets whose ticks are read together when a week is read. */
const BATCH_SIZE = 400

const { window: WINDOW, horizon: HORIZON, maxTrades: MAX_TRADES } = ADVERSE_SELECTION_PARAMS

/**
 * Costs of the prints of the last seven days to takers and makers, by market: read completely once,
 * then only prints that became measurable since, and completely again for markets with late rows.
 */
export class PrintLedger {
  readonly #history: Pick<HistoryColumns, 'printsOf' | 'quotesOf' | 'lateMarkets'>
  #at: Millis | null = null
  #costs = new Map<MarketId, DatedPrintCost[]>()
  /** Prints without a known later mark. */
  #open = new Map<MarketId, readonly OpenPrint[]>()

  constructor(history: Pick<HistoryColumns, 'printsOf' | 'quotesOf' | 'lateMarkets'>) {
    this.#history = history
  }

  /** Trades arrived late or were corrected: the next read starts over. */
  invalidate(): void {
    this.#at = null
    this.#costs = new Map()
    this.#open = new Map()
  }

  /** Costs of the prints in (at − 7 d, at − 5 min] of each market that has any, as known at `at`. */
  async moveTo(at: Millis): Promise<void> {
    if (this.#at === at) return
    try {
      await this.#moveTo(at)
    } catch (error) {
      // Some markets may already hold the new costs, which a retry would add again.
      this.invalidate()
      throw error
    }
  }

  async #moveTo(at: Millis): Promise<void> {
    const previous = this.#at
    if (previous === null || previous > at || at - previous >= WINDOW) {
      this.invalidate()
      await this.#read(null, (at - WINDOW) as Millis, at)
    } else {
      const lateQuery = { from: (at - WINDOW - WARM_UP) as Millis, before: previous, asOf: at }
      const lateMarkets = new Set(await this.#history.lateMarkets(lateQuery))
      await this.#read(null, (previous - HORIZON) as Millis, at, lateMarkets)
      for (const market of lateMarkets) {
        this.#costs.delete(market)
        this.#open.delete(market)
      }
      if (lateMarkets.size > 0) await this.#read([...lateMarkets], (at - WINDOW) as Millis, at)
    }
    for (const [market, costs] of this.#costs) {
      const recent = costs.filter(({ ts }) => ts > at - WINDOW).slice(-MAX_TRADES)
      if (recent.length === 0) this.#costs.delete(market)
      else this.#costs.set(market, recent)
    }
    this.#at = at
  }

  /** Reads the prints after `since` of these markets, or of all except some. */
  async #read(
    marketIds: readonly MarketId[] | null,
    since: Millis,
    at: Millis,
    except: ReadonlySet<MarketId> = new Set(),
  ): Promise<void> {
    const from = (since - WARM_UP) as Millis
    const prints = await this.#history.printsOf({ from, to: at, asOf: at, markets: marketIds })
    const ranges = rangesOf(prints.market)
    const openMarkets = marketIds === null ? this.#open.keys() : []
    const tradedMarkets = [...new Set([...ranges.keys(), ...openMarkets])].filter(
      (id) => !except.has(id),
    )
    for (let first = 0; first < tradedMarkets.length; first += BATCH_SIZE) {
      const markets = tradedMarkets.slice(first, first + BATCH_SIZE)
      const quotes = await this.#history.quotesOf({ from, to: at, asOf: at, markets })
      const quoteRanges = rangesOf(quotes.market)
      for (const market of markets) {
        const columns = printsIn(prints, ranges.get(market) ?? [0, 0])
        const markedQuoteRows = markedQuotes(quotes, quoteRanges.get(market) ?? [0, 0])
        this.#addPrints(market, openSince(columns, markedQuoteRows, since, at), markedQuoteRows, at)
      }
    }
  }

  costsOf(market: MarketId): readonly PrintCost[] {
    return this.#costs.get(market) ?? []
  }

  /** Measures the prints whose later mark is known; the others wait. */
  #addPrints(
    market: MarketId,
    printsToMark: readonly OpenPrint[],
    quotes: MarkedQuotes,
    at: Millis,
  ): void {
    const costs = this.#costs.get(market) ?? []
    const open: OpenPrint[] = []
    for (const print of [...(this.#open.get(market) ?? []), ...printsToMark]) {
      const cost = costOfPrint(print, quotes, at)
      if (cost !== null) costs.push(cost)
      else if (print.ts > at - WINDOW) open.push(print)
    }
    costs.sort((a, b) => a.ts - b.ts)
    if (costs.length > 0) this.#costs.set(market, costs)
    if (open.length > 0) this.#open.set(market, open)
    else this.#open.delete(market)
  }
}

/** Prints after `since` that are old enough at `at`. */
function openSince(
  prints: PrintColumns,
  quotes: MarkedQuotes,
  since: Millis,
  at: Millis,
): OpenPrint[] {
  const window = (at - since) as Millis
  return openPrints(prints, quotes, at, { ...ADVERSE_SELECTION_PARAMS, window })
}

const printsIn = (prints: PrintedColumns, [first, end]: RowRange): PrintColumns => ({
  ts: prints.ts.subarray(first, end),
  price: Float64Array.from(prints.price.subarray(first, end), (price) => price / 100),
  size: prints.size.subarray(first, end).map((size) => contractsOf(size as SizeE6)),
  taker: prints.taker.subarray(first, end),
})

/** Quotes with their marks and the last instant at which each is known to be valid. */
function markedQuotes(quotes: QuotedColumns, [first, end]: RowRange): MarkedQuotes {
  const ts = quotes.ts.subarray(first, end)
  const count = ts.length
  const unknown = () => new Float64Array(count).fill(NaN)
  const markedTrades = {
    ts,
    confirmedUntil: unknown(),
    bid: unknown(),
    ask: unknown(),
    mark: unknown(),
  }
  for (let i = 0; i < count; i++) {
    const at = ts[i] ?? NaN
    const next = ts[i + 1] ?? Infinity
    markedTrades.confirmedUntil[i] = next - at <= MAX_QUOTE_GAP ? next : at
    const book = usableBook({
      bid: centsOrNull(quotes.bid[first + i]),
      ask: centsOrNull(quotes.ask[first + i]),
      ageMs: 0,
      paused: false,
    })
    if (!book.bookValid) continue
    markedTrades.bid[i] = book.bid ?? NaN
    markedTrades.ask[i] = book.ask ?? NaN
    const { price } = headlinePrice({ last: null, ...book })
    markedTrades.mark[i] = markOf({ price, ...book }) ?? NaN
  }
  return markedTrades
}

const centsOrNull = (price: number | undefined): Cents | null =>
  price === undefined || price === NO_PRICE ? null : centsOf(price as PriceE4)
