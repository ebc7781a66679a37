import type { Idea } from '../../contract/edges.ts'
import type { TradeIdea } from '../../domain/edges/ideas.ts'
import type { MarketFacts, Ticker } from '../../domain/market.ts'
import type { Cents as CentsValue } from '../../domain/units.ts'
import type { Urls } from '../next-actions.ts'
import { isoOrNull, refOf, roundOrNull } from './market-ref.ts'
import { isoOf } from '../../lib/clock.ts'

/** A market of an idea at the time the idea is read. */
interface IdeaMarket {
  readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title'>
  readonly price: CentsValue | null
  readonly bestAsk: CentsValue | null
}

/** Presents an idea; its markets carry the prices at the time of reading. */
export function ideaOf(
  idea: TradeIdea & { readonly category: string },
  marketOf: (ticker: Ticker) => IdeaMarket | undefined,
  urls: Urls,
): Idea {
  const market = (ticker: Ticker, role: 'primary' | 'hedge'): Idea['markets'] => {
    const ideaMarket = marketOf(ticker)
    if (ideaMarket === undefined) return []
    return [{ ...refOf(ideaMarket, urls), bestAsk: roundOrNull(ideaMarket.bestAsk), role }]
  }
  const { id, headline, pitch, conviction, direction, timeHorizon, risk, edgeCents } = idea
  const { basis, category, catalyst } = idea
  return {
    id,
    headline,
    pitch,
    conviction,
    direction,
    timeHorizon,
    risk,
    edgeCents,
    basis,
    category,
    markets: [
      ...market(idea.ticker, 'primary'),
      ...idea.hedges.flatMap((ticker) => market(ticker, 'hedge')),
    ],
    catalyst: catalyst?.title ?? null,
    catalystAt: isoOrNull(catalyst?.at ?? null),
    generatedBy: 'rule',
    createdAt: isoOf(idea.createdAt),
    expiresAt: isoOf(idea.expiresAt),
    url: `${urls.baseUrl}/api/public/ideas/${id}`,
  }
}
