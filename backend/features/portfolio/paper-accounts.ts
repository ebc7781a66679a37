import type { MarketBoard } from '../../computed/board/market-board.ts'
import {
  paperSettlementKey,
  type LedgerEntry,
  type NewLedgerEntry,
} from '../../domain/portfolio/ledger.ts'
import { foldMarkets, PositionFold } from '../../domain/portfolio/position-fold.ts'
import { settledPrice } from '../../domain/prices/price.ts'
import {
  priceOfCents,
  type Millis,
  type MoneyE6,
  type PriceE4,
  type SizeE6,
} from '../../domain/units.ts'
import type { MarketId } from '../../history/market-key.ts'
import { newId } from '../../lib/ids.ts'
import type { LedgerStore } from './ledger.store.ts'
import type { OrderBooks, UsableBook } from './order-books.ts'
import { PaperAccount, type HeldPosition } from './paper-account.ts'
import type { PortfolioStore } from './portfolio.store.ts'

/** An open paper account and the ledger epoch of its entries. */
export interface OpenAccount {
  readonly account: PaperAccount
  readonly epoch: number
  /** Positions at opening. */
  readonly tickers: ReadonlyMap<MarketId, string>
}

/** Dependencies of paper accounts. */
export interface PaperAccountsDeps {
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly board: MarketBoard
  readonly books: OrderBooks
}

/** Paper accounts in use, opened from the ledger on first use. */
export class PaperAccounts {
  readonly #deps: PaperAccountsDeps
  readonly #open = new Map<string, OpenAccount>()
  /** Users whose accounts must be reopened; their positions are unknown. */
  readonly #forgotten = new Set<string>()

  constructor(deps: PaperAccountsDeps) {
    this.#deps = deps
  }

  async open(userId: string, at: Millis): Promise<OpenAccount> {
    const existing = this.#open.get(userId)
    if (existing !== undefined) return existing
    const { portfolios, ledger, board, books } = this.#deps
    const { config, paperEpoch: epoch } = await portfolios.read(userId)
    const paper = { mode: 'paper' as const, epoch }
    const entries = await ledger.trades(userId, paper)
    const start = config.paperStartBalanceCents * 10_000
    const balance = (start + (await ledger.cashOf(userId, paper))) as MoneyE6
    const positions: HeldPosition[] = []
    for (const position of foldMarkets(entries).values()) {
      if (position.status !== 'open') continue
      const view = await board.market(position.ticker, null)
      if (view !== null) positions.push({ market: view.market, facts: view.facts, position })
    }
    const account = new PaperAccount({ rule: config.paperFill, balance, positions, at })
    for (const { market } of positions) {
      books.follow(market)
      const book = books.get(market)
      if (book !== null) account.applyBook(market, book)
    }
    const tickers = new Map(positions.map(({ market, facts }) => [market, facts.ticker]))
    const opened = { account, epoch, tickers }
    this.#open.set(userId, opened)
    this.#forgotten.delete(userId)
    return opened
  }

  /** Reopens the account from the ledger on next use. */
  forget(userId: string): void {
    if (this.#open.delete(userId)) this.#forgotten.add(userId)
  }

  /** The user was removed. */
  drop(userId: string): void {
    this.#open.delete(userId)
    this.#forgotten.delete(userId)
  }

  applyBook(market: MarketId, book: UsableBook): void {
    for (const { account } of this.#open.values()) account.applyBook(market, book)
  }

  /** Users who hold a market on paper, or possibly do. */
  holders(market: MarketId): string[] {
    const holding = [...this.#open].filter(([, { account }]) => account.net(market) !== 0)
    return [...holding.map(([userId]) => userId), ...this.#forgotten]
  }

  /** Users with any position, or possibly one. */
  *investors(): Generator<string> {
    yield* this.#forgotten
    for (const [userId, { account }] of this.#open) {
      for (const market of account.markets) {
        if (account.net(market) === 0) continue
        yield userId
        break
      }
    }
  }

  /**
   * Books the settlement of a market that a user holds; null without a position or without a payout
   * yet.
   */
  async settle(userId: string, ticker: string, at: Millis): Promise<LedgerEntry | null> {
    const { board, ledger } = this.#deps
    const view = await board.market(ticker, null)
    if (view === null || view.status !== 'settled') return null
    const { facts, market } = view
    const cents = settledPrice(facts)
    if (cents === null && facts.result !== 'void') return null
    const { account, epoch } = await this.open(userId, at)
    const settled = account.settle(market, cents === null ? null : priceOfCents(cents), at)
    if (settled === null) return null
    const side = settled.net > 0 ? ('yes' as const) : ('no' as const)
    const yes = settled.price
    const price = yes === null ? null : ((side === 'yes' ? yes : 10_000 - yes) as PriceE4)
    const entry: NewLedgerEntry = {
      id: newId('ple', at),
      eventType: 'settlement',
      mode: 'paper',
      epoch,
      source: 'autopilot',
      occurredAt: at,
      venue: facts.venue,
      ticker,
      marketTitle: facts.title,
      category: facts.category,
      action: null,
      direction: side,
      size: Math.abs(settled.net) as SizeE6,
      price,
      cashDelta: settled.paid,
      fee: 0 as MoneyE6,
      slippage: null,
      realized: null,
      result: facts.result,
      orderId: null,
      liquidity: null,
      tickId: null,
      intentId: null,
      confidence: 'unknown',
      key: paperSettlementKey(epoch, ticker),
      note: null,
      payload: {},
    }
    try {
      const [realized = null] = await this.realizedByEach(userId, [entry])
      const [booked] = await ledger.book(userId, { entries: [{ ...entry, realized }] }, at)
      return booked ?? null
    } catch (error) {
      this.forget(userId)
      throw error
    }
  }

  /** Realized profit of each new entry of one market, in sequence. */
  async realizedByEach(
    userId: string,
    entries: readonly NewLedgerEntry[],
  ): Promise<(MoneyE6 | null)[]> {
    const [first] = entries
    if (first === undefined || first.ticker === null) return []
    const { mode, epoch, ticker } = first
    const fold = new PositionFold()
    for (const entry of await this.#deps.ledger.trades(userId, { mode, epoch }, ticker))
      fold.apply(entry)
    return entries.map((entry) => fold.apply(entry))
  }
}
