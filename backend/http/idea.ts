import { t } from 'elysia'
import type { Static } from 'elysia'
import type { TradeIdea } from '../domain/edges/ideas.ts'
import type { MarketFacts, Ticker } from '../domain/market.ts'
import type { Cents as CentsValue } from '../domain/units.ts'
import { isoOf } from '../lib/clock.ts'
import { isoOrNull, LevelWord, MarketRef, refOf, rounded } from './market-ref.ts'
import type { Urls } from './next-actions.ts'
import { Cents, Iso, nullable, Num, words } from './schemas.ts'

export const DirectionWord = words(['buy_yes', 'buy_no'])

/** A trade that prices suggest (methodology E8). */
export const Idea = t.Object({
  id: t.String(),
  headline: t.String(),
  pitch: t.String(),
  conviction: LevelWord,
  direction: DirectionWord,
  markets: t.Array(
    t.Object({ ...MarketRef.properties, bestAsk: Cents, role: words(['primary', 'hedge']) }),
    { description: 'the primary one first' },
  ),
  catalyst: nullable(t.String()),
  catalystAt: nullable(Iso),
  timeHorizon: words(['days', 'weeks', 'months']),
  risk: t.String(),
  edgeCents: Num,
  basis: words(['thesis_edge', 'cross_venue', 'yield', 'contagion']),
  category: t.String(),
  generatedBy: words(['rule', 'model']),
  createdAt: Iso,
  expiresAt: Iso,
  url: t.String(),
})
export type Idea = Static<typeof Idea>

/** A market of an idea as it stands when the idea is read. */
interface IdeaMarket {
  readonly facts: Pick<MarketFacts, 'ticker' | 'venue' | 'title'>
  readonly price: CentsValue | null
  readonly bestAsk: CentsValue | null
}

/** An idea as it is served; its markets carry the prices of the reading. */
export function ideaOf(
  idea: TradeIdea & { readonly category: string },
  marketOf: (ticker: Ticker) => IdeaMarket | undefined,
  urls: Urls,
): Idea {
  const market = (ticker: Ticker, role: 'primary' | 'hedge'): Idea['markets'] => {
    const found = marketOf(ticker)
    if (found === undefined) return []
    return [{ ...refOf(found, urls), bestAsk: rounded(found.bestAsk), role }]
  }
  const { id, headline, pitch, conviction, direction, timeHorizon, risk, edgeCents } = idea
  const { basis, category, catalyst } = idea
  return {
    ...{
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
    },
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
