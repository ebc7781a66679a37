import type { WorldSnapshot } from '../../computed/context-engine.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import { ANSWER_PARAMS } from '../../domain/answers/answer-params.ts'
import { opinionBody, stanceOf } from '../../domain/answers/opinion.ts'
import type { OpinionFacts } from '../../domain/answers/opinion.ts'
import { moneyText } from '../../domain/answers/answer-text.ts'
import { TOPICS } from '../../domain/topics/topic-rules.ts'
import { titleSlug } from '../../domain/topics/topics.ts'
import { regionOf, topicLabel } from '../../domain/world/regions/region.ts'
import { selectSalient } from '../../domain/world/salient/selection.ts'
import {
  centsText,
  cutText,
  isoOf,
  numberText,
  signedText,
} from '../../domain/world/markdown/text.ts'
import { candidatesIn } from '../../domain/world/world.ts'
import { priceMove24h } from '../../domain/world/world-market.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { Content } from './content.store.ts'
import type { OpinionBody } from './opinions.service.ts'

/** Size of an edge: executable edge if known, else the absolute edge. */
const sizeOf = (edge: { readonly executable: number | null; readonly edge: number }): number =>
  edge.executable ?? Math.abs(edge.edge)

function factsOf(market: WorldMarket): string[] {
  const move = priceMove24h(market)
  return [
    `${cutText(market.title)} at ${centsText(market.price)} (${market.ticker})`,
    ...(move === null ? [] : [`${signedText(move, 1)}¢ in 24h`]),
    ...(market.volume24hUsd === null ? [] : [`${moneyText(market.volume24hUsd)} traded in 24h`]),
    ...(market.vr === null ? [] : [`volume ${numberText(market.vr, 1)}σ above usual`]),
  ]
}

const counterOf = (market: WorldMarket): string[] => [
  ...(market.liquidity === 'low' ? ['Liquidity is low'] : []),
  ...(market.spread === null || market.spread <= 5
    ? []
    : [`The spread is ${numberText(market.spread, 1)}¢`]),
  ...(market.twoSided ? [] : ['There is no two-sided book']),
  ...(market.vr === null || market.vr >= 1 ? [] : ['Volume is at its usual level']),
]

/**
 * The opinion of a topic in a world, if its most salient item reaches the threshold; else null.
 * Methodology I3.
 */
export function opinionOf({ world, snapshot }: WorldSnapshot, topic: string): Content | null {
  const region = regionOf([topic], world.series)
  if (region === null) return null
  const [top] = selectSalient(candidatesIn(world, region), 1)
  if (top === undefined || top.candidate.score < ANSWER_PARAMS.opinionSalience) return null
  const { candidate } = top
  const [market] = candidate.legs
  const edges = market === undefined ? [] : (marketEdges(snapshot).get(market.ticker) ?? [])
  const strongest = edges.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] ?? null
  const facts: OpinionFacts = {
    label: candidate.label,
    facts: market === undefined ? [] : factsOf(market),
    counter: market === undefined ? [] : counterOf(market),
    market: market === undefined ? null : { title: cutText(market.title), price: market.price },
    edge: strongest?.direction ?? null,
  }
  const body: OpinionBody = {
    stance: stanceOf(facts),
    category: market?.category ?? 'other',
    body: opinionBody(facts),
  }
  const title = cutText(candidate.label)
  return {
    kind: 'opinion',
    slug: `${topic}-${isoOf(world.at).slice(0, 10)}-${titleSlug(title) || candidate.id}`,
    title,
    excerpt: `${topicLabel(topic)}: ${[...facts.facts.slice(0, 2)].join(', ') || candidate.label}`,
    words: candidate.legs.map((leg) => leg.title).join(' '),
    topics: [topic],
    tickers: candidate.legs.map(({ ticker }) => ticker),
    body: JSON.stringify(body),
  }
}

/** New opinions of a world: one per topic that has none since `midnight`. */
export const opinionsOf = (bucket: WorldSnapshot, written: ReadonlySet<string>): Content[] =>
  TOPICS.flatMap((topic) => (written.has(topic) ? [] : (opinionOf(bucket, topic) ?? [])))
