import type { MarketView } from '../../computed/board/market-board.ts'
import type { ThesisBacktest } from '../../contract/theses/backtest.ts'
import type { Since } from '../../contract/params.ts'
import { thesisEdge } from '../../domain/edges/thesis-edge.ts'
import { generalTerms } from '../../domain/fees.ts'
import {
  closedTrade,
  openedTrade,
  stepOf,
  tradePnl,
  type PaperTrade,
} from '../../domain/theses/backtest.ts'
import { HEARTBEAT_DEFAULTS } from '../../domain/theses/heartbeat.ts'
import { claimNodeOf } from '../../domain/theses/settlement.ts'
import { scoreOf, sideOf, trackRecordOf } from '../../domain/theses/track-record.ts'
import type { BoundEdge, Evaluation, Thesis } from '../../domain/theses/thesis.ts'
import { DAY, MINUTE, roundTo, type Millis } from '../../domain/units.ts'
import { isoOrNull, rounded } from '../../http/presenters/market-ref.ts'
import { instantOf, startOf } from '../../http/request/as-of.ts'
import { isoOf } from '../../lib/clock.ts'
import { Conflict } from '../../lib/errors.ts'
import { evaluatedStep, formedByRules, readingsFor } from './thesis-changes.ts'
import { pricedBy } from './thesis-edges-served.ts'
import { costOf, executableAt, settlementOf } from './thesis-markets.ts'
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
  readonly endedAt: Millis | null
}

/** Replays of theses over stored history. */
export function createThesisBacktests({ board, clock }: ThesisDeps, rows: ThesisRows) {
  const bought = async (thesis: Thesis, at: Millis): Promise<PaperTrade[]> => {
    const views = await board.markets(
      thesis.edges.map(({ ticker }) => ticker),
      at,
    )
    const trades = await Promise.all(
      thesis.edges.map(async (edge) => {
        const view = views.get(edge.ticker)
        const found = view === undefined ? null : thesisEdge(pricedBy(thesis, edge), view.price)
        if (view === undefined || found === null) return null
        const instant = { asOf: at, at }
        const worth = await executableAt(board, view, edge.thesisPrice, instant)
        const cost = costOf(view, found.direction)
        if (worth === null || worth < MIN_VALUE || cost === null || cost <= 0) return null
        const fees = generalTerms(view.facts.venue)
        return openedTrade({ ticker: edge.ticker, direction: found.direction }, cost, fees, at)
      }),
    )
    return trades.filter((trade) => trade !== null)
  }

  /** Trades after an instant: settled ones pay, those that the thesis left are sold at the bid. */
  const traded = (
    trades: readonly PaperTrade[],
    thesis: Thesis,
    views: ReadonlyMap<string, MarketView>,
    at: Millis,
  ): PaperTrade[] =>
    trades.map((trade) => {
      const view = views.get(trade.ticker)
      const edge = thesis.edges.find(({ ticker }) => ticker === trade.ticker)
      if (trade.closedAt !== null || view === undefined || edge === undefined) return trade
      const fees = generalTerms(view.facts.venue)
      const isYes = trade.direction === 'yes'
      const settlement = settlementOf(view)
      if (settlement !== null) {
        return closedTrade(trade, isYes ? settlement : 100 - settlement, 'settlement', fees, at)
      }
      const side = edge.thesisPrice >= edge.evaluatedPrice ? 'yes' : 'no'
      const isLeft = thesis.status === 'killed' || side !== trade.direction
      const bid = isYes ? view.bestBid : view.bestAsk === null ? null : 100 - view.bestAsk
      return isLeft && bid !== null ? closedTrade(trade, bid, 'thesis_exit', fees, at) : trade
    })

  const replayed = async (thesis: Thesis, from: Millis, to: Millis, step: number) => {
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
    const formed = await formedByRules(board, blank, { asOf: from, at: from })
    const start = formed.thesis
    const anchor = start.tree === null ? undefined : claimNodeOf(start.tree)?.tickers[0]
    const priceOf = (prices: ReadonlyMap<string, number>): number | null =>
      anchor === undefined ? null : (prices.get(anchor) ?? null)
    const { prices: first } = await readingsFor(board, start, from)
    const evaluations = [{ evaluation: formed.evaluation, price: priceOf(first) }]
    let now = start
    let trades = await bought(start, from)
    let endedAt: Millis | null = null
    for (let at = from + step; at <= to && endedAt === null; at += step) {
      const instant = at as Millis
      const readings = await readingsFor(board, now, instant)
      if (now.tree === null) break
      const input = {
        signals: [],
        readings,
        trigger: 'monitor_cycle' as const,
        judged: null,
      }
      const next = evaluatedStep(now, now.tree, input, instant)
      now = next.thesis
      evaluations.push({ evaluation: next.evaluation, price: priceOf(readings.prices) })
      const views = await board.markets(
        trades.map(({ ticker }) => ticker),
        instant,
      )
      trades = traded(trades, now, views, instant)
      if (now.status !== 'active') endedAt = instant
    }
    return { start, end: now, evaluations, trades, endedAt } satisfies Replay
  }

  return {
    async run(userId: string, id: string, window: Since): Promise<ThesisBacktest> {
      const { at: to } = instantOf(null, clock.now(), board.ready)
      const thesis = await rows.owned(userId, id)
      const from = startOf(window, to, MAX_RANGE, 'a year')
      const step = stepOf(to - from, HEARTBEAT_DEFAULTS.newsIntervalMin * MINUTE)
      const { start, end, evaluations, trades, endedAt } = await replayed(thesis, from, to, step)
      if (start.tree === null) throw new Conflict('the thesis could not be formed')
      const views = await board.markets(
        start.edges.map(({ ticker }) => ticker),
        to,
      )
      const edges = start.edges
        .toSorted((one, other) => sizeOf(other) - sizeOf(one))
        .flatMap((edge) => {
          const view = views.get(edge.ticker)
          return view === undefined ? [] : [servedEdgeOf(edge, view)]
        })
      const served = trades.map((trade) => servedTradeOf(trade, views.get(trade.ticker) ?? null))
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
          marketPrice: rounded(price),
          summary: evaluation.summary,
          changedNodes: evaluation.changes.length,
          signals: evaluation.signals.length,
        })),
        edges: edges.map(({ row }) => row),
        trades: served,
        result: resultOf(
          served,
          edges.flatMap(({ score }) => score ?? []),
        ),
        notes: [
          'News, social posts and signals of the owner are not replayed: conditions move with their markets.',
          'Orders fill at the asking or bidding price of the instant, whatever its size.',
        ],
      }
    },
  }
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
    marketPriceAtEnd: rounded(view.price),
    settlement: rounded(settlement),
    relatedNodeId: edge.relatedNodeId,
    thesisBrier: rounded(score?.thesisBrier ?? null, 4),
    marketBrier: rounded(score?.marketBrier ?? null, 4),
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
    quantity: trade.quantity,
    openedAt: isoOf(trade.openedAt),
    entryPrice: roundTo(trade.entryPrice, 2),
    closedAt: isoOrNull(trade.closedAt),
    exitPrice: rounded(trade.exitPrice),
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
    benchmarkPct: rounded(benchmarkPct),
    settledEdges: closedEdges,
    thesisBrier: rounded(brier, 4),
    marketBrier: rounded(marketBrier, 4),
  }
}
