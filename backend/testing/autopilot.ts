import type { TradingPair } from '../domain/portfolio/decisions/decision-parts.ts'
import type { ServedTick } from '../contract/orders/ticks.ts'
import type { ServedEntry } from '../contract/portfolio.ts'
import type { ThesisStrategy } from '../domain/theses/holdings.ts'
import type { MarketFacts } from '../domain/market.ts'
import type { Venue } from '../domain/venue.ts'
import type { ReadLiveExchange } from '../features/portfolio/live/live-exchange.ts'
import type { StrategyTrading } from '../features/portfolio/strategy-trading.ts'
import type { Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import { createPortfolio, type PortfolioTopics } from '../features/portfolio/portfolio.ts'
import type { KnownBook } from '../features/portfolio/order-books.ts'
import { createHttpApp } from '../http/app.ts'
import { attachCaller } from '../http/auth/auth.ts'
import { createBus } from '../lib/bus.ts'
import { silentLogger } from '../lib/logger.ts'
import { createEventOutbox } from '../state/event-outbox.ts'
import { openState } from '../state/open.ts'
import { marketView, NOON } from './builders.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { OPEN_LIMITS } from './trading-service.ts'
import { accountRow } from './users.ts'

type Topics = { [K in keyof PortfolioTopics]: PortfolioTopics[K] }

/** Markets that the strategies of a tick trade, in this order. */
export const ORDERED = ['ONE', 'TWO', 'THREE'] as const
const USER = 'usr_autopilot'
const [BID, ASK] = [42, 44]

/** Called in the middle of a tick. */
export interface TickHooks {
  /** Before the theses are read, outside the queue of the user’s writes. */
  readonly onDecide?: () => Promise<void>
  /** While an accepted order is sent, in that queue. */
  readonly onSend?: (ticker: string) => Promise<void>
}

/** The portfolio of one user in process, whose ticks a test can stop at any order. */
export interface Autopilot {
  readonly clock: FakeClock
  hooks: TickHooks
  /** How the user is authenticated. */
  credential: 'session' | 'service-key'
  /** Sends a request as the user; returns the status and the body. */
  send<T>(method: string, path: string, body?: object): Promise<[number, T]>
  /** Publishes the same prices again, now. */
  publish(): void
  /** The same, and waits until they were processed. */
  quote(): Promise<void>
  /** Ticks, newest first. */
  ticks(): Promise<ServedTick[]>
  /** `market contracts` of each fill, oldest first. */
  fills(): Promise<string[]>
  /** Contracts that each strategy bought in the account that the user trades with. */
  bought(): Promise<Readonly<Record<string, number>>>
  /** What happens before the user is removed. */
  endLiveTrading(): Promise<void>
  /** Trading of strategies, as theses use it. */
  readonly strategies: StrategyTrading
  /** Resolves when no tick runs. */
  settled(): Promise<void>
  /** Runs what a service runs, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** What differs from one market price and a strategy in each market. */
export interface AutopilotMarkets {
  /** The exchange of live ticks; none by default. */
  readonly exchange?: ReadLiveExchange
  /** Runs on this clock, at these prices. */
  readonly clock?: FakeClock
  readonly touchNow?: (ticker: string) => readonly [bid: number, ask: number, size: number]
  readonly venueOf?: (ticker: string) => Venue
  readonly factsOf?: (ticker: string) => Partial<MarketFacts>
  readonly pairs?: readonly TradingPair[]
  readonly hasStrategies?: boolean
  /** What differs in each strategy. */
  readonly strategy?: Partial<ThesisStrategy>
  /** Markets in place of `ORDERED`. */
  readonly tickers?: readonly string[]
  /** Bid and ask in cents and the contracts of both, by ticker. */
  readonly touch?: Readonly<Record<string, readonly [bid: number, ask: number, size: number]>>
}

/**
 * Opens the portfolio over a file of operational rows. Its thesis has a strategy in each of the
 * markets, which buys 10 contracts once.
 */
export async function openAutopilot(
  path: string,
  start: Millis = NOON,
  markets: AutopilotMarkets = {},
): Promise<Autopilot> {
  const state = await openState(path)
  const account = state.insertInto('account').values(accountRow(USER))
  await account.onConflict((conflict) => conflict.doNothing()).execute()
  const clock = markets.clock ?? new FakeClock(start)
  const bus = createBus<Topics>((error) => {
    throw error
  })
  const tickers: readonly string[] = markets.tickers ?? ORDERED
  const touchOf = (market: number) =>
    markets.touchNow?.(tickers[market - 1] ?? '') ??
    markets.touch?.[tickers[market - 1] ?? ''] ??
    ([BID, ASK, 500] as const)
  const venueOf = markets.venueOf ?? (() => 'venue_a' as const)
  const viewsNow = () =>
    tickers.map((ticker, n) => {
      const [bid, ask] = touchOf(n + 1)
      const facts = { ticker, venue: venueOf(ticker), ...markets.factsOf?.(ticker) }
      return marketView({ market: n + 1, facts, bid, ask })
    })
  const views = viewsNow()
  const board = new FakeBoard(views)
  const autopilot: Pick<Autopilot, 'hooks' | 'credential'> = { hooks: {}, credential: 'session' }
  const look = board.market.bind(board)
  board.market = async (ticker, asOf) => {
    const { onSend } = autopilot.hooks
    if (onSend !== undefined && (await isSending())) await onSend(ticker)
    return look(ticker, asOf)
  }
  const quoteNow = (market: number): KnownBook => {
    const [bid, ask, size] = touchOf(market)
    return {
      at: clock.now(),
      receivedAt: clock.now(),
      bid: (bid * 100) as PriceE4,
      ask: (ask * 100) as PriceE4,
      bidSize: (size * 1e6) as SizeE6,
      askSize: (size * 1e6) as SizeE6,
      levels: null,
    }
  }
  const isRuled = markets.hasStrategies !== false
  const entryBelow = markets.touchNow === undefined ? 50 : 99
  const strategies = isRuled
    ? tickers.map((ticker, n) => ({
        ...strategyIn(ticker, 50 - n),
        venue: venueOf(ticker),
        entryBelow,
        ...markets.strategy,
      }))
    : []
  const portfolio = createPortfolio({
    pairs: () => Promise.resolve(markets.pairs ?? []),
    history: {} as never,
    state,
    board,
    events: bus,
    clock,
    log: silentLogger,
    currentBook: quoteNow,
    isStale: () => false,
    outbox: createEventOutbox(true),
    exchange: markets.exchange ?? (() => null),
    openHistory: () => null,
    model: () => null,
    installationKey: () => 'k'.repeat(43),
    wallClock: clock,
    urls: { baseUrl: 'http://localhost', dataUrl: '', appUrl: '', wsUrl: '' },
    theses: {
      basis: (_userId, named) => Promise.resolve(named),
      async trading() {
        await autopilot.hooks.onDecide?.()
        return [{ id: 't1', title: 'T', status: 'active', confidence: 0.6, strategies, edges: [] }]
      },
      namedSides: () => Promise.resolve([]),
      titles: () => Promise.resolve(new Map()),
    },
  })
  await portfolio.open()
  const app = createHttpApp({ logger: silentLogger })
    .use(portfolio.config)
    .use(portfolio.credentials.routes)
  for (const routes of portfolio.routes) app.use(routes)
  const send = async <T>(method: string, path: string, body?: object): Promise<[number, T]> => {
    const request = new Request(`http://localhost${path}`, {
      method,
      ...(body !== undefined && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    })
    const credential = { kind: autopilot.credential, id: null } as const
    attachCaller(request, { id: USER, userId: USER, isAdmin: false, tier: 'free', credential })
    const response = await app.handle(request)
    return [response.status, (await response.json()) as T]
  }
  const ticks = async (): Promise<ServedTick[]> =>
    (await send<ServedTick[]>('GET', '/api/portfolio/ticks'))[1]
  const isSending = async (): Promise<boolean> => {
    const [newest] = await ticks()
    return newest?.status === 'running' && newest.phase === 'execute'
  }
  const publish = (): void => {
    board.views = viewsNow()
    for (const { market, facts } of views) {
      const event = { ...quoteNow(market), type: 'quote_changed' as const, ticker: facts.ticker }
      bus.publish('quote', { market, event })
    }
  }
  return Object.assign(autopilot, {
    clock,
    send,
    publish,
    endLiveTrading: () => portfolio.endLiveTrading(USER),
    strategies: portfolio.strategies,
    async quote() {
      publish()
      await portfolio.waitUntilSettled()
    },
    ticks,
    async fills() {
      const path = '/api/portfolio/fills?order=asc'
      const [, { data }] = await send<{ data: ServedEntry[] }>('GET', path)
      return data.map(({ marketId, quantity }) => `${marketId} ${quantity}`)
    },
    async bought() {
      const { byStrategy } = await portfolio.strategies.progress(USER)
      return Object.fromEntries([...byStrategy].map(([id, { bought }]) => [id, bought]))
    },
    settled: () => portfolio.waitUntilSettled(),
    run: (signal: AbortSignal) => portfolio.run(signal),
    async close() {
      await portfolio.close()
      await state.destroy()
    },
  })
}

/** Enables the autopilot with limits that never bind. */
export async function enable({ send }: Pick<Autopilot, 'send'>): Promise<void> {
  const [status, body] = await send('PUT', '/api/portfolio/config', OPEN_LIMITS)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
}

const strategyIn = (ticker: string, priority: number): ThesisStrategy => ({
  id: `str_${ticker}`,
  thesisId: 't1',
  ticker,
  title: ticker,
  venue: 'venue_a',
  direction: 'yes',
  horizon: 'medium',
  status: 'active',
  priority,
  entryBelow: 50,
  entryAbove: null,
  stopLoss: null,
  takeProfit: null,
  maxQuantity: 10,
  perOrderQuantity: 10,
  executedQuantity: 0,
  softConditions: null,
  rationale: null,
  createdBy: 'api',
  createdAt: NOON,
  updatedAt: NOON,
})
