import { roundTo } from '../../units.ts'

/** Kinds of the link graph (D1), strongest first. */
export type LinkKind =
  'cross_venue' | 'same_event_exclusive' | 'ladder' | 'series_sibling' | 'thematic' | 'lead_lag'
export type TrailKind = 'cross_venue' | 'contagion' | 'series_sibling'

/** A link from one market to another; `confidence` 0 to 1. */
export interface GraphLink {
  readonly to: string
  readonly kind: LinkKind
  readonly confidence: number
  /** Delay of the follower; only for lead–lag links. */
  readonly lagSeconds: number | null
}

export interface TrailNode {
  readonly ticker: string
  readonly hop: 1 | 2
  /** The market from which it was reached. */
  readonly via: string
  /** Product of the confidences along the path. */
  readonly strength: number
}
export interface TrailLink {
  readonly from: string
  readonly to: string
  readonly kind: TrailKind
  readonly strength: number
  readonly lagSeconds: number | null
  readonly note: string
}
export interface Trail {
  readonly nodes: readonly TrailNode[]
  readonly links: readonly TrailLink[]
}

const SERVED_KINDS: Readonly<
  Record<LinkKind, { readonly kind: TrailKind; readonly note: string }>
> = {
  cross_venue: { kind: 'cross_venue', note: 'the same question on the other venue' },
  same_event_exclusive: { kind: 'series_sibling', note: 'another outcome of one event' },
  ladder: { kind: 'series_sibling', note: 'the next strike or date of one ladder' },
  series_sibling: { kind: 'series_sibling', note: 'another period of one series' },
  thematic: { kind: 'contagion', note: 'the same theme' },
  lead_lag: { kind: 'contagion', note: 'prices that followed each other before' },
}

interface ReachedNode extends TrailNode {
  readonly link: GraphLink
}

const isBetter = (a: ReachedNode, b: ReachedNode | undefined): boolean =>
  b === undefined || a.strength > b.strength || (a.strength === b.strength && a.via < b.via)

/** Markets one hop further than `sources`, each by its strongest path. */
function nextHop(
  sources: readonly { readonly ticker: string; readonly strength: number }[],
  distance: 1 | 2,
  visitedTickers: ReadonlySet<string>,
  linksOf: (ticker: string) => readonly GraphLink[],
): ReachedNode[] {
  const reachedNodes = new Map<string, ReachedNode>()
  for (const source of sources) {
    for (const link of linksOf(source.ticker)) {
      if (visitedTickers.has(link.to)) continue
      const strength = source.strength * link.confidence
      const node = { ticker: link.to, hop: distance, via: source.ticker, strength, link }
      if (isBetter(node, reachedNodes.get(link.to))) reachedNodes.set(link.to, node)
    }
  }
  return [...reachedNodes.values()].sort(
    (a, b) => b.strength - a.strength || (a.ticker < b.ticker ? -1 : 1),
  )
}

/**
 * Markets within two links of one, nearest first, then strongest: a path of .9 and .7 is .63. Each
 * is visited once; the returned links are those by which the markets were reached. Methodology C8.
 * @param linksOf the at most 20 neighbours of a market
 */
export function trailFrom(
  from: string,
  linksOf: (ticker: string) => readonly GraphLink[],
  limit: number,
): Trail {
  const firstHop = nextHop([{ ticker: from, strength: 1 }], 1, new Set([from]), linksOf)
  const seenTickers = new Set([from, ...firstHop.map(({ ticker }) => ticker)])
  const nodes = [...firstHop, ...nextHop(firstHop, 2, seenTickers, linksOf)].slice(0, limit)
  return {
    nodes: nodes.map(({ ticker, hop, via, strength }) => ({
      ticker,
      hop,
      via,
      strength: roundTo(strength, 4),
    })),
    links: nodes.map(({ ticker, via, link }) => ({
      from: via,
      to: ticker,
      ...SERVED_KINDS[link.kind],
      strength: roundTo(link.confidence, 4),
      lagSeconds: link.lagSeconds,
    })),
  }
}
