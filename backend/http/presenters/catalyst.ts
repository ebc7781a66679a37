import type { Catalyst } from '../../contract/edges.ts'
import type { Venue } from '../../domain/market.ts'
import { tauDays } from '../../domain/prices/indicators.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { inspectUrl } from '../next-actions.ts'
import type { Urls } from '../next-actions.ts'
import { roundOrNull } from './market-ref.ts'
import { isoOf } from '../../lib/clock.ts'

/** A resolution with its least decided market. */
export interface DatedResolution {
  readonly id: string
  readonly at: Millis
  readonly title: string
  readonly category: string
  readonly importance: Catalyst['importance']
  readonly source: string
  readonly tickers: readonly string[]
}
export interface ContestedMarket {
  readonly ticker: string
  readonly venue: Venue
  readonly title: string
  readonly price: Cents | null
  readonly tau: number | null
  readonly volume24h: number | null
}

/** Presents a resolution. Its market is left out if it has no time left or is unknown. */
export function catalystOf(entry: DatedResolution, market: ContestedMarket, urls: Urls): Catalyst {
  const at = isoOf(entry.at)
  const days = tauDays(market.tau)
  return {
    id: entry.id,
    kind: 'resolution',
    title: entry.title,
    at,
    date: at.slice(0, 10),
    timeKnown: true,
    category: entry.category,
    tickers: [...entry.tickers],
    importance: entry.importance,
    source: entry.source,
    ...(days !== null && {
      market: {
        ticker: market.ticker,
        venue: market.venue,
        title: market.title,
        price: roundOrNull(market.price),
        url: inspectUrl(urls, market.ticker),
        tauDays: days,
        volume24h: roundOrNull(market.volume24h, 6),
      },
    }),
  }
}

/** Presents an entry of the calendar, whose market is a view. */
export const entryCatalyst = (
  entry: DatedResolution & {
    readonly contested: Pick<ContestedMarket, 'price' | 'tau' | 'volume24h'> & {
      readonly facts: Pick<ContestedMarket, 'ticker' | 'venue' | 'title'>
    }
  },
  urls: Urls,
): Catalyst => catalystOf(entry, { ...entry.contested, ...entry.contested.facts }, urls)
