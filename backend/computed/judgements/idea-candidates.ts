import type { IdeaBasis, IdeaCandidate } from '../../domain/edges/ideas.ts'
import { edgeStrength, executableEdge } from '../../domain/edges/thesis-edge.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import type { LinkKind } from '../../domain/links/link-graph.ts'
import { LINK_PARAMS } from '../../domain/links/link-params.ts'
import { LIQUIDITY_WEIGHTS } from '../../domain/liquidity.ts'
import type { Side, Ticker } from '../../domain/market.ts'
import { leaderOf } from '../../domain/odds.ts'
import { clamp } from '../../domain/statistics.ts'
import type { Cents } from '../../domain/units.ts'
import { centsText, cutText, numberText } from '../../domain/world/text.ts'
import type { CrossVenueEdge, EventEdges, Grid, GridMarket } from '../grid/grid.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { Books, BooksReader } from '../grid/implied-edges.ts'

/** Window whose gaps become ideas. */
const WINDOW = '6h'
/** Gaps whose books are read: the strongest ones. */
const MOST_GAPS = 40
const WIDE_SPREAD = 5
const TITLE_LENGTH = 60

interface Found {
  readonly basis: IdeaBasis
  readonly side: Side
  /** Cents per contract after costs. */
  readonly net: number
  readonly confidence: number
  readonly cost: number | null
  readonly pitch: string
  readonly hedges: readonly Ticker[]
  /** What speaks against it whatever the market is like. */
  readonly warning: string | null
  /** The thinner market of the trade. */
  readonly weakest: GridMarket
}

const named = ({ view }: GridMarket): string => `«${cutText(view.facts.title, TITLE_LENGTH)}»`

/** Price of taking a side at the best level, cents; null without one. */
const priceOf = ({ view }: GridMarket, side: Side): number | null => {
  if (side === 'yes') return view.bestAsk
  return view.bestBid === null ? null : 100 - view.bestBid
}

const weaker = (a: GridMarket, b: GridMarket): GridMarket =>
  LIQUIDITY_WEIGHTS[a.view.liquidityScore] <= LIQUIDITY_WEIGHTS[b.view.liquidityScore] ? a : b

function warningOf({ view }: GridMarket): string | null {
  if (view.spread !== null && view.spread > WIDE_SPREAD) return `spread ${centsText(view.spread)}`
  return view.liquidityScore === 'low' ? 'thin book' : null
}

function candidateOf(market: GridMarket, found: Found): IdeaCandidate {
  const { basis, side, net, confidence, cost, pitch, hedges, weakest } = found
  const { facts } = market.view
  return {
    ...{ basis, confidence, cost, pitch, hedges },
    ticker: facts.ticker,
    title: facts.title,
    theme: market.theme,
    direction: side === 'yes' ? 'buy_yes' : 'buy_no',
    executableEdge: net,
    strength: edgeStrength(net, confidence, null, weakest.view.liquidityScore) ?? 0,
    catalyst: null,
    closeTime: facts.closeTime,
    warning: found.warning ?? warningOf(weakest),
    asScore: market.adverse.score,
  }
}

/** A question that both venues price differently (E3): the leg whose YES is bought comes first. */
function ofPair({ pair, edge, isTradable }: CrossVenueEdge, grid: Grid): IdeaCandidate[] {
  const [a, b] = [grid.markets.get(pair.a), grid.markets.get(pair.b)]
  if (!isTradable || edge === null || edge.net <= 0 || a === undefined || b === undefined) return []
  // The opposite question's NO is this question's YES.
  const sides: readonly [Side, Side] =
    edge.buyYes === 'a'
      ? ['yes', pair.inverted ? 'yes' : 'no']
      : ['no', pair.inverted ? 'no' : 'yes']
  const [first, second] = edge.buyYes === 'a' ? [a, b] : [b, a]
  const [side, other] = edge.buyYes === 'a' ? sides : [sides[1], sides[0]]
  const legs = `${side.toUpperCase()} of ${named(first)} at ${centsText(priceOf(first, side))} and ${other.toUpperCase()} of ${named(second)} at ${centsText(priceOf(second, other))}`
  return [
    candidateOf(first, {
      ...{ basis: 'cross_venue', side, net: edge.net, confidence: pair.confidence },
      cost: priceOf(first, side),
      pitch: `${legs} cost ${centsText(edge.cost)} with fees; if both venues settle alike, one of them pays 100¢.`,
      hedges: [second.view.facts.ticker],
      warning: 'the venues may settle differently',
      weakest: weaker(first, second),
    }),
  ]
}

/** Outcomes of one event whose prices do not add up (E4), and rungs out of order (E5). */
function ofEvent(event: EventEdges, outcomes: readonly GridMarket[], grid: Grid): IdeaCandidate[] {
  const title = `«${cutText(event.eventTitle ?? event.eventId, TITLE_LENGTH)}»`
  const { confidence } = LINK_PARAMS
  const leader = leaderOf(
    outcomes.map((market) => ({
      ticker: market.view.facts.ticker,
      mark: market.view.mark,
      market,
    })),
  )?.market
  const weakest = outcomes.reduce<GridMarket | undefined>(
    (least, market) => (least === undefined ? market : weaker(least, market)),
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
    const found = { basis: 'yield' as const, side, net, cost, pitch, hedges, weakest }
    return [
      candidateOf(leader, { ...found, confidence: confidence.same_event_exclusive, warning: null }),
    ]
  })
  const ladders = event.ladders.flatMap(({ easier, harder, net }): IdeaCandidate[] => {
    const [low, high] = [grid.markets.get(easier), grid.markets.get(harder)]
    if (net === null || net <= 0 || low === undefined || high === undefined) return []
    return [
      candidateOf(low, {
        ...{ basis: 'yield', side: 'yes', net, confidence: confidence.ladder, warning: null },
        cost: priceOf(low, 'yes'),
        pitch: `${named(high)} is bid at ${centsText(high.view.bestBid)} above the ${centsText(low.view.bestAsk)} asked for ${named(low)}, which it implies: ${centsText(net)} are left after fees.`,
        hedges: [harder],
        weakest: weaker(low, high),
      }),
    ]
  })
  return [...baskets, ...ladders]
}

/** A market that owes a move (D5), at what its book costs (E2). */
function ofGap(gap: ContagionGap, grid: Grid, books: Books): IdeaCandidate[] {
  const [trigger, lagging] = [grid.markets.get(gap.trigger), grid.markets.get(gap.lagging)]
  const mark = lagging?.view.mark ?? null
  if (trigger === undefined || lagging === undefined || mark === null) return []
  const { view } = lagging
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
    grid.at,
  )
  const before = trigger.marksAgo[WINDOW]
  const { mark: now } = trigger.view
  if (net === null || net <= 0 || before === null || now === null) return []
  const answered = gap.expected - gap.gap
  return [
    candidateOf(lagging, {
      ...{ basis: 'contagion', side, net, confidence: gap.link.confidence, warning: null },
      cost: priceOf(lagging, side),
      pitch: `${named(trigger)} moved ${numberText(now - before, 1)}¢ in ${WINDOW}; this market moved ${numberText(answered, 1)}¢ of the ${numberText(gap.expected, 1)}¢ that its past response gives.`,
      hedges: [],
      weakest: lagging,
    }),
  ]
}

/**
 * What may become an idea at a grid instant (methodology E8): pairs, events and gaps that leave
 * something after costs.
 * @param unproven kinds of links whose gaps were not seen to close
 * @param only markets of the asked primary leg; null for all
 */
export async function ideaCandidates(
  grid: Grid,
  unproven: ReadonlySet<LinkKind>,
  booksOf: BooksReader,
  only: Ticker | null = null,
): Promise<IdeaCandidate[]> {
  const outcomes = Map.groupBy(
    grid.eventEdges.length === 0
      ? []
      : [...grid.markets.values()].filter(({ view }) => view.status === 'active'),
    ({ view }) => `${view.facts.venue}|${view.facts.eventId}`,
  )
  const gaps = grid
    .gaps(WINDOW)
    .filter(({ link, lagging }) => !unproven.has(link.kind) && (only === null || lagging === only))
    .toSorted((a, b) => b.strength - a.strength || (a.lagging < b.lagging ? -1 : 1))
    .slice(0, MOST_GAPS)
  const lagging = gaps.flatMap((gap) => grid.markets.get(gap.lagging)?.view ?? [])
  const books = await booksOf(lagging)
  const found = [
    ...[...grid.crossVenue.values()].flatMap((pair) => ofPair(pair, grid)),
    ...grid.eventEdges.flatMap((event) =>
      ofEvent(event, outcomes.get(`${event.venue}|${event.eventId}`) ?? [], grid),
    ),
    ...gaps.flatMap((gap) => ofGap(gap, grid, books)),
  ]
  return only === null ? found : found.filter(({ ticker }) => ticker === only)
}
