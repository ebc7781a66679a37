import type { MarketBoard } from '../../../computed/board/market-board.ts'
import type { HistoryStore } from '../../../history/history-store.ts'
import type { MarketId } from '../../../history/market-key.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { DataService } from '../data-service.ts'
import { isOldBook } from '../tape.service.ts'
import type { SocketSources, TopicMarket, WorldFeed } from './sources.ts'

/** Reads topic states through the data service, so that REST and socket always agree. */
export function createSocketSources(deps: {
  service: Pick<DataService, 'orderbook' | 'trades' | 'movers'>
  board: MarketBoard
  history: Pick<HistoryStore, 'candles'>
  /** Whether the feed of a market is not delivering. */
  isStale: (market: MarketId) => boolean
  clock: Clock
  world?: WorldFeed | null
}): SocketSources {
  const { service, board, history, isStale, clock } = deps
  return {
    isReady: () => board.ready,
    async find(name) {
      const view = board.live().get(name) ?? (await board.market(name, null))
      if (view === null) return null
      const { ticker, venue } = view.facts
      return { market: view.market, ticker, venue } satisfies TopicMarket
    },
    view: ({ ticker }) => board.live().get(ticker) ?? board.market(ticker, null),
    book: ({ ticker }, depth) => service.orderbook(ticker, { depth }),
    isStale({ ticker, market }) {
      const view = board.live().get(ticker)
      return view === null || isOldBook(view, isStale(market), clock.now())
    },
    trades: async ({ ticker }, limit) =>
      (await service.trades(ticker, { limit, before: null })).trades,
    candles: ({ market }, query) => history.candles({ market, ...query }),
    async movers(window, n) {
      const moversQuery = { window, n, minVol: null, dir: 'both', venue: null } as const
      return (await service.movers(moversQuery)).movers
    },
    world: deps.world ?? null,
  }
}
