import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { moneyOf, otherSide } from '../../domain/backtest/broker/fill-model.ts'
import type { Side } from '../../domain/market.ts'
import { CorrectedFold } from '../../domain/portfolio/corrected-fold.ts'
import { reversalOf, reversedId, withoutReversed } from '../../domain/portfolio/correction.ts'
import {
  paperSettlementKey,
  type LedgerEntry,
  type NewLedgerEntry,
} from '../../domain/portfolio/ledger.ts'
import { foldMarkets } from '../../domain/portfolio/position-fold.ts'
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
  readonly #invalidatedUsers = new Set<string>()
  /** Users of a market that was settled on paper: the venue may change its result. */
  readonly #paidOut = new Map<string, Set<string>>()

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
    for (const entry of entries) this.#recordPayout(userId, entry)
    const openAccount = { account, epoch, tickers }
    this.#open.set(userId, openAccount)
    this.#invalidatedUsers.delete(userId)
    return openAccount
  }

  /** Reopens the account from the ledger on next use. */
  invalidate(userId: string): void {
    if (this.#open.delete(userId)) this.#invalidatedUsers.add(userId)
  }

  /** The user was removed. */
  drop(userId: string): void {
    this.#open.delete(userId)
    this.#invalidatedUsers.delete(userId)
  }

  applyBook(market: MarketId, book: UsableBook): void {
    for (const { account } of this.#open.values()) account.applyBook(market, book)
  }

  /** Users who may hold a market on paper. */
  holders(market: MarketId): string[] {
    const affectedAccounts = [...this.#open].filter(([, { account }]) => account.net(market) !== 0)
    return [...affectedAccounts.map(([userId]) => userId), ...this.#invalidatedUsers]
  }

  /** Users who were paid for a market on paper. */
  usersPaidFor(ticker: string): string[] {
    return [...(this.#paidOut.get(ticker) ?? [])]
  }

  /** Markets that a user was paid for since an instant. */
  async marketsPaidSince(userId: string, since: Millis, at: Millis): Promise<string[]> {
    const { epoch } = await this.open(userId, at)
    const entries = await this.#deps.ledger.trades(userId, { mode: 'paper', epoch })
    const paidEntries = entries.filter(
      ({ eventType, occurredAt }) => eventType === 'settlement' && occurredAt >= since,
    )
    return [...new Set(paidEntries.flatMap(({ ticker }) => ticker ?? []))]
  }

  #recordPayout(userId: string, { eventType, ticker }: NewLedgerEntry): void {
    if (eventType !== 'settlement' || ticker === null) return
    const users = this.#paidOut.get(ticker) ?? new Set()
    this.#paidOut.set(ticker, users.add(userId))
  }

  /** Users with any position, or possibly one. */
  *investors(): Generator<string> {
    yield* this.#invalidatedUsers
    for (const [userId, { account }] of this.#open) {
      for (const market of account.markets) {
        if (account.net(market) === 0) continue
        yield userId
        break
      }
    }
  }

  /**
   * Books the settlement of a market that a user holds, or a result that changed since; null when
   * there is nothing to pay yet.
   */
  async settle(userId: string, ticker: string, at: Millis): Promise<LedgerEntry | null> {
    const view = await this.#deps.board.market(ticker, null)
    if (view === null || view.status !== 'settled') return null
    const yes = yesPriceOf(view)
    if (yes === null && view.facts.result !== 'void') return null
    const { account, epoch } = await this.open(userId, at)
    if (account.net(view.market) === 0) return this.#amend(userId, view, at)
    const settlement = account.settle(view.market, yes, at)
    if (settlement === null) return null
    const side = settlement.net > 0 ? ('yes' as const) : ('no' as const)
    const payout: Payout = {
      direction: side,
      size: Math.abs(settlement.net) as SizeE6,
      price: payoutOf(side, settlement.price),
      cashDelta: settlement.paid,
    }
    return this.#book(userId, [settlementEntry(view, payout, epoch, at)], at)
  }

  /** Books a result that the venue changed after it was paid; null when it is the one that counts. */
  async #amend(userId: string, view: MarketView, at: Millis): Promise<LedgerEntry | null> {
    const { epoch } = await this.open(userId, at)
    const { ticker } = view.facts
    const account = { mode: 'paper' as const, epoch }
    const entries = await this.#deps.ledger.trades(userId, account, ticker)
    const current = withoutReversed(entries).findLast(({ eventType }) => eventType === 'settlement')
    // Rows of an account at a venue state what the venue paid.
    if (current === undefined || current.source.startsWith('import_')) return null
    const { direction, size } = current
    if (direction === null || size === null) return null
    const price = payoutOf(direction, yesPriceOf(view))
    if (price === current.price) return null
    const previous = entries.filter(({ id }) => id !== current.id)
    const cost = foldMarkets(previous).get(ticker)?.cost ?? 0
    const cashDelta = (price === null ? cost : moneyOf(price, size)) as MoneyE6
    const payout: Payout = { direction, size, price, cashDelta }
    const changes = entries.filter(
      (entry) => reversedId(entry) === null && entry.eventType === 'settlement',
    )
    const replacement = {
      ...settlementEntry(view, payout, epoch, at),
      source: 'reconcile' as const,
      key: `${paperSettlementKey(epoch, ticker)}:${changes.length + 1}`,
      payload: { corrects: current.id },
    }
    const entryFields = {
      id: newId('ple', at),
      occurredAt: at,
      note: 'the venue changed the result',
    }
    const bookedEntry = await this.#book(
      userId,
      [reversalOf(current, entryFields), replacement],
      at,
    )
    // The broker paid the former result.
    this.invalidate(userId)
    return bookedEntry
  }

  /** Writes entries of a market, and returns the last. */
  async #book(
    userId: string,
    entries: readonly NewLedgerEntry[],
    at: Millis,
  ): Promise<LedgerEntry | null> {
    try {
      const realized = await this.realizedByEach(userId, entries)
      const bookedEntries = entries.map((entry, n) => ({ ...entry, realized: realized[n] ?? null }))
      const newEntries = await this.#deps.ledger.book(userId, { entries: bookedEntries }, at)
      for (const entry of newEntries) this.#recordPayout(userId, entry)
      return newEntries.at(-1) ?? null
    } catch (error) {
      this.invalidate(userId)
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
    const fold = new CorrectedFold()
    for (const entry of await this.#deps.ledger.trades(userId, { mode, epoch }, ticker))
      fold.apply(entry)
    return entries.map((entry) => fold.apply(entry))
  }
}

/** The payout of a settlement for the contracts of a position. */
type Payout = Pick<LedgerEntry, 'direction' | 'size' | 'price' | 'cashDelta'>

/** Price of YES at which a market was paid; null for a void. */
function yesPriceOf({ facts }: MarketView): PriceE4 | null {
  const cents = settledPrice(facts)
  return cents === null ? null : priceOfCents(cents)
}

const payoutOf = (side: Side, yes: PriceE4 | null): PriceE4 | null =>
  yes === null || side === 'yes' ? yes : otherSide(yes)

const settlementEntry = (
  { facts }: MarketView,
  payout: Payout,
  epoch: number,
  at: Millis,
): NewLedgerEntry => ({
  id: newId('ple', at),
  eventType: 'settlement',
  mode: 'paper',
  epoch,
  source: 'autopilot',
  occurredAt: at,
  venue: facts.venue,
  ticker: facts.ticker,
  marketTitle: facts.title,
  category: facts.category,
  action: null,
  ...payout,
  fee: 0 as MoneyE6,
  slippage: null,
  realized: null,
  result: facts.result,
  orderId: null,
  liquidity: null,
  tickId: null,
  intentId: null,
  confidence: 'unknown',
  key: paperSettlementKey(epoch, facts.ticker),
  note: null,
  payload: {},
})
