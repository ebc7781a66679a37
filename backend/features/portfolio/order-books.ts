import type { OrderBook } from '../../domain/market.ts'
import type { BestPrices } from '../../domain/portfolio/intent.ts'
import type { Millis, PriceE4, SizeE6 } from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'

/** The last state of a market's book. */
export interface UsableBook extends BestPrices {
  readonly bidSize: SizeE6 | null
  readonly askSize: SizeE6 | null
  /** Levels, when a book with these best prices was received. */
  readonly levels: OrderBook | null
  /** Venue's own time, and when it was received or confirmed. */
  readonly ts: Millis
  readonly arrivedAt: Millis
  /** Increases with every update. */
  readonly version: number
}

/** The used fields of a quote or book event. */
interface Received {
  readonly at: Millis
  readonly receivedAt: Millis
}
export interface ReceivedQuote extends Received {
  readonly bid: PriceE4 | null
  readonly bidSize: SizeE6 | null
  readonly ask: PriceE4 | null
  readonly askSize: SizeE6 | null
}

export type ReceivedBook = Received & OrderBook

/** The known state of a book when it is first followed. */
export interface KnownBook extends ReceivedQuote {
  readonly levels: OrderBook | null
}

/** The books of markets with open intents or positions. */
export class OrderBooks {
  readonly #books = new Map<MarketId, UsableBook | null>()
  readonly #currentBook: (market: MarketId) => KnownBook | null

  /** @param currentBook returns the known state of a market's book when it is first followed */
  constructor(currentBook: (market: MarketId) => KnownBook | null) {
    this.#currentBook = currentBook
  }

  isFollowed(market: MarketId): boolean {
    return this.#books.has(market)
  }

  follow(market: MarketId): void {
    if (this.#books.has(market)) return
    this.#books.set(market, null)
    const current = this.#currentBook(market)
    if (current === null) return
    this.applyQuote(market, current)
    if (current.levels !== null) this.applyBook(market, { ...current, ...current.levels })
  }

  get(market: MarketId): UsableBook | null {
    return this.#books.get(market) ?? null
  }

  /** Applies a quote; one without sizes keeps the sizes of an unchanged price. */
  applyQuote(market: MarketId, quote: ReceivedQuote): UsableBook | null {
    const existing = this.#books.get(market)
    if (existing === undefined || (existing !== null && existing.ts > quote.at)) return null
    const [bid, ask] = [tradable(quote.bid), tradable(quote.ask)]
    const isSame = existing !== null && existing.bid === bid && existing.ask === ask
    return this.#storeBook(market, quote, {
      bid,
      ask,
      levels: isSame ? existing.levels : null,
      bidSize:
        quote.bidSize ?? (existing !== null && existing.bid === bid ? existing.bidSize : null),
      askSize:
        quote.askSize ?? (existing !== null && existing.ask === ask ? existing.askSize : null),
    })
  }

  applyBook(market: MarketId, event: ReceivedBook): UsableBook | null {
    const existing = this.#books.get(market)
    if (existing === undefined || (existing !== null && existing.ts > event.at)) return null
    const { bids, asks } = event
    return this.#storeBook(market, event, {
      bid: tradable(bids[0]?.price ?? null),
      bidSize: bids[0]?.size ?? null,
      ask: tradable(asks[0]?.price ?? null),
      askSize: asks[0]?.size ?? null,
      levels: { bids, asks },
    })
  }

  #storeBook(
    market: MarketId,
    { at, receivedAt }: Received,
    book: Omit<UsableBook, 'ts' | 'arrivedAt' | 'version'>,
  ): UsableBook {
    const version = (this.#books.get(market)?.version ?? 0) + 1
    const updatedBook = { ...book, ts: at, arrivedAt: receivedAt, version }
    this.#books.set(market, updatedBook)
    return updatedBook
  }
}

/** 0 and 100 represent an empty side. */
const tradable = (price: PriceE4 | null): PriceE4 | null =>
  price === null || price <= 0 || price >= 10_000 ? null : price
