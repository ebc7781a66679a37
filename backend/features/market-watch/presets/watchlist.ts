import { measuredRegime } from '../../../domain/regime/label.ts'
import type { MarketView } from '../../../computed/board/market-board.ts'
import type { Ticker } from '../../../domain/market.ts'
import { imbalanceOf } from '../../../domain/liquidity/imbalance.ts'
import { HOUR, type Millis } from '../../../domain/units.ts'
import type { MarketId } from '../../../history/market-key.ts'
import { refOf, roundOrNull } from '../../../http/presenters/market-ref.ts'
import { isoOf } from '../../../lib/clock.ts'
import { NotReady } from '../../../lib/errors.ts'
import { byDollars, newestOf, type PanelContent } from '../panel-content.ts'
import type { MicroRow } from '../../../contract/panels/panel-payloads.ts'
import type { PanelSources } from '../panel-sources.ts'

const MAX_MARKETS = 50
/** Codes of the taker side in trade columns. */
const [BY_YES, BY_NO] = [1, 2]

/** Trades of an hour by taker side. */
interface Flow {
  trades: number
  bought: number
  sold: number
}

/** Spread, depth and flow of a user's watched markets. */
export async function watchlistMicrostructure(
  sources: Pick<PanelSources, 'watchedBy' | 'board' | 'context' | 'history' | 'clock' | 'urls'>,
  userId: string,
  requestedTickers: readonly Ticker[],
): Promise<PanelContent> {
  const { board, context, history, clock, urls } = sources
  if (!board.ready) throw new NotReady('The first data is not loaded yet; retry in a few seconds')
  const watchedTickers = [...new Set([...(await sources.watchedBy(userId)), ...requestedTickers])]
  const [viewsByTicker, snapshot] = await Promise.all([
    watchedTickers.length === 0
      ? new Map<string, MarketView>()
      : board.markets(watchedTickers, null),
    context.snapshot(null),
  ])
  const views = [...new Set(viewsByTicker.values())].sort(byDollars).slice(0, MAX_MARKETS)
  const flows = await flowsOf(
    history,
    views.map(({ market }) => market),
    clock.now(),
  )
  const markets = views.map((view): MicroRow => {
    const flow = flows.get(view.market)
    const storedRegime = snapshot.markets.get(view.facts.ticker)?.regime ?? null
    const regime = storedRegime === null ? null : measuredRegime(storedRegime, storedRegime.nTrades)
    return {
      ...refOf(view, urls),
      bestBid: roundOrNull(view.bestBid),
      bestAsk: roundOrNull(view.bestAsk),
      spread: roundOrNull(view.spread),
      bidDepthUsd: roundOrNull(view.bidDepthUsd),
      askDepthUsd: roundOrNull(view.askDepthUsd),
      imbalance: imbalanceOf(view.bidDepthUsd, view.askDepthUsd),
      trades1h: flow?.trades ?? 0,
      flowImbalance1h: flow === undefined ? null : imbalanceOf(flow.bought, flow.sold),
      label: regime?.label ?? null,
      asScore: regime?.score ?? null,
      volume24h: roundOrNull(view.volume24h, 6),
      updatedAt: isoOf(view.updatedAt),
    }
  })
  return {
    payload: {
      kind: 'watchlist_microstructure',
      markets,
      missing: watchedTickers.filter((ticker) => !viewsByTicker.has(ticker)),
      emptyReason: watchedTickers.length === 0 ? 'no_watched_markets' : null,
    },
    source: {
      name: 'books',
      asOf: newestOf(views.map(({ quotedAt }) => quotedAt)),
      cadence: 'polled',
    },
  }
}

/** Trades of the last hour by market, without block trades. */
async function flowsOf(
  history: Pick<PanelSources['history'], 'printsOf'>,
  markets: readonly MarketId[],
  now: Millis,
): Promise<ReadonlyMap<MarketId, Flow>> {
  const flows = new Map<MarketId, Flow>()
  if (markets.length === 0) return flows
  const from = (now - HOUR) as Millis
  const prints = await history.printsOf({ from, to: now, asOf: now, markets })
  for (const [row, market] of prints.market.entries()) {
    const flow = flows.get(market) ?? { trades: 0, bought: 0, sold: 0 }
    flows.set(market, flow)
    flow.trades += 1
    const size = prints.size[row] ?? 0
    if (prints.taker[row] === BY_YES) flow.bought += size
    if (prints.taker[row] === BY_NO) flow.sold += size
  }
  return flows
}
