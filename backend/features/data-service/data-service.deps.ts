import type { LastPrices } from '../../computed/board/last-prices.ts'
import type { MarketBoard, MarketView } from '../../computed/board/market-board.ts'
import type { ReferencePrices } from '../../computed/board/reference-prices.ts'
import { canonicalTicker } from '../../domain/market.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import type { MarketId, MarketKey } from '../../history/market-key.ts'
import type { Clock } from '../../lib/clock.ts'
import { NotFound, NotReady } from '../../lib/errors.ts'

/** Dependencies of the data service. */
export interface DataServiceDeps {
  readonly board: MarketBoard
  readonly history: HistoryStore
  readonly lastPrices: Pick<LastPrices, 'at'>
  readonly reference: Pick<ReferencePrices, 'pricesAt'>
  /** Whether the feed of a market is not delivering. */
  readonly isStale: (market: MarketId) => boolean
  readonly clock: Clock
  /** Number of open socket connections. */
  readonly wsClients: () => number
}

/** @throws NotReady before the first load */
export function requireReady({ board }: Pick<DataServiceDeps, 'board'>): void {
  if (!board.ready) throw new NotReady('The first data is not loaded yet; retry in a few seconds')
}

/** A market in any state by its ticker or an alias. @throws NotReady, NotFound */
export async function findView(
  deps: Pick<DataServiceDeps, 'board'>,
  name: string,
): Promise<MarketView> {
  requireReady(deps)
  const view = await deps.board.market(canonicalTicker(name), null)
  if (view === null) throw new NotFound('Market not found')
  return view
}

/** Like `findView`, without reading the market's state if the name suffices. */
export async function findMarket(
  deps: Pick<DataServiceDeps, 'board' | 'history'>,
  name: string,
): Promise<{ readonly market: MarketId; readonly key: MarketKey }> {
  requireReady(deps)
  const marketId = deps.history.marketIdOf(canonicalTicker(name))
  const market = marketId?.market ?? (await findView(deps, name)).market
  return { market, key: deps.history.keyOf(market) }
}
