import { tauDays } from '../../domain/indicators.ts'
import type { Millis } from '../../domain/units.ts'
import { selectCatalysts } from '../../domain/world/catalysts.ts'
import { catalystRow } from '../../domain/world/operations-markdown.ts'
import { resolutionsAhead } from '../../domain/world/resolutions.ts'
import { marketsIn } from '../../domain/world/world.ts'
import { rounded } from '../../http/market-ref.ts'
import { inspectUrl, type Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { spanText } from './history.ts'
import type { Place } from './place.ts'
import type { Catalyst } from './world.schema.ts'

/** What is decided within a window: resolutions of markets. */
export function worldCatalysts(
  { bucket, region }: Place,
  window: Millis,
  limit: number,
  urls: Urls,
) {
  const { world, grid } = bucket
  const markets = marketsIn(world.markets, region).map((market) => ({
    ...market,
    expirationTime: grid.markets.get(market.ticker)?.view.facts.expirationTime ?? null,
  }))
  const chosen = selectCatalysts(resolutionsAhead(markets, world.at), world.at, window, limit)
  const items = chosen.map((entry): Catalyst => {
    const { contested } = entry
    return {
      id: entry.id,
      kind: 'resolution',
      title: entry.title,
      at: isoOf(entry.at),
      date: isoOf(entry.at).slice(0, 10),
      timeKnown: true,
      category: entry.category,
      tickers: entry.markets.map(({ ticker }) => ticker),
      importance: entry.importance,
      source: entry.venue,
      market: {
        ticker: contested.ticker,
        venue: contested.venue,
        title: contested.title,
        price: rounded(contested.price),
        url: inspectUrl(urls, contested.ticker),
        tauDays: tauDays(contested.tau),
        volume24h: rounded(contested.volume24h, 6),
      },
    }
  })
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
