import type { LastPriceOf } from '../computed/board/last-prices.ts'
import type { PriceThen } from '../computed/board/reference-prices.ts'
import type { Cents, Millis } from '../domain/units.ts'
import { createDataService } from '../features/data-service/data-service.ts'
import { readinessRoutes } from '../features/data-service/readiness.routes.ts'
import type { Readiness } from '../contract/operations.ts'
import { createReadiness, type Part } from '../features/data-service/readiness.service.ts'
import { dataServiceRoutes } from '../features/data-service/v1.routes.ts'
import type {
  Candles,
  FeaturedPage,
  Heartbeat,
  MarketsPage,
  Movers,
  SearchAnswer,
  Snapshot,
  Trades,
  V1Book,
  V1MarketDetail,
} from '../contract/data-service.ts'
import type { HistoryStore } from '../history/history-store.ts'
import type { MarketId } from '../history/market-key.ts'
import { createHttpApp } from '../http/app.ts'
import { createAuthenticate, type Caller } from '../http/auth/auth.ts'
import { openApiOf } from '../http/routes/openapi.ts'
import { listen, type BoundAddress, type RunningServer } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { fakeHistory, type HistoryRows } from './fake-history.ts'
import { checkAnswer } from './test-app.ts'

/** A key that the test service accepts. */
export const DATA_KEY = `svct_live_${'k'.repeat(43)}`
export const DATA_URL = 'http://data.augury.test'

const HOLDER: Caller = {
  id: 'dkey_test',
  userId: 'user_test',
  isAdmin: false,
  tier: 'free',
  credential: { kind: 'data-key', id: 'dkey_test' },
}

/** The normal response of an address. */
type BodyAt<P extends string> = P extends `/v1/heartbeat${string}`
  ? Heartbeat
  : P extends `/v1/markets/featured${string}`
    ? FeaturedPage
    : P extends `/v1/markets/${string}`
      ? V1MarketDetail
      : P extends `/v1/markets${string}`
        ? MarketsPage
        : P extends `/v1/search${string}`
          ? SearchAnswer
          : P extends `/v1/snapshot${string}`
            ? Snapshot
            : P extends `/v1/movers${string}`
              ? Movers
              : P extends `/v1/orderbook${string}`
                ? V1Book
                : P extends `/v1/candles${string}`
                  ? Candles
                  : P extends `/v1/trades${string}`
                    ? Trades
                    : P extends '/readyz'
                      ? Readiness
                      : unknown

/** The data service over given markets and rows, called in process or over a socket. */
export function testDataService(
  rows: HistoryRows & {
    /** Last prices in cents of markets by id, the same for every instant. */
    readonly lastThen?: (market: MarketId, at: Millis) => number | null
    /** Marks in cents of a day ago. */
    readonly markThen?: (market: MarketId) => number | null
  } = {},
) {
  const clock = new FakeClock()
  const board = new FakeBoard([...(rows.views ?? [])])
  const stale = new Set<MarketId>()
  const requested = { lastPrices: 0 }
  const parts: Part[] = ['database', 'history', 'venue_a', 'venue_b', 'computed'].map((name) => ({
    name,
    status: 'operational',
    dataAgeSeconds: null,
    message: null,
  }))
  const state = { opened: true, databaseAnswers: true, wsClients: 0 }
  const history = fakeHistory(rows)
  const spy = { candles: (_query: Parameters<HistoryStore['candles']>[0]): void => {} }
  const service = createDataService({
    board,
    history: {
      ...history,
      candles: (query) => {
        spy.candles(query)
        return history.candles(query)
      },
    },
    lastPrices: {
      at: (at): Promise<LastPriceOf> => {
        requested.lastPrices += 1
        return Promise.resolve((market) => (rows.lastThen?.(market, at) ?? null) as Cents | null)
      },
    },
    reference: {
      pricesAt: () =>
        Promise.resolve(
          new Map<MarketId, PriceThen>(
            board.views.map(({ market }) => [
              market,
              {
                mark: (rows.markThen?.(market) ?? null) as Cents | null,
                last: null,
                isQuoted: true,
              },
            ]),
          ),
        ),
    },
    isStale: (market) => stale.has(market),
    clock,
    wsClients: () => state.wsClients,
  })
  const readiness = createReadiness({
    parts: () => parts,
    isOpened: () => state.opened,
    isLoaded: () => board.ready,
    databaseAnswers: () => Promise.resolve(state.databaseAnswers),
  })
  const app = createHttpApp({ logger: silentLogger })
    .use(dataServiceRoutes(service, DATA_URL))
    .use(readinessRoutes(readiness, DATA_URL))
  const authenticate = createAuthenticate({
    launch: () => null,
    serviceKey: () => null,
    dataKey: (key) => (key === DATA_KEY ? HOLDER : null),
    sessionToken: () => null,
    cookie: () => ({ caller: null, byCookie: false, setCookie: null }),
  })
  return {
    service,
    board,
    clock,
    /** Markets whose feed does not deliver. */
    stale,
    requested,
    /** Called with each history request; may be replaced. */
    spy,
    /** Parts reported by readyz; mutable. */
    parts,
    state,
    document: () => openApiOf(app.routes, 'http://augury.test'),
    /**
     * Status and body of a route itself; throws when the body does not match the schema of its
     * status.
     */
    async get<P extends string>(path: P): Promise<{ status: number; body: BodyAt<P> }> {
      const response = await app.handle(new Request(`http://localhost${path}`))
      await checkAnswer(app.routes, path, response.clone())
      return { status: response.status, body: (await response.json()) as BodyAt<P> }
    },
    /** Serves on a free loopback port; close it when done. */
    listen: (): Promise<BoundAddress & RunningServer> =>
      listen(app, { host: '127.0.0.1', port: 0, clock, logger: silentLogger, authenticate }),
  }
}
