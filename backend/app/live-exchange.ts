import type { LiveExchange, ReadLiveExchange } from '../features/portfolio/live/live-exchange.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { createTrading, type TradingOptions } from '../venues/open-trading.ts'

/** Where live orders go: the venues while the data is theirs; nowhere in a replay. */
export function createLiveExchange(
  options: Pick<TradingOptions, 'clock' | 'random' | 'assetsOf'>,
  feeds: () => Feeds | null,
): ReadLiveExchange {
  const venues: LiveExchange = {
    id: 'venues',
    isSample: false,
    epoch: 0,
    openClient: createTrading({ ...options, simulator: null }),
    openCredentials: null,
  }
  return () => (feeds()?.source === 'live' ? venues : null)
}
