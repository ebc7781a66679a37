import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import { moneyOf } from '../../domain/backtest/broker/fill-model.ts'
import type { LiveAccount } from '../../domain/portfolio/live-account.ts'
import type { LedgerEntry, Mode } from '../../domain/portfolio/ledger.ts'
import { unbookedCost } from '../../domain/portfolio/live-order.ts'
import {
  foldMarkets,
  type FoldedPosition,
  type LedgerPosition,
} from '../../domain/portfolio/position-fold.ts'
import { settledPrice } from '../../domain/prices/price.ts'
import {
  DAY,
  MINUTE,
  priceOfCents,
  type Cents,
  type Millis,
  type MoneyE6,
  type PriceE4,
} from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LedgerStore } from './ledger.store.ts'
import {
  isLiveAt,
  liveAccountOf,
  type LedgerAccount,
  type LiveExchange,
  type ReadLiveExchange,
} from './live/live-exchange.ts'
import type { LiveOrdersStore } from './live/live-orders.store.ts'
import type { PortfolioRecord, PortfolioStore } from './portfolio.store.ts'

/** Prices older than this are marked stale. */
const STALE_AFTER = 15 * MINUTE

/** Value of a position at the side of the book it would be sold to (methodology J1). */
export interface AccountValue {
  /** Price of the held side; null if the market has no price at all. */
  readonly price: PriceE4 | null
  readonly priceAsOf: Millis | null
  readonly stale: boolean
  /** Its cost if no price is known. */
  readonly value: MoneyE6
}

/** Exact account figures at one instant. */
export interface AccountFigures {
  readonly portfolio: PortfolioRecord
  readonly account: LedgerAccount
  /** The account at the exchange as it was last read; null on paper. */
  readonly live: LiveAccount | null
  readonly balance: MoneyE6
  /** Cash of the ledger and value of positions: the result of trading, without deposits. */
  readonly result: MoneyE6
  /** Maximum cost of orders at the exchange beyond their booked fills, by ticker. */
  readonly resting: ReadonlyMap<string, MoneyE6>
  /** Cost of open lots. */
  readonly exposure: MoneyE6
  readonly equity: MoneyE6
  readonly unrealized: MoneyE6
  /** Since the start of the UTC day. */
  readonly dailyPnl: MoneyE6
  readonly realizedToday: MoneyE6
  readonly open: readonly { readonly position: LedgerPosition; readonly worth: AccountValue }[]
}

export interface AccountFiguresReader {
  /** The account that a user trades with now: at the exchange in live mode, else on paper. */
  current(userId: string): Promise<AccountFigures>
  /** The account of one mode now; null for live without an exchange. */
  figuresOfMode(userId: string, mode: Mode): Promise<AccountFigures | null>
  /** The paper account of a user now. */
  paper(userId: string): Promise<AccountFigures>
  /** The account of a user at an exchange; balances are those of the last reconciliation. */
  live(userId: string, exchange: LiveExchange): Promise<AccountFigures>
  positions(userId: string, mode: Mode, epoch: number): Promise<Map<string, LedgerPosition>>
  /** @param asOf instant of the price; null for now */
  valueOfPosition(
    position: Pick<LedgerPosition, 'ticker' | 'direction' | 'size' | 'cost'>,
    asOf: Millis | null,
  ): Promise<AccountValue>
}

export function createAccountFiguresReader(deps: {
  readonly portfolios: PortfolioStore
  readonly ledger: LedgerStore
  readonly board: MarketBoard
  readonly exchange: ReadLiveExchange
  readonly liveOrders: Pick<LiveOrdersStore, 'open'>
  readonly clock: Clock
}): AccountFiguresReader {
  const { portfolios, ledger, board, exchange, liveOrders, clock } = deps
  /** Equity of paper accounts at midnight, by user; `basis` names what it was computed from. */
  const midnights = new Map<string, { basis: string; equity: Promise<MoneyE6> }>()

  const viewOf = async (ticker: string, at: Millis | null): Promise<MarketView | null> =>
    (at === null ? board.live().get(ticker) : null) ?? (await board.market(ticker, at))

  /** Cached until the day ends, or an import books entries of an earlier day. */
  const equityAtMidnight = (
    userId: string,
    { paperEpoch, config }: PortfolioRecord,
    entries: readonly LedgerEntry[],
    now: Millis,
  ): Promise<MoneyE6> => {
    const midnight = (Math.floor(now / DAY) * DAY) as Millis
    const earlierEntries = entries.filter(({ occurredAt }) => occurredAt < midnight)
    const basis = [midnight, paperEpoch, config.paperStartBalanceCents, earlierEntries.length].join(
      ' ',
    )
    const existing = midnights.get(userId)
    if (existing?.basis === basis) return existing.equity
    const compute = async (): Promise<MoneyE6> => {
      let equity = config.paperStartBalanceCents * 10_000
      for (const { cashDelta } of earlierEntries) equity += cashDelta
      for (const position of foldMarkets(earlierEntries).values()) {
        if (position.status !== 'open') continue
        equity += worthIn(position, await viewOf(position.ticker, midnight), midnight).value
      }
      return equity as MoneyE6
    }
    const equity = compute()
    midnights.set(userId, { basis, equity })
    equity.catch(() => midnights.delete(userId))
    return equity
  }

  /** Open positions of an account now, with their value, cost and profit. */
  const positionsOf = async (entries: readonly LedgerEntry[], now: Millis) => {
    const midnight = Math.floor(now / DAY) * DAY
    let [exposure, value, realizedToday] = [0, 0, 0]
    for (const { occurredAt, realized } of entries) {
      if (occurredAt >= midnight) realizedToday += realized ?? 0
    }
    const open: { position: LedgerPosition; worth: AccountValue }[] = []
    for (const position of foldMarkets(entries).values()) {
      if (position.status !== 'open') continue
      const accountValue = worthIn(position, await viewOf(position.ticker, null), now)
      exposure += position.cost
      value += accountValue.value
      open.push({ position, worth: accountValue })
    }
    return {
      open,
      value,
      exposure: exposure as MoneyE6,
      unrealized: (value - exposure) as MoneyE6,
      realizedToday: realizedToday as MoneyE6,
    }
  }

  const paper = async (userId: string): Promise<AccountFigures> => {
    const now = clock.now()
    const portfolio = await portfolios.read(userId)
    const account = { mode: 'paper' as const, epoch: portfolio.paperEpoch }
    const entries = await ledger.trades(userId, account)
    const start = portfolio.config.paperStartBalanceCents * 10_000
    const balance = (start + (await ledger.cashOf(userId, account))) as MoneyE6
    const { value, ...positionFigures } = await positionsOf(entries, now)
    const equity = (balance + value) as MoneyE6
    return {
      ...positionFigures,
      portfolio,
      account,
      live: null,
      resting: new Map(),
      balance,
      equity,
      result: (equity - start) as MoneyE6,
      dailyPnl: (equity - (await equityAtMidnight(userId, portfolio, entries, now))) as MoneyE6,
    }
  }

  const live = async (userId: string, liveExchange: LiveExchange): Promise<AccountFigures> => {
    const now = clock.now()
    const midnight = (Math.floor(now / DAY) * DAY) as Millis
    const portfolio = await portfolios.read(userId)
    const account = { mode: 'live' as const, epoch: liveExchange.epoch }
    const liveAccount = liveAccountOf(portfolio, liveExchange)
    const entries = await ledger.trades(userId, account)
    const balance = Object.values(liveAccount.balances).reduce(
      (sum, cash) => sum + cash,
      0,
    ) as MoneyE6
    const { value, ...positionFigures } = await positionsOf(entries, now)
    let previous = 0
    for (const position of foldMarkets(
      entries.filter(({ occurredAt }) => occurredAt < midnight),
    ).values()) {
      if (position.status !== 'open') continue
      previous += worthIn(position, await viewOf(position.ticker, midnight), midnight).value
    }
    const restingByTicker = new Map<string, MoneyE6>()
    for (const order of await liveOrders.open(userId)) {
      const sum = (restingByTicker.get(order.ticker) ?? 0) + unbookedCost(order)
      restingByTicker.set(order.ticker, sum as MoneyE6)
    }
    let [cash, cashToday] = [0, 0]
    for (const { cashDelta, occurredAt } of entries) {
      cash += cashDelta
      if (occurredAt >= midnight) cashToday += cashDelta
    }
    return {
      ...positionFigures,
      portfolio,
      account,
      live: liveAccount,
      resting: restingByTicker,
      balance,
      equity: (balance + value) as MoneyE6,
      result: (cash + value) as MoneyE6,
      dailyPnl: (cashToday + value - previous) as MoneyE6,
    }
  }

  return {
    paper,
    live,
    async figuresOfMode(userId, mode) {
      const liveExchange = exchange()
      if (mode === 'paper') return paper(userId)
      return liveExchange === null ? null : live(userId, liveExchange)
    },
    async current(userId) {
      const liveExchange = exchange()
      const isLive = isLiveAt(await portfolios.read(userId), liveExchange)
      return liveExchange !== null && isLive ? live(userId, liveExchange) : paper(userId)
    },
    positions: async (userId, mode, epoch) =>
      foldMarkets(await ledger.trades(userId, { mode, epoch })),
    valueOfPosition: async (position, asOf) =>
      worthIn(position, await viewOf(position.ticker, asOf), asOf ?? clock.now()),
  }
}

/** Value of contracts in a market at an instant. */
export function worthIn(
  { direction, size, cost }: Pick<FoldedPosition, 'direction' | 'size' | 'cost'>,
  view: MarketView | null,
  at: Millis,
): AccountValue {
  const sidePrice = (yes: Cents): PriceE4 =>
    priceOfCents((direction === 'yes' ? yes : 100 - yes) as Cents)
  const payout = view === null ? null : settledPrice(view.facts)
  const quotePrice = view === null ? null : direction === 'yes' ? view.bestBid : view.bestAsk
  const yes = payout ?? quotePrice ?? view?.mark ?? null
  const priceAsOf = view?.quotedAt ?? null
  if (yes === null) return { price: null, priceAsOf, stale: true, value: cost }
  const isOld = payout === null && (priceAsOf === null || at - priceAsOf > STALE_AFTER)
  const price = sidePrice(yes)
  return { price, priceAsOf, stale: isOld || quotePrice === null, value: moneyOf(price, size) }
}
