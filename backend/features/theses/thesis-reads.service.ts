import type {
  ScoredEdge,
  ThesesByTicker,
  ThesisChanges,
  ThesisContext,
  ThesisFeed,
  ThesisPrompt,
  TrackRecord,
} from '../../contract/theses/reads.ts'
import { generalTerms } from '../../domain/fees.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { scoreOf, trackRecordOf, type EdgeScore } from '../../domain/theses/track-record.ts'
import { changedEdges, changedNodes } from '../../domain/theses/thesis-changes.ts'
import type { BoundEdge, Thesis } from '../../domain/theses/thesis.ts'
import { depthOf, parentOf, type TreeNode } from '../../domain/theses/tree.ts'
import { DAY, HOUR, roundTo, type Millis } from '../../domain/units.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { get, inspectUrl } from '../../http/next-actions.ts'
import { isoOrNull, roundOrNull } from '../../http/presenters/market-ref.ts'
import { instantOf, startOf, type Instant } from '../../http/request/as-of.ts'
import type { Since } from '../../contract/params.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import { impliedReturnOf } from './implied-return.ts'
import { pricedEdges } from './thesis-edges-served.ts'
import { settlementOf } from './thesis-markets.ts'
import { promptOf, tokensIn } from './thesis-prompt.ts'
import type { ThesisDeps, ThesisRows } from './thesis-rows.ts'
import { confidenceIn, deltaOf, shortIdOf, thesisPageUrl, thesisUrl } from './thesis-served.ts'
import { spanUntil } from './theses.store.ts'

const MAX_HISTORY = 30
const MAX_PROMPTED = 3
const MAX_SINCE = (365 * DAY) as Millis

const servedNode = (node: TreeNode): ThesisContext['causalTree']['nodes'][number] => ({
  id: node.id,
  depth: depthOf(node.id),
  parentId: parentOf(node.id),
  label: node.label,
  probability: node.probability,
  importance: node.importance,
  outcome: node.outcome,
  tickers: [...node.tickers],
})

/** Reads of a thesis beyond its row: context, changes, prompt, feed. */
export function createThesisReadService(
  { store, board, urls, clock }: ThesisDeps,
  rows: ThesisRows,
) {
  const { thesisOfUserAt, newest } = rows

  const scoreEdge = (edge: BoundEdge, view: MarketView): [ScoredEdge, EdgeScore] | null => {
    const settlement = edge.settlement?.price ?? settlementOf(view)
    if (settlement === null) return null
    const score = scoreOf(edge, settlement, generalTerms(view.facts.venue))
    const row: ScoredEdge = {
      marketId: edge.ticker,
      market: view.facts.title,
      direction: score.direction,
      settledAt: isoOf(edge.settlement?.at ?? view.updatedAt),
      settlement: roundTo(settlement, 2),
      thesisPrice: roundTo(edge.firstThesisPrice, 2),
      marketPrice: roundOrNull(edge.firstMarketPrice),
      thesisBrier: roundTo(score.thesisBrier, 4),
      marketBrier: roundOrNull(score.marketBrier, 4),
      entryPrice: roundOrNull(edge.entryPrice),
      returnPct: roundOrNull(score.returnPct),
      benchmarkPct: roundOrNull(score.benchmarkPct),
    }
    return [row, score]
  }

  /** @param evaluations number of evaluations until the instant */
  const trackRecord = async (
    thesis: Thesis,
    { asOf }: Instant,
    evaluations: number,
  ): Promise<TrackRecord> => {
    const views = await board.markets(
      thesis.edges.map(({ ticker }) => ticker),
      asOf,
    )
    const settledEdges = thesis.edges.flatMap((edge) => {
      const view = views.get(edge.ticker)
      const row = view === undefined ? null : scoreEdge(edge, view)
      return row === null ? [] : [row]
    })
    const figures = trackRecordOf(settledEdges.map(([, score]) => score))
    const first = thesis.edges.map(({ firstDetectedAt }) => firstDetectedAt)
    return {
      trackedSince: first.length === 0 ? null : isoOf(Math.min(...first) as Millis),
      closedEdges: figures.closedEdges,
      winRate: roundOrNull(figures.winRate, 4),
      avgReturnPct: roundOrNull(figures.avgReturnPct),
      benchmarkPct: roundOrNull(figures.benchmarkPct),
      brier: roundOrNull(figures.brier, 4),
      marketBrier: roundOrNull(figures.marketBrier, 4),
      evaluations,
      edges: settledEdges
        .map(([row]) => row)
        .sort((firstRow, other) => (firstRow.settledAt < other.settledAt ? 1 : -1)),
    }
  }

  const actionsFor = (thesis: Thesis): ThesisContext['nextActions'] => {
    const url = thesisUrl(urls, thesis.id)
    const [edge] = thesis.edges
    const post = (description: string, path: string, body: Record<string, unknown>) => ({
      description,
      method: 'POST' as const,
      url: `${url}${path}`,
      body,
    })
    return {
      deeper: [
        get('Confidence by day', `${url}/evaluations`),
        get('What changed in a day', `${url}/changes?since=24h`),
        ...(edge === undefined ? [] : [get('The largest market', inspectUrl(urls, edge.ticker))]),
      ],
      act: [
        post('Add evidence', '/signal', { type: 'user_note', content: 'What happened' }),
        post('Evaluate now', '/evaluate', {}),
      ],
    }
  }

  return {
    async context(
      userId: string,
      id: string,
      options: {
        readonly depth: boolean
        readonly limit: number
        readonly asOf: Millis | null
      },
    ): Promise<ThesisContext> {
      const { thesis, ...instant } = await thesisOfUserAt(userId, id, options.asOf)
      const evaluations = await store.evaluations(
        thesis.id,
        spanUntil(instant.at),
        null,
        MAX_HISTORY,
      )
      const [last] = evaluations
      const evaluationCount =
        evaluations.length < MAX_HISTORY
          ? evaluations.length
          : await store.evaluationCount(thesis.id, spanUntil(instant.at))
      const edges = await pricedEdges(board, thesis, instant)
      const edgeSize = ({ row: { executableEdge } }: (typeof edges)[number]): number =>
        executableEdge === null ? -1 : Math.abs(executableEdge)
      return {
        thesisId: thesis.id,
        thesis: thesis.rawThesis,
        title: thesis.title,
        status: thesis.status,
        confidence: confidenceIn(thesis),
        horizon: thesis.horizon,
        updatedAt: isoOf(thesis.updatedAt),
        causalTree: {
          rootClaim: thesis.tree?.rootClaim ?? thesis.rawThesis,
          nodes: (thesis.tree?.nodes ?? []).map(servedNode),
        },
        edges: edges
          .sort((left, right) => edgeSize(right) - edgeSize(left))
          .slice(0, options.limit)
          .map(({ row, view }) => ({
            marketId: row.marketId,
            market: row.marketTitle,
            venue: row.venue,
            direction: row.direction,
            marketPrice: row.marketPrice,
            thesisPrice: row.thesisImpliedPrice,
            edge: row.edgeSize,
            executableEdge: row.executableEdge,
            confidence: row.confidence,
            relatedNodeId: row.relatedNodeId,
            eventTicker: row.eventTicker,
            seriesTicker: row.seriesTicker,
            ...(options.depth && { orderbook: bookOf(view) }),
          })),
        edgeMeta: { lastRescanAt: isoOrNull(thesis.edgesAt), totalEdges: thesis.edges.length },
        lastEvaluation:
          last === undefined
            ? null
            : {
                summary: last.summary,
                evaluatedAt: isoOf(last.evaluatedAt),
                model: last.model,
                confidenceDelta: deltaOf(last.previousConfidence, last.newConfidence),
                positionRecommendations: (last.positionUpdates ?? []).map((advice) => ({
                  ...advice,
                })),
              },
        evaluationHistory: evaluations.map((evaluation) => ({
          evaluatedAt: isoOf(evaluation.evaluatedAt),
          confidence: evaluation.newConfidence,
          delta: deltaOf(evaluation.previousConfidence, evaluation.newConfidence),
          summary: evaluation.summary,
        })),
        trackRecord: await trackRecord(thesis, instant, evaluationCount),
        nextActions: actionsFor(thesis),
      }
    },
    async changes(
      userId: string,
      id: string,
      { since, asOf }: { readonly since: Since; readonly asOf: Millis | null },
    ): Promise<ThesisChanges> {
      const { thesis, at } = await thesisOfUserAt(userId, id, asOf)
      const from = startOf(since, at, MAX_SINCE, 'a year')
      const updatedAt = isoOf(thesis.updatedAt)
      if (thesis.updatedAt <= from) return { changed: false, since: isoOf(from), updatedAt }
      const span = { from: from + 1, until: at }
      const evaluationCount = await store.evaluationCount(thesis.id, span)
      const latest = evaluationCount === 0 ? null : await newest(thesis.id, at)
      const previous = (await store.at(thesis.id, from)) ?? { ...thesis, tree: null, edges: [] }
      const [previousConfidence, is] = [confidenceIn(previous), confidenceIn(thesis)]
      return {
        changed: true,
        since: isoOf(from),
        confidence: is,
        confidenceDelta:
          previousConfidence === null || is === null ? null : deltaOf(previousConfidence, is),
        evaluationCount,
        latestSummary: latest?.summary ?? null,
        latestEvalAt: isoOrNull(latest?.evaluatedAt ?? null),
        status: thesis.status,
        statusChangedFrom: previous.status === thesis.status ? null : previous.status,
        nodes: changedNodes(previous, thesis),
        edges: changedEdges(previous, thesis),
        signals: await store.signalCount(thesis.id, span),
        updatedAt,
      }
    },
    async prompt(userId: string, id: string, requestedAsOf: Millis | null): Promise<ThesisPrompt> {
      const { thesis, ...instant } = await thesisOfUserAt(userId, id, requestedAsOf)
      const evaluations = await store.evaluations(
        thesis.id,
        spanUntil(instant.at),
        null,
        MAX_PROMPTED,
      )
      const edges = await pricedEdges(board, thesis, instant)
      const prompt = promptOf(
        thesis,
        edges.map(({ row }) => row),
        evaluations,
      )
      return {
        thesisId: thesis.id,
        title: thesis.title,
        prompt,
        tokensEstimate: tokensIn(prompt),
        generatedAt: isoOf(instant.at),
      }
    },
    async feed(
      userId: string,
      feedQuery: { readonly hours: number; readonly limit: number; readonly asOf: Millis | null },
    ): Promise<ThesisFeed> {
      const { hours, limit } = feedQuery
      const { at } = instantOf(feedQuery.asOf, clock.now(), true)
      const span = { from: at - hours * HOUR, until: at }
      const evaluationRows = await store.evaluationsOf(userId, span, limit)
      return {
        hours,
        count: evaluationRows.length,
        feed: evaluationRows.map(({ title, evaluation }) => ({
          id: evaluation.id,
          thesisId: evaluation.thesisId,
          thesisShortId: shortIdOf({ id: evaluation.thesisId }),
          title,
          evaluatedAt: isoOf(evaluation.evaluatedAt),
          confidence: evaluation.newConfidence,
          delta: deltaOf(evaluation.previousConfidence, evaluation.newConfidence),
          summary: evaluation.summary,
          updatedNodes: evaluation.changes.map(({ nodeId, newProbability }) => ({
            nodeId,
            newProb: newProbability,
          })),
          trigger: evaluation.trigger,
        })),
      }
    },
    /** Published and own theses with an edge in a market, largest edge first. */
    async byTicker(
      userId: string | null,
      thesisRef: string,
      requestedAsOf: Millis | null,
    ): Promise<ThesesByTicker> {
      const { asOf, at } = instantOf(requestedAsOf, clock.now(), board.ready)
      const view = await board.market(canonicalTicker(thesisRef), asOf)
      if (view === null) throw new NotFound('Market not found')
      const { ticker } = view.facts
      const theses = await store.visibleAt(userId, at)
      const servedEdges = await Promise.all(
        theses.map(async (thesis) => {
          const edge = thesis.edges.find((candidate) => candidate.ticker === ticker)
          const isOwn = thesis.userId === userId
          if (edge === undefined || (!isOwn && thesis.slug === null)) return null
          const size = view.price === null ? null : roundTo(edge.thesisPrice - view.price, 2)
          const { slug } = thesis
          return {
            slug,
            title: thesis.title,
            confidence: confidenceIn(thesis),
            impliedReturn: await impliedReturnOf(board, thesis, asOf),
            status: thesis.status,
            publishedAt: isoOrNull(thesis.publishedAt),
            url: slug === null ? null : thesisPageUrl(urls, slug),
            ...(isOwn && { thesisId: thesis.id }),
            private: slug === null,
            direction: (size ?? edge.orientation) >= 0 ? ('yes' as const) : ('no' as const),
            thesisPrice: roundTo(edge.thesisPrice, 2),
            edge: size,
          }
        }),
      )
      const page = servedEdges
        .filter((row) => row !== null)
        .sort((left, right) => Math.abs(right.edge ?? 0) - Math.abs(left.edge ?? 0))
      return { ticker, theses: page, count: page.length }
    },
  }
}
export type ThesisReadService = ReturnType<typeof createThesisReadService>

const bookOf = (view: MarketView) =>
  view.hasOrderbook
    ? {
        bidPrice: roundOrNull(view.bestBid),
        askPrice: roundOrNull(view.bestAsk),
        spread: roundOrNull(view.spread),
        bidDepth: roundOrNull(view.bidDepthUsd),
        askDepth: roundOrNull(view.askDepthUsd),
        liquidityScore: view.liquidityScore,
        asOf: isoOf(view.updatedAt),
      }
    : null
