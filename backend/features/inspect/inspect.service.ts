import { LRUCache } from 'lru-cache'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { dossierMarkdown } from '../../domain/dossier-markdown.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { SECOND } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { tickerOf } from '../../http/request/ticker.ts'
import { InvalidInput, NotFound, NotReady } from '../../lib/errors.ts'
import { createDossiers } from './dossier.service.ts'
import type { InspectDeps } from './inspect.deps.ts'
import type { InspectQuery, SharedDossier } from '../../contract/inspect.ts'
import type { PositionOverlay } from '../../contract/portfolio.ts'

/** A response text and the time of its data. */
export interface InspectAnswer {
  readonly text: string
  readonly type: 'application/json; charset=utf-8' | 'text/markdown; charset=utf-8'
  readonly updatedAt: Millis
}

/** The caller-independent part as the JSON text of an object. */
interface CachedInspection {
  readonly ticker: string
  readonly snapshot: ContextSnapshot | null
  readonly state: string
  readonly facts: readonly (MarketFacts | null)[]
  readonly madeAt: Millis
  readonly json: string
  readonly updatedAt: Millis
}

/** A dossier contains its time of creation, so its cache age limits how old it may be. */
const LIFETIME = (10 * SECOND) as Millis
const MAX_CACHED_DOSSIERS = 4_000

/** The values of a market whose change invalidates its dossier. */
const stateOf = (view: MarketView | null): unknown[] =>
  view === null
    ? []
    : [
        view.status,
        view.price,
        view.mark,
        view.bestBid,
        view.bestAsk,
        view.lastPrice,
        view.volume,
        view.volume24h,
        view.openInterest,
        view.change24h,
        view.updatedAt,
        view.bidDepthUsd,
        view.askDepthUsd,
      ]

/**
 * Dossiers of single markets. The caller-independent part is cached until the market or its
 * counterpart changes, the snapshot moves, or ten seconds pass.
 */
export function createInspect(deps: InspectDeps) {
  const { board, context, clock, holdings } = deps
  const dossiers = createDossiers(deps)
  const cache = new LRUCache<string, CachedInspection>({ max: MAX_CACHED_DOSSIERS })

  const viewOf = async (
    boardView: BoardView,
    ticker: string,
    asOf: Millis | null,
  ): Promise<MarketView> => {
    const view = boardView.get(ticker) ?? (await board.market(ticker, asOf))
    if (view === null) throw new NotFound('Market not found')
    return view
  }

  const counterpartOf = (
    view: MarketView,
    snapshot: ContextSnapshot | null,
    boardView: BoardView,
  ) => {
    const { ticker } = view.facts
    const pair = snapshot?.pairOf.get(ticker)
    return pair === undefined ? null : boardView.get(pair.a === ticker ? pair.b : pair.a)
  }

  const sharedInspection = async (
    ticker: string,
    query: InspectQuery,
  ): Promise<CachedInspection> => {
    const now = clock.now()
    const asOf = notInFuture(query.asOf, now)
    if (asOf === null && !board.ready)
      throw new NotReady('The first data is not loaded yet; retry in a few seconds')
    const at = asOf ?? now
    const [boardView, snapshot] = await Promise.all([
      board.at(asOf),
      contextSnapshotAsOf(context, asOf),
    ])
    const view = await viewOf(boardView, ticker, asOf)
    const counterpart = counterpartOf(view, snapshot, boardView)
    const { contagion, diff, trend, nextActions } = query
    const parts = [contagion, diff, trend, nextActions].map(Number).join('')
    const key = `${view.facts.ticker} ${parts}`
    const state = JSON.stringify([stateOf(view), stateOf(counterpart)])
    const facts = [view.facts, counterpart?.facts ?? null]
    const cachedAnswer = asOf === null ? cache.get(key) : undefined
    if (
      cachedAnswer !== undefined &&
      cachedAnswer.snapshot === snapshot &&
      cachedAnswer.state === state &&
      cachedAnswer.facts.every((version, index) => version === facts[index]) &&
      at - cachedAnswer.madeAt < LIFETIME &&
      at >= cachedAnswer.madeAt
    ) {
      return cachedAnswer
    }
    const inspectedMarket = { view, at, isNow: asOf === null, boardView, snapshot }
    const dossier = await dossiers.dossier(inspectedMarket, query)
    const json = JSON.stringify(dossier)
    const { updatedAt } = view
    const dossierInputs = {
      ticker: view.facts.ticker,
      snapshot,
      state,
      facts,
      madeAt: at,
      json,
      updatedAt,
    }
    if (asOf === null) cache.set(key, dossierInputs)
    return dossierInputs
  }

  const positionOf = async (
    userId: string,
    ticker: string,
    { asOf }: InspectQuery,
  ): Promise<PositionOverlay | null> => {
    const { positions } = await holdings(userId, asOf)
    return positions.find((position) => position.ticker === ticker) ?? null
  }

  return {
    /**
     * @param userId the user whose position is shown; null for an anonymous caller
     * @throws InvalidInput without a ticker, Gone, NotFound
     */
    async inspect(
      text: string,
      query: InspectQuery,
      userId: string | null,
    ): Promise<InspectAnswer> {
      const startedAt = clock.monotonic()
      if (text.trim() === '') throw new InvalidInput('ticker required')
      const { json, updatedAt, ticker } = await sharedInspection(tickerOf(text), query)
      const position = userId === null ? undefined : await positionOf(userId, ticker, query)
      if (query.format === 'markdown') {
        const dossier = JSON.parse(json) as SharedDossier
        const markdown = dossierMarkdown({ ...dossier, position: position ?? null })
        return { text: markdown, type: 'text/markdown; charset=utf-8', updatedAt }
      }
      const positionField = position === undefined ? '' : `,"position":${JSON.stringify(position)}`
      const latencyMs = Math.round((clock.monotonic() - startedAt) * 100) / 100
      return {
        text: `${json.slice(0, -1)}${positionField},"latencyMs":${latencyMs}}`,
        type: 'application/json; charset=utf-8',
        updatedAt,
      }
    },
  }
}
export type InspectService = ReturnType<typeof createInspect>
