import type { Grid } from '../../computed/grid/grid.ts'
import { gridThen } from '../../computed/past-grid.ts'
import type { BoardSnapshot, MarketView } from '../../computed/market-board.ts'
import { dossierMarkdown } from '../../domain/dossier-markdown.ts'
import type { MarketFacts } from '../../domain/market.ts'
import { SECOND } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/as-of.ts'
import { tickerOf } from '../../http/ticker.ts'
import { InvalidInput, NotFound, NotReady } from '../../lib/errors.ts'
import { createDossiers } from './dossier.service.ts'
import type { InspectDeps } from './inspect.deps.ts'
import type { InspectQuery, SharedDossier } from './inspect.schema.ts'

/** An answer as text, and the time of its data. */
export interface InspectAnswer {
  readonly text: string
  readonly type: 'application/json; charset=utf-8' | 'text/markdown; charset=utf-8'
  readonly updatedAt: Millis
}

/** What is the same for every reader, as the JSON text of an object. */
interface Kept {
  readonly grid: Grid | null
  readonly state: string
  readonly facts: readonly (MarketFacts | null)[]
  readonly madeAt: Millis
  readonly json: string
  readonly updatedAt: Millis
}

/** A dossier says when it was made; it is no older than an answer may be. */
const LIFE = (10 * SECOND) as Millis
const KEPT_DOSSIERS = 4_000

/** The numbers of a market that tell one state of it from another. */
const stateOf = (view: MarketView | null): unknown[] =>
  view === null
    ? []
    : [
        ...[view.status, view.price, view.mark, view.bestBid, view.bestAsk, view.lastPrice],
        ...[view.volume, view.volume24h, view.openInterest, view.change24h, view.updatedAt],
        ...[view.bidDepthUsd, view.askDepthUsd],
      ]

/**
 * Dossiers of single markets. What is the same for all callers is kept until the market or its
 * counterpart changes, the grid moves, or ten seconds are over.
 */
export function createInspect(deps: InspectDeps) {
  const { board, context, clock } = deps
  const dossiers = createDossiers(deps)
  const kept = new Map<string, Kept>()

  const gridOf = async (asOf: Millis | null): Promise<Grid | null> => {
    try {
      return await gridThen(context, asOf)
    } catch (error) {
      // Prices are served before the first grid stands.
      if (error instanceof NotReady) return null
      throw error
    }
  }

  const viewOf = async (
    snapshot: BoardSnapshot,
    ticker: string,
    asOf: Millis | null,
  ): Promise<MarketView> => {
    const view = snapshot.get(ticker) ?? (await board.market(ticker, asOf))
    if (view === null) throw new NotFound('Market not found')
    return view
  }

  const counterpartOf = (view: MarketView, grid: Grid | null, snapshot: BoardSnapshot) => {
    const { ticker } = view.facts
    const pair = grid?.pairOf.get(ticker)
    return pair === undefined ? null : snapshot.get(pair.a === ticker ? pair.b : pair.a)
  }

  const shared = async (ticker: string, asked: InspectQuery): Promise<Kept> => {
    const now = clock.now()
    const asOf = notInFuture(asked.asOf, now)
    if (asOf === null && !board.ready) throw new NotReady('The first load is unfinished')
    const at = asOf ?? now
    const [snapshot, grid] = await Promise.all([board.at(asOf), gridOf(asOf)])
    const view = await viewOf(snapshot, ticker, asOf)
    const counterpart = counterpartOf(view, grid, snapshot)
    const { contagion, diff, trend, nextActions } = asked
    const parts = [contagion, diff, trend, nextActions].map(Number).join('')
    const key = `${view.facts.ticker} ${parts}`
    const state = JSON.stringify([stateOf(view), stateOf(counterpart)])
    const facts = [view.facts, counterpart?.facts ?? null]
    const held = asOf === null ? kept.get(key) : undefined
    if (
      held !== undefined &&
      held.grid === grid &&
      held.state === state &&
      held.facts.every((version, index) => version === facts[index]) &&
      at - held.madeAt < LIFE &&
      at >= held.madeAt
    ) {
      return held
    }
    const inspected = { view, at, isNow: asOf === null, snapshot, grid }
    const dossier = await dossiers.dossier(inspected, asked)
    const json = JSON.stringify(dossier)
    const made = { grid, state, facts, madeAt: at, json, updatedAt: view.updatedAt }
    if (asOf === null) {
      kept.delete(key)
      kept.set(key, made)
      const oldest = kept.keys().next()
      if (kept.size > KEPT_DOSSIERS && oldest.done !== true) kept.delete(oldest.value)
    }
    return made
  }

  return {
    /**
     * @param isKnown whether the caller proved who they are
     * @throws InvalidInput without a ticker, Gone, NotFound
     */
    async inspect(text: string, asked: InspectQuery, isKnown: boolean): Promise<InspectAnswer> {
      const started = clock.monotonic()
      if (text.trim() === '') throw new InvalidInput('ticker required')
      const { json, updatedAt } = await shared(tickerOf(text), asked)
      if (asked.format === 'markdown') {
        const dossier = JSON.parse(json) as SharedDossier
        const markdown = dossierMarkdown(dossier)
        return { text: markdown, type: 'text/markdown; charset=utf-8', updatedAt }
      }
      const own = isKnown ? ',"position":null' : ''
      const latencyMs = Math.round((clock.monotonic() - started) * 100) / 100
      return {
        text: `${json.slice(0, -1)}${own},"latencyMs":${latencyMs}}`,
        type: 'application/json; charset=utf-8',
        updatedAt,
      }
    },
  }
}
export type InspectService = ReturnType<typeof createInspect>
