import type { ContagionGap, ContagionMarket } from '../../domain/links/contagion.ts'
import { contagionGaps } from '../../domain/links/contagion.ts'
import { GAP_WINDOWS, type GapWindow } from '../../domain/links/gaps.ts'
import type { MarketLink } from '../../domain/links/link-graph.ts'
import { responseCoefficient } from '../../domain/links/response.ts'
import type { Ticker } from '../../domain/market.ts'
import { roundTo } from '../../domain/units.ts'
import type { Steps } from '../../lib/process/run-cooperatively.ts'
import type { ContextSnapshot, MarketQuantities } from './context-snapshot.ts'

/** Links per step. */
const AT_ONCE = 200

type LinksRead = Pick<ContextSnapshot, 'links' | 'linksOf' | 'betaOf' | 'gaps'>

/** Links with the responses of both ends, and the gaps between them. */
export function* readLinks(
  links: readonly MarketLink[],
  markets: ReadonlyMap<Ticker, MarketQuantities>,
  changesOf: (ticker: Ticker) => Float64Array | undefined,
): Steps<LinksRead> {
  const linksOf = new Map<Ticker, MarketLink[]>()
  const betas = new Map<MarketLink, readonly [toJ: number | null, toI: number | null]>()
  const known = links.filter(({ i, j }) => markets.has(i) && markets.has(j))
  for (const [place, link] of known.entries()) {
    if (place % AT_ONCE === 0) yield
    for (const end of [link.i, link.j]) {
      const held = linksOf.get(end)
      if (held === undefined) linksOf.set(end, [link])
      else held.push(link)
    }
    const [i, j] = [changesOf(link.i), changesOf(link.j)]
    const { priorBeta } = link
    const isEstimated = priorBeta !== null && i !== undefined && j !== undefined
    betas.set(
      link,
      isEstimated
        ? [responseCoefficient(i, j, priorBeta).beta, responseCoefficient(j, i, priorBeta).beta]
        : [priorBeta, priorBeta],
    )
  }
  const betaOn = (link: MarketLink, from: Ticker): number | null =>
    betas.get(link)?.[link.i === from ? 0 : 1] ?? null
  const found = new Map<GapWindow, readonly ContagionGap[]>()
  return {
    links: known,
    linksOf,
    betaOf(from, to) {
      const link = linksOf.get(from)?.find(({ i, j }) => i === to || j === to)
      return link === undefined ? null : betaOn(link, from)
    },
    gaps(window) {
      const held = found.get(window)
      if (held !== undefined) return held
      const gaps = contagionGaps(known, {
        marketOf(ticker) {
          const market = markets.get(ticker)
          return market === undefined ? null : contagionMarketOf(market, window)
        },
        betaOf: betaOn,
        hours: GAP_WINDOWS[window],
      })
      found.set(window, gaps)
      return gaps
    },
  }
}

/** A market's move over a window, from its marks. */
function contagionMarketOf(market: MarketQuantities, window: GapWindow): ContagionMarket {
  const { view, marksAgo, volatility, idleHours } = market
  const before = marksAgo[window]
  const isTrading = view.status === 'active' && view.hasOrderbook
  return {
    before,
    move: before === null || view.mark === null ? null : roundTo(view.mark - before, 4),
    spread: isTrading ? view.spread : null,
    liquidity: view.liquidityScore,
    volatility,
    idleHours,
  }
}
