import {
  adjustedYield,
  cliffRatio,
  impliedYieldYes,
  liquidityAdjustedSpread,
} from '../../domain/indicators.ts'
import { isParlay, type MarketStatus } from '../../domain/market.ts'
import type { Steps } from '../../domain/steps.ts'
import { themeOf } from '../../domain/topics.ts'
import { roundTo, type Cents } from '../../domain/units.ts'
import type { LadderRung, WorldMarket } from '../../domain/world/world-market.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { Grid, GridMarket } from '../grid/grid.ts'
import type { BoardSnapshot, MarketView } from '../market-board.ts'
import { firstSeenOf } from '../market-view.ts'
import type { PriceThen } from '../reference-prices.ts'
import { ladderRungsOf } from './grid-relations.ts'

const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])
const MARKETS_A_STEP = 100

/**
 * One live market as the world reads it: prices of the bucket's start, quantities of the grid that
 * it carries. What a venue does not say is not guessed: no event is known to be exhaustive.
 * @param grid null for a market listed since the grid instant
 */
export function worldMarketOf(
  view: MarketView,
  grid: GridMarket | null,
  markAtBaseline: Cents | null,
  rung: LadderRung | null,
): WorldMarket {
  const { facts, price, tau, change24h } = view
  const spread = view.hasOrderbook ? view.spread : null
  const las = liquidityAdjustedSpread(price, spread)
  return {
    venue: facts.venue,
    ticker: facts.ticker,
    title: facts.title,
    subtitle: facts.subtitle,
    slug: view.slug,
    eventId: facts.eventId,
    eventTitle: facts.eventTitle,
    seriesId: facts.seriesId,
    seriesTitle: facts.seriesTitle,
    category: facts.category,
    topics: view.topics,
    theme: grid?.theme ?? themeOf(facts),
    exclusive: facts.exclusive,
    exhaustive: false,
    rung,
    multiLeg: isParlay(facts.ticker),
    firstSeenAt: firstSeenOf(view),
    listedAt: facts.openTime,
    closeTime: facts.closeTime,
    tau,
    daysToEvent: grid?.daysToEvent ?? null,
    catalyst: null,
    price,
    mark: view.mark,
    spread,
    twoSided: view.hasOrderbook,
    priceDayAgo:
      price === null || change24h === null ? null : (roundTo(price - change24h, 4) as Cents),
    markDayAgo: grid?.marksAgo['24h'] ?? null,
    markAtBaseline,
    volume24h: view.volume24h,
    volume24hUsd: view.volume24hUsd,
    liquidity: view.liquidityScore,
    cri: cliffRatio(price),
    las,
    adjIy: adjustedYield(impliedYieldYes(price, tau), las),
    vr: grid?.surprise.vr ?? null,
    residualVr: grid?.surprise.residualVr ?? null,
    trendLabel: grid?.trendLabel ?? null,
    markSd7d: grid?.markSd7d ?? null,
    hourMoves: grid?.hourMoves ?? null,
  }
}

/**
 * Every market that trades at the board's instant, by ticker.
 * @param then what markets were worth at the baseline
 */
export function* worldMarkets(
  board: BoardSnapshot,
  grid: Grid,
  then: ReadonlyMap<MarketId, PriceThen>,
): Steps<WorldMarket[]> {
  const listed = new Map(board.list(ACTIVE).map((view) => [view.facts.ticker, view]))
  yield
  // The plain order of texts is many times quicker than one by a function of ours.
  const live = [...listed.keys()].sort().flatMap((ticker) => listed.get(ticker) ?? [])
  yield
  const rungs = ladderRungsOf(grid)
  const markets: WorldMarket[] = []
  for (const [i, view] of live.entries()) {
    if (i % MARKETS_A_STEP === 0) yield
    const { facts } = view
    const rung = facts.exclusive ? null : (rungs.get(facts.ticker) ?? null)
    const mark = then.get(view.market)?.mark ?? null
    markets.push(worldMarketOf(view, grid.markets.get(facts.ticker) ?? null, mark, rung))
  }
  return markets
}
