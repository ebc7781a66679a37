import type { MarketView } from '../../computed/board/market-board.ts'
import type { ThesisBacktest } from '../../contract/theses/backtest.ts'
import type { Since } from '../../contract/params.ts'
import { thesisEdge } from '../../domain/edges/thesis-edge.ts'
import { generalTerms } from '../../domain/fees.ts'
import type { OrderBook, Side } from '../../domain/market.ts'
import {
  EDGE_CONTRACTS,
  ReplayedAccount,
  START_CENTS,
  stepOf,
  tradePnl,
  type PaperTrade,
  type ReplayedMarket,
} from '../../domain/theses/backtest.ts'
import {
  CLOSED_QUOTE,
  strategyTrades,
  type StrategyQuote,
} from '../../domain/theses/closed-loop.ts'
import { HEARTBEAT_DEFAULTS } from '../../domain/theses/heartbeat.ts'
import type { ThesisStrategy } from '../../domain/theses/holdings.ts'
import { claimNodeOf } from '../../domain/theses/settlement.ts'
import { scoreOf, sideOf, trackRecordOf } from '../../domain/theses/track-record.ts'
import type { BoundEdge, Evaluation, Thesis } from '../../domain/theses/thesis.ts'
import { centsOf, contractsOf, DAY, MINUTE, roundTo, type Millis } from '../../domain/units.ts'
import { isoOrNull, roundOrNull } from '../../http/presenters/market-ref.ts'
import { instantOf, startOf } from '../../http/request/as-of.ts'
import { isoOf } from '../../lib/clock.ts'
import { Conflict } from '../../lib/errors.ts'
import { orderedStrategies } from './holdings/holdings-served.ts'
import { evaluationStep, formByRules, readingsFor } from './thesis-changes.ts'
import { edgePrices } from './thesis-edges-served.ts'
import { costOf, executableAt, settlementOf, strategyQuote } from './thesis-markets.ts'
import type { ThesisDeps, ThesisRows } from './thesis-rows.ts'
import { servedTree } from './thesis-served.ts'

const MAX_RANGE = (365 * DAY) as Millis
/** Least edge after cost that is traded, cents. */
const MIN_VALUE = 1

/** A replayed thesis with what happened to it. */
interface Replay {
  readonly start: Thesis
  readonly end: Thesis
  readonly evaluations: readonly {
    readonly evaluation: Evaluation
    readonly price: number | null
  }[]
  readonly trades: readonly PaperTrade[]
  readonly tradedBy: ThesisBacktest['tradedBy']
  readonly endedAt: Millis | null
}

/** Replays of theses over stored history. */
export function createThesisBacktests({ board, clock }: ThesisDeps, rows: ThesisRows) {
  const quoteAt = async (view: MarketView, at: Millis): Promise<ReplayedMarket> => {
    const book = view.hasOrderbook ? ((await board.book(view, at))?.book ?? null) : null
    const sizeAt = (levels: OrderBook['bids'] | undefined, price: number | null) => {
      const [best] = levels ?? []
      return best === undefined || centsOf(best.price) !== price ? null : contractsOf(best.size)
    }
    return {
      facts: view.facts,
      status: view.status,
      bid: view.bestBid,
      ask: view.bestAsk,
      bidSize: sizeAt(book?.bids, view.bestBid),
      askSize: sizeAt(book?.asks, view.bestAsk),
    }
  }

  /** The strategies of a thesis as they begin; without any, one for each edge that is worth its cost. */
  const strategiesFor = async (
    thesis: Thesis,
    start: Thesis,
    at: Millis,
  ): Promise<readonly ReplayedStrategy[]> => {
    const strategies = orderedStrategies(thesis.strategies).filter(
      ({ status }) => status !== 'cancelled',
    )
    if (strategies.length > 0) {
      return strategies.map((strategy) => ({
        ...strategy,
        status: 'active' as const,
        isEdge: false,
      }))
    }
    const views = await board.markets(
      start.edges.map(({ ticker }) => ticker),
      at,
    )
    const replayedStrategies = await Promise.all(
      start.edges.map(async (edge): Promise<ReplayedStrategy | null> => {
        const view = views.get(edge.ticker)
        const edgePricing =
          view === undefined ? null : thesisEdge(edgePrices(start, edge), view.price)
        if (view === undefined || edgePricing === null) return null
        const executableEdge = await executableAt(board, view, edge.thesisPrice, { asOf: at, at })
        const cost = costOf(view, edgePricing.direction)
        if (executableEdge === null || executableEdge < MIN_VALUE || cost === null || cost <= 0)
          return null
        return edgeStrategy(start, edge, view, { direction: edgePricing.direction, cost, at })
      }),
    )
    return replayedStrategies.filter((strategy) => strategy !== null)
  }

  /** Lets the strategies of a thesis trade at an instant. */
  const trade = async (
    account: ReplayedAccount,
    thesis: Thesis,
    strategies: readonly ReplayedStrategy[],
    at: Millis,
    isStart: boolean,
  ): Promise<void> => {
    const tickers = [...new Set(strategies.map(({ ticker }) => ticker))]
    const quotes = new Map<string, StrategyQuote>()
    for (const [, view] of await board.markets(tickers, at)) {
      const settlement = settlementOf(view)
      if (settlement !== null) {
        account.settle(view.facts.ticker, settlement, at)
        continue
      }
      account.quote(await quoteAt(view, at), at)
      for (const strategy of strategies) {
        if (strategy.ticker !== view.facts.ticker) continue
        const quote = await strategyQuote(board, thesis, strategy, view, { asOf: at, at })
        const isBlocked = account.holdsOther(strategy.ticker, strategy.direction)
        quotes.set(strategy.id, { ...quote, isDecided: quote.isDecided || isBlocked })
      }
    }
    const quotedStrategies = strategies.filter(({ id }) => quotes.has(id))
    for (const strategy of quotedStrategies.filter(({ isEdge }) => isEdge)) {
      const { ticker, direction, perOrderQuantity: quantity, entryBelow } = strategy
      const order = { ticker, direction, strategyId: null, quantity }
      const heldContracts = account.heldContracts(order)
      if (isStart && entryBelow !== null) account.buy(order, entryBelow, at)
      else if (heldContracts > 0 && isLeft(thesis, strategy)) {
        account.sell({ ...order, quantity: heldContracts }, 'thesis_exit', at)
      }
    }
    const positionStrategies = quotedStrategies.filter(({ isEdge }) => !isEdge)
    const trades = strategyTrades(
      { ...thesis, strategies: positionStrategies },
      { entry: true, exit: true },
      ({ id }) => quotes.get(id) ?? CLOSED_QUOTE,
      (strategy) => ({
        bought: account.contractsBought(strategy.id),
        held: account.heldContracts({ ...strategy, strategyId: strategy.id }),
        open: new Set(),
      }),
    )
    for (const { action, limit, exitReason, ...order } of trades) {
      const cost = quotes.get(order.strategyId)?.cost ?? null
      // The price now is on the grid of the venue, and at most the limit.
      if (action === 'buy' && cost !== null && limit !== null) account.buy(order, cost, at)
      else if (exitReason !== null) account.sell(order, exitReason, at)
    }
  }

  const replayThesis = async (thesis: Thesis, from: Millis, to: Millis, step: number) => {
    const blank: Thesis = {
      ...thesis,
      status: 'forming',
      outcome: null,
      previousConfidence: null,
      tree: null,
      edges: [],
      positions: [],
      strategies: [],
    }
    const firstStep = await formByRules(board, blank, { asOf: from, at: from })
    const start = firstStep.thesis
    const anchor = start.tree === null ? undefined : claimNodeOf(start.tree)?.tickers[0]
    const priceOf = (prices: ReadonlyMap<string, number>): number | null =>
      anchor === undefined ? null : (prices.get(anchor) ?? null)
    const { prices: first } = await readingsFor(board, start, from)
    const evaluations = [{ evaluation: firstStep.evaluation, price: priceOf(first) }]
    const strategies = await strategiesFor(thesis, start, from)
    const account = new ReplayedAccount()
    await trade(account, start, strategies, from, true)
    let now = start
    let endedAt: Millis | null = null
    for (let at = from + step; at <= to && endedAt === null; at += step) {
      const instant = at as Millis
      const readings = await readingsFor(board, now, instant)
      if (now.tree === null) break
      const input = {
        signals: [],
        consumed: [],
        readings,
        trigger: 'monitor_cycle' as const,
        judged: null,
      }
      const next = evaluationStep(now, now.tree, input, instant)
      now = next.thesis
      evaluations.push({ evaluation: next.evaluation, price: priceOf(readings.prices) })
      await trade(account, now, strategies, instant, false)
      if (now.status !== 'active') endedAt = instant
    }
    const tradedBy = strategies.some(({ isEdge }) => !isEdge) ? 'strategies' : 'edges'
    const { trades } = account
    return { start, end: now, evaluations, trades, tradedBy, endedAt } satisfies Replay
  }

  return {
    async run(userId: string, id: string, window: Since): Promise<ThesisBacktest> {
      const { at: to } = instantOf(null, clock.now(), board.ready)
      const thesis = await rows.thesisOfUser(userId, id)
      const from = startOf(window, to, MAX_RANGE, 'a year')
      const step = stepOf(to - from, HEARTBEAT_DEFAULTS.newsIntervalMin * MINUTE)
      const replay = await replayThesis(thesis, from, to, step)
      const { start, end, evaluations, trades, tradedBy, endedAt } = replay
      if (start.tree === null) throw new Conflict('the thesis could not be formed')
      const views = await board.markets(
        [...start.edges, ...trades].map(({ ticker }) => ticker),
        to,
      )
      const edges = start.edges
        .toSorted((left, right) => sizeOf(right) - sizeOf(left))
        .flatMap((edge) => {
          const view = views.get(edge.ticker)
          return view === undefined ? [] : [servedEdgeOf(edge, view)]
        })
      const servedTrades = trades.map((trade) =>
        servedTradeOf(trade, views.get(trade.ticker) ?? null),
      )
      return {
        thesisId: thesis.id,
        title: thesis.title,
        rootClaim: start.tree.rootClaim,
        from: isoOf(from),
        to: isoOf(to),
        stepMinutes: step / MINUTE,
        status: end.status,
        endedAt: isoOrNull(endedAt),
        treeAtStart: servedTree(start.tree),
        confidence: evaluations.map(({ evaluation, price }) => ({
          at: isoOf(evaluation.evaluatedAt),
          confidence: evaluation.newConfidence,
          marketPrice: roundOrNull(price),
          summary: evaluation.summary,
          changedNodes: evaluation.changes.length,
          signals: evaluation.signals.length,
        })),
        edges: edges.map(({ row }) => row),
        tradedBy,
        trades: servedTrades,
        result: resultOf(
          servedTrades,
          edges.flatMap(({ score }) => score ?? []),
        ),
        notes: [
          'News, social posts and signals of the owner are not replayed: conditions move with their markets.',
          `Trades are those of the paper broker: immediate at the best price, at most what is offered there, from $${START_CENTS / 100}.`,
          'Strategies check their markets at each evaluation, with their current settings.',
        ],
      }
    },
  }
}
interface ReplayedStrategy extends ThesisStrategy {
  /** It holds an edge from the start, because the thesis has no strategies. */
  readonly isEdge: boolean
}

/** An edge without a strategy, bought at its cost. */
function edgeStrategy(
  { id: thesisId, createdAt }: Thesis,
  { ticker, rationale }: BoundEdge,
  { facts }: MarketView,
  { direction, cost, at }: { readonly direction: Side; readonly cost: number; readonly at: Millis },
): ReplayedStrategy {
  return {
    id: `edge:${ticker}`,
    thesisId,
    ticker: facts.ticker,
    title: facts.title,
    venue: facts.venue,
    direction,
    horizon: 'medium',
    status: 'active',
    priority: 0,
    entryBelow: cost,
    entryAbove: null,
    stopLoss: null,
    takeProfit: null,
    maxQuantity: EDGE_CONTRACTS,
    perOrderQuantity: EDGE_CONTRACTS,
    executedQuantity: 0,
    softConditions: null,
    rationale,
    createdBy: 'backtest',
    createdAt,
    updatedAt: at,
    isEdge: true,
  }
}

/** Whether a thesis does not hold the side of an edge any more. */
function isLeft({ status, edges }: Thesis, { ticker, direction }: ReplayedStrategy): boolean {
  const edge = edges.find((candidate) => candidate.ticker === ticker)
  if (edge === undefined) return false
  const side = edge.thesisPrice >= edge.evaluatedPrice ? 'yes' : 'no'
  return status === 'killed' || side !== direction
}

export type ThesisBacktests = ReturnType<typeof createThesisBacktests>

const sizeOf = ({ firstThesisPrice, firstMarketPrice }: BoundEdge): number =>
  Math.abs(firstThesisPrice - firstMarketPrice)

function servedEdgeOf(edge: BoundEdge, view: MarketView) {
  const settlement = settlementOf(view)
  const score =
    settlement === null ? null : scoreOf(edge, settlement, generalTerms(view.facts.venue))
  const row: ThesisBacktest['edges'][number] = {
    marketId: edge.ticker,
    market: view.facts.title,
    venue: view.facts.venue,
    direction: sideOf(edge),
    thesisPriceAtStart: roundTo(edge.firstThesisPrice, 2),
    marketPriceAtStart: roundTo(edge.firstMarketPrice, 2),
    marketPriceAtEnd: roundOrNull(view.price),
    settlement: roundOrNull(settlement),
    relatedNodeId: edge.relatedNodeId,
    thesisBrier: roundOrNull(score?.thesisBrier ?? null, 4),
    marketBrier: roundOrNull(score?.marketBrier ?? null, 4),
  }
  return { row, score }
}

function servedTradeOf(
  trade: PaperTrade,
  view: MarketView | null,
): ThesisBacktest['trades'][number] {
  const mark = view?.mark ?? null
  const current = mark === null ? trade.entryPrice : trade.direction === 'yes' ? mark : 100 - mark
  return {
    marketId: trade.ticker,
    market: view?.facts.title ?? trade.ticker,
    direction: trade.direction,
    strategyId: trade.strategyId,
    quantity: roundTo(trade.quantity, 6),
    openedAt: isoOf(trade.openedAt),
    entryPrice: roundTo(trade.entryPrice, 2),
    closedAt: isoOrNull(trade.closedAt),
    exitPrice: roundOrNull(trade.exitPrice),
    exitReason: trade.exitReason,
    feesCents: Math.round(trade.feesCents),
    pnlCents: Math.round(tradePnl(trade, trade.exitPrice ?? current)),
  }
}

function resultOf(
  trades: ThesisBacktest['trades'],
  scores: readonly ReturnType<typeof scoreOf>[],
): ThesisBacktest['result'] {
  const sum = (amount: (trade: ThesisBacktest['trades'][number]) => number): number =>
    trades.reduce((total, trade) => total + amount(trade), 0)
  const costCents = Math.round(sum(({ quantity, entryPrice }) => quantity * entryPrice))
  const pnlCents = sum((trade) => trade.pnlCents)
  const { brier, marketBrier, benchmarkPct, closedEdges } = trackRecordOf(scores)
  return {
    trades: trades.length,
    wins: trades.filter((trade) => trade.pnlCents > 0).length,
    costCents,
    feesCents: sum(({ feesCents }) => feesCents),
    pnlCents,
    returnPct: costCents === 0 ? null : roundTo((100 * pnlCents) / costCents, 2),
    benchmarkPct: roundOrNull(benchmarkPct),
    settledEdges: closedEdges,
    thesisBrier: roundOrNull(brier, 4),
    marketBrier: roundOrNull(marketBrier, 4),
  }
}
