import {
  adjustedYield,
  cliffRatio,
  impliedYieldYes,
  liquidityAdjustedSpread,
} from '../../domain/prices/indicators.ts'
import { isParlay, type MarketStatus } from '../../domain/market.ts'
import type { Steps } from '../../domain/cooperative-steps.ts'
import { themeOf } from '../../domain/topics/topics.ts'
import { roundTo, type Cents } from '../../domain/units.ts'
import type { LadderRung, WorldMarket } from '../../domain/world/world-market.ts'
import type { MarketId } from '../../history/market-key.ts'
import type { ContextSnapshot, MarketQuantities } from '../snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from '../board/market-board.ts'
import { firstSeenOf } from '../board/market-view.ts'
import { comparableMarkThen, type PriceThen } from '../board/reference-prices.ts'
import { ladderRungsOf } from './snapshot-relations.ts'

const ACTIVE: ReadonlySet<MarketStatus> = new Set(['active'])
const MARKETS_A_STEP = 100

/**
 * One live market as an input of the world: prices at the start of the interval, quantities of its
 * context snapshot. Unstated properties are not inferred: no event is known to be exhaustive.
 * @param snapshot null for a market listed since the snapshot instant
 */
export function worldMarketOf(
  view: MarketView,
  snapshot: MarketQuantities | null,
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
    theme: snapshot?.theme ?? themeOf(facts),
    exclusive: facts.exclusive,
    exhaustive: false,
    rung,
    multiLeg: isParlay(facts.ticker),
    firstSeenAt: firstSeenOf(view),
    listedAt: facts.openTime,
    closeTime: facts.closeTime,
    tau,
    daysToEvent: snapshot?.daysToEvent ?? null,
    catalyst: null,
    price,
    mark: view.mark,
    spread,
    twoSided: view.hasOrderbook,
    priceDayAgo:
      price === null || change24h === null ? null : (roundTo(price - change24h, 4) as Cents),
    markDayAgo: snapshot?.marksAgo['24h'] ?? null,
    markAtBaseline,
    volume24h: view.volume24h,
    volume24hUsd: view.volume24hUsd,
    liquidity: view.liquidityScore,
    cri: cliffRatio(price),
    las,
    adjIy: adjustedYield(impliedYieldYes(price, tau), las),
    vr: snapshot?.surprise.vr ?? null,
    residualVr: snapshot?.surprise.residualVr ?? null,
    trendLabel: snapshot?.trendLabel ?? null,
    markSd7d: snapshot?.markSd7d ?? null,
    tradedMoves: snapshot?.tradedMoves ?? null,
  }
}

/**
 * Every market that trades at the board's instant, by ticker.
 * @param then prices of markets at the baseline
 */
export function* worldMarkets(
  board: BoardView,
  snapshot: ContextSnapshot,
  then: ReadonlyMap<MarketId, PriceThen>,
): Steps<WorldMarket[]> {
  const viewsByTicker = new Map(board.list(ACTIVE).map((view) => [view.facts.ticker, view]))
  yield
  // The default order of strings is many times faster than a comparator.
  const activeMarkets = [...viewsByTicker.keys()]
    .sort()
    .flatMap((ticker) => viewsByTicker.get(ticker) ?? [])
  yield
  const rungs = ladderRungsOf(snapshot)
  const markets: WorldMarket[] = []
  for (const [i, view] of activeMarkets.entries()) {
    if (i % MARKETS_A_STEP === 0) yield
    const { facts } = view
    const rung = facts.exclusive ? null : (rungs.get(facts.ticker) ?? null)
    const mark = comparableMarkThen(view, then.get(view.market))
    markets.push(worldMarketOf(view, snapshot.markets.get(facts.ticker) ?? null, mark, rung))
  }
  return markets
}
