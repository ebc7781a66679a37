import { isMeasured } from '../../domain/regime/adverse-selection.ts'
import type { IdeaBasis, IdeaCandidate } from '../../domain/edges/ideas.ts'
import { edgeStrength, executableEdge } from '../../domain/edges/thesis-edge.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { LinkKind } from '../../domain/links/link-graph.ts'
import { LINK_PARAMS } from '../../domain/links/link-params.ts'
import { LIQUIDITY_WEIGHTS } from '../../domain/liquidity/liquidity.ts'
import type { Side, Ticker } from '../../domain/market.ts'
import { leaderOf } from '../../domain/odds/odds.ts'
import { clamp } from '../../domain/statistics/statistics.ts'
import type { Cents } from '../../domain/units.ts'
import {
  centsText,
  cutText,
  cutTitle,
  numberText,
  signedText,
} from '../../domain/world/markdown/text.ts'
import type {
  CrossVenueEdge,
  EventEdges,
  ContextSnapshot,
  MarketQuantities,
} from '../snapshot/context-snapshot.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { Books, BooksReader } from '../snapshot/implied-edges.ts'

/** Window of the gaps that become ideas. */
const WINDOW = '6h'
/** Number of gaps whose books are read: the strongest ones. */
const MAX_GAPS = 40
const WIDE_SPREAD = 5
const TITLE_LENGTH = 60

interface IdeaFinding {
  readonly basis: IdeaBasis
  readonly side: Side
  /** Cents per contract after costs. */
  readonly net: number
  readonly confidence: number
  readonly cost: number | null
  readonly pitch: string
  readonly hedges: readonly Ticker[]
  /** A counter-argument that applies in any market. */
  readonly warning: string | null
  /** The thinner market of the trade. */
  readonly weakest: MarketQuantities
}

const quotedTitle = ({ view }: MarketQuantities): string =>
  `“${cutTitle(view.facts.title, TITLE_LENGTH)}”`

/** Price of taking a side at the best level, cents; null without one. */
const priceOf = ({ view }: MarketQuantities, side: Side): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : 100 - view.bestBid
}

const weaker = (a: MarketQuantities, b: MarketQuantities): MarketQuantities =>
  LIQUIDITY_WEIGHTS[a.view.liquidityScore] <= LIQUIDITY_WEIGHTS[b.view.liquidityScore] ? a : b

function warningOf({ view }: MarketQuantities): string | null {
  if (view.spread !== null && view.spread > WIDE_SPREAD) return `spread ${centsText(view.spread)}`
  return view.liquidityScore === 'low' ? 'thin book' : null
}

function candidateOf(market: MarketQuantities, found: IdeaFinding): IdeaCandidate {
  const { basis, side, net, confidence, cost, pitch, hedges, weakest } = found
  const { facts } = market.view
  return {
    basis,
    confidence,
    cost,
    pitch,
    hedges,
    ticker: facts.ticker,
    title: facts.title,
    theme: market.theme,
    direction: side === 'yes' ? 'buy_yes' : 'buy_no',
    executableEdge: net,
    strength: edgeStrength(net, confidence, null, weakest.view.liquidityScore) ?? 0,
    catalyst: null,
    closeTime: facts.closeTime,
    warning: found.warning ?? warningOf(weakest),
    asScore: isMeasured(market.adverse.nTrades) ? market.adverse.score : null,
  }
}

/** A question that the venues price differently (E3); the leg whose YES is bought comes first. */
function pairCandidates(
  { pair, edge, isTradable }: CrossVenueEdge,
  snapshot: ContextSnapshot,
): IdeaCandidate[] {
  const [a, b] = [snapshot.markets.get(pair.a), snapshot.markets.get(pair.b)]
  if (!isTradable || edge === null || edge.net <= 0 || a === undefined || b === undefined) return []
  // NO of the opposite question is YES of this one.
  const sides: readonly [Side, Side] =
    edge.buyYes === 'a'
      ? ['yes', pair.inverted ? 'yes' : 'no']
      : ['no', pair.inverted ? 'no' : 'yes']
  const [first, second] = edge.buyYes === 'a' ? [a, b] : [b, a]
  const [side, other] = edge.buyYes === 'a' ? sides : [sides[1], sides[0]]
  const legs = `${side.toUpperCase()} of ${quotedTitle(first)} at ${centsText(priceOf(first, side))} and ${other.toUpperCase()} of ${quotedTitle(second)} at ${centsText(priceOf(second, other))}`
  return [
    candidateOf(first, {
      basis: 'cross_venue',
      side,
      net: edge.net,
      confidence: pair.confidence,
      cost: priceOf(first, side),
      pitch: `${legs} cost ${centsText(edge.cost)} with fees; if both venues settle alike, one of them pays 100¢.`,
      hedges: [second.view.facts.ticker],
      warning: 'the venues may settle differently',
      weakest: weaker(first, second),
    }),
  ]
}

/** Outcomes of one event whose prices do not add up (E4), and inconsistent rungs (E5). */
function eventCandidates(
  event: EventEdges,
  outcomes: readonly MarketQuantities[],
  snapshot: ContextSnapshot,
): IdeaCandidate[] {
  const title = `“${cutText(event.eventTitle ?? event.eventId, TITLE_LENGTH)}”`
  const { confidence } = LINK_PARAMS
  const leader = leaderOf(
    outcomes.map((market) => ({
      ticker: market.view.facts.ticker,
      mark: market.view.mark,
      market,
    })),
  )?.market
  const weakest = outcomes.reduce<MarketQuantities | undefined>(
    (min, market) => (min === undefined ? market : weaker(min, market)),
    undefined,
  )
  const baskets = event.baskets.flatMap(({ kind, net }): IdeaCandidate[] => {
    if (net <= 0 || leader === undefined || weakest === undefined) return []
    const side: Side = kind === 'underround' ? 'yes' : 'no'
    const pitch =
      kind === 'underround'
        ? `All ${outcomes.length} outcomes of ${title} cost ${centsText(100 - net)} with fees, and one of them pays 100¢.`
        : `NO of all ${outcomes.length} outcomes of ${title} pays for all but one of them and leaves ${centsText(net)} a set after fees.`
    const hedges = outcomes.flatMap((market) =>
      market === leader ? [] : [market.view.facts.ticker],
    )
    const cost = priceOf(leader, side)
    const yieldBasis = { basis: 'yield' as const, side, net, cost, pitch, hedges, weakest }
    return [
      candidateOf(leader, {
        ...yieldBasis,
        confidence: confidence.same_event_exclusive,
        warning: null,
      }),
    ]
  })
  const ladders = event.ladders.flatMap(({ easier, harder, net }): IdeaCandidate[] => {
    const [low, high] = [snapshot.markets.get(easier), snapshot.markets.get(harder)]
    if (net === null || net <= 0 || low === undefined || high === undefined) return []
    return [
      candidateOf(low, {
        basis: 'yield',
        side: 'yes',
        net,
        confidence: confidence.ladder,
        warning: null,
        cost: priceOf(low, 'yes'),
        pitch: `${quotedTitle(high)} is bid at ${centsText(high.view.bestBid)} above the ${centsText(low.view.bestAsk)} asked for ${quotedTitle(low)}, which it implies: ${centsText(net)} are left after fees.`,
        hedges: [harder],
        weakest: weaker(low, high),
      }),
    ]
  })
  return [...baskets, ...ladders]
}

/** A market that has not made its expected move (D5), at the price of its book (E2). */
function gapCandidates(
  gap: ContagionGap,
  snapshot: ContextSnapshot,
  books: Books,
): IdeaCandidate[] {
  const [trigger, laggingMarket] = [
    snapshot.markets.get(gap.trigger),
    snapshot.markets.get(gap.lagging),
  ]
  const mark = laggingMarket?.view.mark ?? null
  if (trigger === undefined || laggingMarket === undefined || mark === null) return []
  const { view } = laggingMarket
  const side: Side = gap.gap > 0 ? 'yes' : 'no'
  const fair = clamp(mark + gap.gap, 0, 100) as Cents
  const { edge: net } = executableEdge(
    fair,
    side,
    {
      book: books.get(view.facts.ticker) ?? null,
      price: view.price,
      spread: view.spread,
      fees: generalTerms(view.facts.venue),
    },
    snapshot.at,
  )
  const previous = trigger.marksAgo[WINDOW]
  const { mark: now } = trigger.view
  if (net === null || net <= 0 || previous === null || now === null) return []
  const observedMove = gap.expected - gap.gap
  return [
    candidateOf(laggingMarket, {
      basis: 'contagion',
      side,
      net,
      confidence: gap.link.confidence,
      warning: null,
      cost: priceOf(laggingMarket, side),
      pitch: `${quotedTitle(trigger)} moved ${signedText(now - previous, 1)}¢ in ${WINDOW}. Its past response implies ${signedText(gap.expected, 1)}¢ here; the price has moved ${signedText(observedMove, 1)}¢, so ${numberText(Math.abs(gap.gap), 1)}¢ remain.`,
      hedges: [],
      weakest: laggingMarket,
    }),
  ]
}

/**
 * Candidates of ideas at a snapshot instant (methodology E8): pairs, events and gaps with a
 * positive edge after costs. A market that went further than expected, or the other way, is no idea:
 * it did not fail to follow.
 * @param unproven kinds of links without evidence that their gaps close
 * @param singleTicker markets with this primary leg; null for all
 */
export async function ideaCandidates(
  snapshot: ContextSnapshot,
  unproven: ReadonlySet<LinkKind>,
  booksOf: BooksReader,
  singleTicker: Ticker | null = null,
): Promise<IdeaCandidate[]> {
  const outcomes = Map.groupBy(
    snapshot.eventEdges.length === 0
      ? []
      : [...snapshot.markets.values()].filter(({ view }) => view.status === 'active'),
    ({ view }) => `${view.facts.venue}|${view.facts.eventId}`,
  )
  const gaps = snapshot
    .gaps(WINDOW)
    .filter(
      ({ link, lagging, direction }) =>
        direction === 'lagging' &&
        !unproven.has(link.kind) &&
        (singleTicker === null || lagging === singleTicker),
    )
    .toSorted((a, b) => b.strength - a.strength || (a.lagging < b.lagging ? -1 : 1))
    .slice(0, MAX_GAPS)
  const laggingViews = gaps.flatMap((gap) => snapshot.markets.get(gap.lagging)?.view ?? [])
  const books = await booksOf(laggingViews)
  const candidates = [
    ...[...snapshot.crossVenue.values()].flatMap((pair) => pairCandidates(pair, snapshot)),
    ...snapshot.eventEdges.flatMap((event) =>
      eventCandidates(event, outcomes.get(`${event.venue}|${event.eventId}`) ?? [], snapshot),
    ),
    ...gaps.flatMap((gap) => gapCandidates(gap, snapshot, books)),
  ]
  return singleTicker === null
    ? candidates
    : candidates.filter(({ ticker }) => ticker === singleTicker)
}
