import type { WorldSnapshot } from '../../computed/context-engine.ts'
import { marketEdges } from '../../computed/market-edges.ts'
import { ANSWER_PARAMS } from '../../domain/answers/answer-params.ts'
import { opinionBody, stanceOf } from '../../domain/answers/opinion.ts'
import type { OpinionFacts } from '../../domain/answers/opinion.ts'
import { moneyText } from '../../domain/answers/answer-text.ts'
import { TOPICS } from '../../domain/topics/topic-rules.ts'
import { titleSlug } from '../../domain/topics/topics.ts'
import { regionOf, topicLabel } from '../../domain/world/regions/region.ts'
import { gaugeText } from '../../domain/world/salient/regime-shift.ts'
import type { ScoredCandidate } from '../../domain/world/salient/salient.ts'
import { inspectUrlOf, worldUrl } from '../../domain/world/links.ts'
import type { Urls } from '../../http/next-actions.ts'
import { selectSalient } from '../../domain/world/salient/selection.ts'
import {
  centsText,
  cutText,
  HEADING_LENGTH,
  isoOf,
  numberText,
  signedText,
} from '../../domain/world/markdown/text.ts'
import { candidatesIn, marketsIn } from '../../domain/world/world.ts'
import { priceMove24h } from '../../domain/world/world-market.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { Content } from './content.store.ts'
import type { OpinionBody } from './opinions.service.ts'

/** Size of an edge: executable edge if known, else the absolute edge. */
const sizeOf = (edge: { readonly executable: number | null; readonly edge: number }): number =>
  edge.executable ?? Math.abs(edge.edge)

/** Cents. */
const MIN_MOVE = 3
const MAX_DRIVERS = 3

const volumeText = (vr: number): string =>
  `volume ${numberText(Math.abs(vr), 1)}σ ${vr < 0 ? 'below' : 'above'} usual`

function factsOf(market: WorldMarket): string[] {
  const move = priceMove24h(market)
  return [
    `${cutText(market.title)} at ${centsText(market.price)}`,
    ...(move === null ? [] : [`${signedText(move, 1)}¢ in 24h`]),
    ...(market.volume24hUsd === null ? [] : [`${moneyText(market.volume24hUsd)} traded in 24h`]),
    ...(market.vr === null ? [] : [volumeText(market.vr)]),
  ]
}

/**
 * The at most three markets that moved most in a day, from 3 cents, each as a fact with its source: a
 * gauge of their region is made of them.
 */
export const driversOf = (markets: readonly WorldMarket[], urls: Pick<Urls, 'baseUrl'>): string[] =>
  markets
    .map((market) => ({ market, move: priceMove24h(market) ?? 0 }))
    .filter(({ move }) => Math.abs(move) >= MIN_MOVE)
    .sort((a, b) => Math.abs(b.move) - Math.abs(a.move))
    .slice(0, MAX_DRIVERS)
    .map(({ market, move }) => {
      const url = inspectUrlOf(urls, market.ticker)
      const moveText = `${signedText(move, 1)}¢ in 24h to ${centsText(market.price)}`
      return `${cutText(market.title)} ${moveText} [Source](${url})`
    })

const counterOf = (market: WorldMarket): string[] => [
  ...(market.liquidity === 'low' ? ['Liquidity is low'] : []),
  ...(market.spread === null || market.spread <= 5
    ? []
    : [`The spread is ${numberText(market.spread, 1)}¢`]),
  ...(market.twoSided ? [] : ['There is no two-sided book']),
]

/** Whether enough was traded for an opinion; gauges and imported quotes have no volume. */
const isTraded = (usd: number | null): boolean =>
  usd === null || usd >= ANSWER_PARAMS.opinionVolumeUsd

/**
 * The opinion of a topic in a world, if its most salient item reaches the threshold; else null.
 * Methodology I3.
 */
export function opinionOf(
  { world, snapshot }: WorldSnapshot,
  topic: string,
  urls: Pick<Urls, 'baseUrl'>,
): Content | null {
  const region = regionOf([topic], world.series)
  if (region === null) return null
  const [top] = selectSalient(candidatesIn(world, region), 1)
  if (top === undefined || top.candidate.score < ANSWER_PARAMS.opinionSalience) return null
  const { candidate } = top
  const [market] = candidate.legs
  if (!isTraded(market?.volume24hUsd ?? null)) return null
  const edges = market === undefined ? [] : (marketEdges(snapshot).get(market.ticker) ?? [])
  const strongest = edges.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0] ?? null
  const facts: OpinionFacts = {
    label: candidate.label,
    facts:
      market === undefined ? driversOf(marketsIn(world.markets, region), urls) : factsOf(market),
    counter: market === undefined ? [] : counterOf(market),
    market: market === undefined ? null : { title: cutText(market.title), price: market.price },
    edge: strongest?.direction ?? null,
    gaugeFrom:
      candidate.type === 'regime_shift'
        ? gaugeText(candidate.body.gauge, candidate.body.from)
        : null,
    url: market === undefined ? worldUrl(urls, [topic]) : inspectUrlOf(urls, market.ticker),
  }
  const body: OpinionBody = {
    stance: stanceOf(facts),
    category: market?.category ?? 'other',
    body: opinionBody(facts),
  }
  const title = cutText(
    market === undefined ? `${topicLabel(topic)}: ${candidate.label}` : candidate.label,
    HEADING_LENGTH,
  )
  return {
    kind: 'opinion',
    slug: `${topic}-${isoOf(world.at).slice(0, 10)}-${titleSlug(title) || candidate.id}`,
    title,
    excerpt: excerptOf(candidate, facts.facts, topicLabel(topic)),
    words: candidate.legs.map((leg) => leg.title).join(' '),
    topics: [topic],
    tickers: candidate.legs.map(({ ticker }) => ticker),
    body: JSON.stringify(body),
  }
}

/** One sentence that does not repeat the title. */
function excerptOf(candidate: ScoredCandidate, facts: readonly string[], label: string): string {
  if (candidate.type === 'regime_shift') {
    const { fromLabel, toLabel } = candidate.body
    return fromLabel === toLabel ? `Still: ${toLabel}` : `${fromLabel} → ${toLabel}`
  }
  return `${label}: ${facts.slice(1, 3).join(', ') || candidate.label}`
}

/** New opinions of a world: one per topic that has none since `midnight`. */
export const opinionsOf = (
  worldSnapshot: WorldSnapshot,
  writtenIds: ReadonlySet<string>,
  urls: Pick<Urls, 'baseUrl'>,
): Content[] =>
  TOPICS.flatMap((topic) =>
    writtenIds.has(topic) ? [] : (opinionOf(worldSnapshot, topic, urls) ?? []),
  )
