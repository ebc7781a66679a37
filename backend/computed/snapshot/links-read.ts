import type { ContagionGap, ContagionMarket } from '../../domain/links/contagion.ts'
import { contagionGaps } from '../../domain/links/contagion.ts'
import { distinctGaps } from '../../domain/links/distinct-gaps.ts'
import { GAP_WINDOWS, type GapWindow } from '../../domain/links/gaps.ts'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import { QuestionGroups, type QuestionTwins } from '../../domain/links/question-groups.ts'
import { isGrounded, isSameQuestion } from '../../domain/links/grounded-gap.ts'
import { isStructural, type EventSums } from '../../domain/links/structural-gap.ts'
import { responseCoefficient } from '../../domain/links/response.ts'
import type { Ticker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import type { Steps } from '../../lib/process/run-cooperatively.ts'
import type { ContextSnapshot, MarketQuantities } from './context-snapshot.ts'

/** Links per step. */
const BATCH_SIZE = 200

type LinksRead = Pick<ContextSnapshot, 'links' | 'linksOf' | 'betaOf' | 'gaps' | 'distinctGaps'>
/** Estimated response of one end to the other, and the hours on which it rests. */
interface Response {
  readonly beta: number | null
  readonly n: number
}

/**
 * Links with the responses of both ends, and the gaps between them.
 * @param pairs of the same question on both venues
 */
export function* readLinks(
  links: readonly MarketLink[],
  pairs: readonly QuestionTwins[],
  markets: ReadonlyMap<Ticker, MarketQuantities>,
  changesOf: (ticker: Ticker) => Float64Array | undefined,
): Steps<LinksRead> {
  const linksOf = new Map<Ticker, MarketLink[]>()
  const responses = new Map<MarketLink, readonly [ofJ: Response, ofI: Response]>()
  const knownLinks = links.filter(({ i, j }) => markets.has(i) && markets.has(j))
  for (const [index, link] of knownLinks.entries()) {
    if (index % BATCH_SIZE === 0) yield
    for (const end of [link.i, link.j]) {
      const existing = linksOf.get(end)
      if (existing === undefined) linksOf.set(end, [link])
      else existing.push(link)
    }
    const [i, j] = [changesOf(link.i), changesOf(link.j)]
    const { priorBeta } = link
    // The noise of two books attenuates a fitted response; one question needs none.
    const isEstimated =
      priorBeta !== null && i !== undefined && j !== undefined && !isSameQuestion(link)
    const prior = { beta: priorBeta, n: 0 }
    responses.set(
      link,
      isEstimated
        ? [responseCoefficient(i, j, priorBeta), responseCoefficient(j, i, priorBeta)]
        : [prior, prior],
    )
  }
  const responseTo = (link: MarketLink, from: Ticker): Response | undefined =>
    responses.get(link)?.[link.i === from ? 0 : 1]
  const betaOn = (link: MarketLink, from: Ticker): number | null =>
    responseTo(link, from)?.beta ?? null
  const eventOf = (ticker: Ticker): string | null => {
    const market = markets.get(ticker)
    return market === undefined ? null : eventKeyOf(market)
  }
  const groups = new QuestionGroups((ticker) => {
    const event = eventOf(ticker)
    const exclusive = markets.get(ticker)?.view.facts.exclusive === true
    return event === null ? null : { event, exclusive }
  }, pairs)
  interface WindowGaps {
    readonly all: readonly ContagionGap[]
    readonly distinct: readonly ContagionGap[]
  }
  const gapsByWindow = new Map<GapWindow, WindowGaps>()
  const gapsOver = (window: GapWindow): WindowGaps => {
    const existing = gapsByWindow.get(window)
    if (existing !== undefined) return existing
    const marketOf = (ticker: Ticker): ContagionMarket | null => {
      const market = markets.get(ticker)
      return market === undefined ? null : contagionMarketOf(market, window)
    }
    const sums = sumsOfEvents(markets, window)
    const hours = GAP_WINDOWS[window]
    const all = contagionGaps(knownLinks, { marketOf, betaOf: betaOn, hours }).filter((gap) => {
      const [trigger, laggingMarket] = [marketOf(gap.trigger), marketOf(gap.lagging)]
      if (trigger === null || laggingMarket === null) return false
      const sum = sums.get(eventOf(gap.trigger) ?? '') ?? UNKNOWN_SUMS
      const knownHours = responseTo(gap.link, gap.trigger)?.n ?? 0
      return (
        !isStructural(gap, trigger, laggingMarket, sum) &&
        isGrounded(gap, trigger, laggingMarket, knownHours)
      )
    })
    const gaps = { all, distinct: distinctGaps(all, groups) }
    gapsByWindow.set(window, gaps)
    return gaps
  }
  return {
    links: knownLinks,
    linksOf,
    betaOf(from, to) {
      const link = linksOf.get(from)?.find(({ i, j }) => i === to || j === to)
      return link === undefined ? null : betaOn(link, from)
    },
    gaps: (window) => gapsOver(window).all,
    distinctGaps: (window) => gapsOver(window).distinct,
  }
}

const eventKeyOf = ({ view: { facts } }: MarketQuantities): string =>
  `${facts.venue} ${facts.eventId}`

const UNKNOWN_SUMS: EventSums = { moves: null, prices: null }

/** Sums of the active markets of each event over a window. */
function sumsOfEvents(
  markets: ReadonlyMap<Ticker, MarketQuantities>,
  window: GapWindow,
): Map<string, EventSums> {
  const active = [...markets.values()].filter(({ view }) => view.status === 'active')
  const events = Map.groupBy(active, eventKeyOf)
  return new Map(
    [...events].map(([event, outcomes]) => [
      event,
      {
        moves: sumOrNull(outcomes.map((market) => moveOver(market, window))),
        prices: sumOrNull(outcomes.map(({ view }) => view.mark)),
      },
    ]),
  )
}

const moveOver = ({ view, marksAgo }: MarketQuantities, window: GapWindow): number | null => {
  const previous = marksAgo[window]
  return view.mark === null || previous === null ? null : view.mark - previous
}

const sumOrNull = (values: readonly (number | null)[]): number | null =>
  values.reduce((sum, value) => (sum === null || value === null ? null : sum + value), 0)

/** A market's move over a window, from its marks. */
function contagionMarketOf(market: MarketQuantities, window: GapWindow): ContagionMarket {
  const { view, marksAgo, quotedAgo, volatilityBefore } = market
  const previous = marksAgo[window]
  const isTrading = view.status === 'active' && view.hasOrderbook
  // A valid book at both ends of the window shows that a price stayed; without one, where nothing was
  // traded, it is not known to have stayed.
  const idleHours = isTrading && quotedAgo[window] ? 0 : market.idleHours
  const isSilent = idleHours === null || idleHours >= GAP_WINDOWS[window]
  return {
    before: previous,
    move:
      previous === null || view.mark === null || isSilent ? null : roundTo(view.mark - previous, 4),
    spread: isTrading ? view.spread : null,
    liquidity: view.liquidityScore,
    volatility: volatilityBefore[window],
    idleHours,
  }
}
