import type { Side, Ticker } from '../market.ts'
import { roundTo } from '../units.ts'
import type { ClosedLoop } from './heartbeat.ts'
import type { ExitReason, ThesisStrategy } from './holdings.ts'
import { adviceFor, type PricedMarket } from './position-advice.ts'
import type { ThesisStatus } from './status.ts'

/** Cents a contract that an edge must leave for an entry. */
const MIN_EDGE = 3

/** Quote of a strategy's market, cents of its side. */
export interface StrategyQuote {
  readonly isOpen: boolean
  /** Price of a purchase; null when nothing is offered. */
  readonly cost: number | null
  /** Price of a sale; null without a bid. */
  readonly proceeds: number | null
  /** Cents a contract that the thesis leaves after cost; null without an edge. */
  readonly edge: number | null
  /** The condition of its edge is decided. */
  readonly isDecided: boolean
}

/** A market in which nothing can be traded. */
export const CLOSED_QUOTE: StrategyQuote = {
  isOpen: false,
  cost: null,
  proceeds: null,
  edge: null,
  isDecided: false,
}

/** Traded amounts of a strategy. */
export interface StrategyProgress {
  /** Contracts. */
  readonly bought: number
  readonly held: number
  /** Actions of its open intents. */
  readonly open: ReadonlySet<'buy' | 'sell'>
}

export const NO_PROGRESS: StrategyProgress = { bought: 0, held: 0, open: new Set() }

/** A trade that a strategy proposes. */
export interface StrategyTrade {
  readonly strategyId: string
  readonly ticker: Ticker
  readonly direction: Side
  readonly action: 'buy' | 'sell'
  readonly quantity: number
  /** Ceiling of a purchase; null sells at the market. */
  readonly limit: number | null
  readonly softCondition: string | null
  readonly exitReason: ExitReason | null
  readonly reason: string
}

/** The parts of a thesis that determine its trades. */
export interface TradedThesis {
  readonly status: ThesisStatus
  readonly strategies: readonly ThesisStrategy[]
  /** As the last evaluation priced them. */
  readonly edges: readonly PricedMarket[]
}

/**
 * The trades that the strategies of a thesis propose now: exits first, then entries by priority.
 */
export function strategyTrades(
  thesis: TradedThesis,
  loop: ClosedLoop,
  quoteOf: (strategy: ThesisStrategy) => StrategyQuote,
  progressOf: (strategy: ThesisStrategy) => StrategyProgress,
): StrategyTrade[] {
  const { status, strategies } = thesis
  const all = strategies.map((strategy) => ({
    strategy,
    quote: quoteOf(strategy),
    progress: progressOf(strategy),
  }))
  const exits = loop.exit ? all.flatMap((state) => exitOf(thesis, state) ?? []) : []
  const left = new Set(exits.map(({ strategyId }) => strategyId))
  const entries =
    loop.entry && status === 'active'
      ? all
          .filter(({ strategy }) => !left.has(strategy.id))
          .toSorted((a, b) => b.strategy.priority - a.strategy.priority)
          .flatMap((state) => entryOf(state) ?? [])
      : []
  return [...exits, ...entries]
}

interface StrategyState {
  readonly strategy: ThesisStrategy
  readonly quote: StrategyQuote
  readonly progress: StrategyProgress
}

function exitOf(
  thesis: TradedThesis,
  { strategy, quote, progress }: StrategyState,
): StrategyTrade | null {
  if (progress.held <= 0 || progress.open.has('sell') || !quote.isOpen) return null
  const dueReason = exitReasonOf(thesis, strategy, quote.proceeds)
  if (dueReason === null) return null
  const { id, ticker, direction } = strategy
  return {
    strategyId: id,
    ticker,
    direction,
    action: 'sell',
    quantity: roundTo(progress.held, 6),
    limit: null,
    softCondition: null,
    exitReason: dueReason[0],
    reason: dueReason[1],
  }
}

function exitReasonOf(
  { status, edges }: TradedThesis,
  strategy: ThesisStrategy,
  proceeds: number | null,
): readonly [ExitReason, string] | null {
  if (status === 'killed') return ['thesis_exit', 'the thesis was killed']
  const { stopLoss, takeProfit } = strategy
  if (proceeds === null) return null
  if (stopLoss !== null && proceeds <= stopLoss) {
    return ['stop_loss', `bid ${proceeds}¢ is at or below the stop of ${stopLoss}¢`]
  }
  if (takeProfit !== null && proceeds >= takeProfit) {
    return ['take_profit', `bid ${proceeds}¢ is at or above the target of ${takeProfit}¢`]
  }
  const { recommendation, reason } = adviceFor(strategy, edges, status)
  return recommendation === 'close' ? ['thesis_exit', `its evaluation closes it: ${reason}`] : null
}

function entryOf({ strategy, quote, progress }: StrategyState): StrategyTrade | null {
  const { id, ticker, direction, entryBelow, entryAbove, stopLoss, takeProfit } = strategy
  const { cost, proceeds, edge } = quote
  const left = roundTo(strategy.maxQuantity - progress.bought, 6)
  if (strategy.status !== 'active' || !quote.isOpen || quote.isDecided || left <= 0) return null
  if (progress.open.has('buy') || cost === null || edge === null || edge < MIN_EDGE) return null
  const isUnder = entryBelow !== null && cost <= entryBelow
  const isOver = entryAbove !== null && cost >= entryAbove
  if (!isUnder && !isOver) return null
  // An exit would follow at once.
  if (proceeds !== null && stopLoss !== null && proceeds <= stopLoss) return null
  if (proceeds !== null && takeProfit !== null && proceeds >= takeProfit) return null
  return {
    strategyId: id,
    ticker,
    direction,
    action: 'buy',
    quantity: Math.min(strategy.perOrderQuantity, left),
    limit: isUnder ? entryBelow : cost,
    softCondition: strategy.softConditions,
    exitReason: null,
    reason: isUnder
      ? `${cost}¢ is at or below the entry of ${entryBelow}¢; ${roundTo(edge, 2)}¢ remain after cost`
      : `${cost}¢ is at or above the entry of ${entryAbove ?? ''}¢; ${roundTo(edge, 2)}¢ remain after cost`,
  }
}
