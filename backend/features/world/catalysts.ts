import type { Millis } from '../../domain/units.ts'
import { selectCatalysts } from '../../domain/world/salient/catalysts.ts'
import { catalystRow } from '../../domain/world/markdown/operations-markdown.ts'
import { resolutionsAhead } from '../../domain/world/salient/resolutions.ts'
import { marketsIn } from '../../domain/world/world.ts'
import { catalystOf } from '../../http/presenters/catalyst.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { spanText } from './history.ts'
import type { RegionSnapshot } from './region-snapshot.ts'
import type { Catalyst } from '../../contract/edges.ts'

/** Catalysts of a window: resolutions of markets. */
export function worldCatalysts(
  { worldSnapshot, region }: RegionSnapshot,
  window: Millis,
  limit: number,
  urls: Urls,
) {
  const { world, snapshot: contextSnapshot } = worldSnapshot
  const markets = marketsIn(world.markets, region).map((market) => ({
    ...market,
    expirationTime: contextSnapshot.markets.get(market.ticker)?.view.facts.expirationTime ?? null,
  }))
  const selectedCatalysts = selectCatalysts(
    resolutionsAhead(markets, world.at, null, contextSnapshot.pairs),
    world.at,
    window,
    limit,
  )
  const items = selectedCatalysts.map(
    ({ venue, markets: decidedMarkets, contested, ...entry }): Catalyst => {
      const tickers = decidedMarkets.map(({ ticker }) => ticker)
      return catalystOf({ ...entry, source: venue, tickers }, contested, urls)
    },
  )
  const to = (world.at + window) as Millis
  return {
    catalyst: {
      window: spanText(window),
      from: isoOf(world.at),
      to: isoOf(to),
      count: items.length,
      items,
    },
    rows: items.map(catalystRow),
  }
}
