import type { WorldSnapshot } from '../../computed/context-engine.ts'
import { canonicalTicker } from '../../domain/market.ts'
import { DAY, type Millis } from '../../domain/units.ts'
import {
  operationMarkdown,
  type OperationTitle,
} from '../../domain/world/markdown/operations-markdown.ts'
import { focusPath } from '../../domain/world/regions/region.ts'
import { portfolioLines } from '../../domain/world/markdown/position-line.ts'
import { compactMarkdown, snapshotMarkdown } from '../../domain/world/markdown/snapshot-markdown.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import { startOf } from '../../http/request/as-of.ts'
import { NotFound } from '../../lib/errors.ts'
import { worldCatalysts } from './catalysts.ts'
import { createExplanations } from './explain.service.ts'
import { worldHistory } from './history.ts'
import { regionSnapshotOf, type RegionSnapshot } from './region-snapshot.ts'
import { worldDispersion, worldTrail } from './relations.ts'
import {
  compactItems,
  createSnapshots,
  firstTicker,
  snapshotBody,
  tickerOfItem,
} from './snapshots.ts'
import { headOf, operationFields, relatedActions, type WorldAnswer } from './world-answer.ts'
import { worldAsOf, type WorldDeps } from './world.deps.ts'
import type { RequestedSince, Op, RegionQuery, WorldQuery } from '../../contract/world.ts'

const MAX_BASELINE = (90 * DAY) as Millis
const DEFAULT_HISTORY_SPAN = DAY
const DEFAULT_CATALYST_SPAN = (7 * DAY) as Millis
const DEFAULT_SIZE = { limit: 10, depth: 1 } as const
const MAX_DT = (30 * DAY) as Millis

const TITLES: Readonly<Record<Exclude<Op, 'snapshot'>, OperationTitle>> = {
  history: 'History',
  catalyst: 'Catalysts',
  dispersion: 'Dispersion',
  trail: 'Trail',
  explain: 'Explain',
}

/** The parts of a response that depend on the operation. */
interface OperationResult {
  readonly body: object
  readonly ticker: string | null
  readonly markdown: () => string
}

/** The world and its regions, by operation. */
export function createWorld(deps: WorldDeps) {
  const { context, board, history, clock, urls } = deps
  const snapshots = createSnapshots(urls, () => clock.monotonic())
  const explanations = createExplanations(deps)

  /** The world of an instant with the caller's baseline. */
  const worldSnapshotFor = async (
    asOf: Millis | null,
    requestedSince: RequestedSince | null,
  ): Promise<{ readonly worldSnapshot: WorldSnapshot; readonly current: WorldSnapshot }> => {
    const { worldSnapshot, at } = await worldAsOf(deps, asOf)
    if (requestedSince === null) return { worldSnapshot, current: worldSnapshot }
    const { since, text } = requestedSince
    const start = startOf(since, at, MAX_BASELINE, '90 days')
    // Responses must not change while a world snapshot is current, so a span ends at its time.
    const from =
      'span' in since
        ? worldSnapshot.world.at - since.span
        : Math.min(start, worldSnapshot.world.at)
    const baseline = { at: from as Millis, reason: `since ${text}` }
    return { worldSnapshot: await context.since(worldSnapshot, baseline), current: worldSnapshot }
  }

  const operation = (
    regionSnapshot: RegionSnapshot,
    op: Exclude<Op, 'snapshot'>,
    result: { readonly rows: readonly string[] } & Record<string, unknown>,
    ticker: string | null,
  ): OperationResult => {
    const { rows, ...body } = result
    const { trail } = regionSnapshot.region
    return {
      body,
      ticker,
      markdown: () => operationMarkdown(headOf(regionSnapshot, urls), trail, TITLES[op], rows),
    }
  }

  const answer = async (
    regionSnapshot: RegionSnapshot,
    query: RegionQuery,
    extraQuery: Partial<Pick<WorldQuery, 'compact' | 'from' | 'item'>>,
    current: WorldSnapshot,
    userId: string | null,
  ): Promise<OperationResult> => {
    const { op, limit, depth, dt, window } = query
    const { worldSnapshot, region } = regionSnapshot
    switch (op) {
      case 'snapshot': {
        const snapshot = await snapshots.get(regionSnapshot, { limit, depth })
        const ticker = firstTicker(snapshot.salient)
        if (extraQuery.compact === true) {
          return {
            body: { salient: compactItems(snapshot.salient) },
            ticker,
            markdown: () => compactMarkdown(snapshot, region.trail),
          }
        }
        const portfolio = userId === null ? null : await deps.holdings(userId, query.asOf)
        const positions = (portfolio?.positions ?? []).map((position) => ({
          ...position,
          url: inspectUrl(urls, position.ticker),
        }))
        return {
          body: snapshotBody(snapshot, portfolio),
          ticker,
          markdown: () => snapshotMarkdown(snapshot, region.trail, portfolioLines(positions)),
        }
      }
      case 'history': {
        const historyResult = await worldHistory(
          history,
          regionSnapshot,
          dt ?? DEFAULT_HISTORY_SPAN,
          limit,
        )
        return operation(regionSnapshot, op, historyResult, null)
      }
      case 'catalyst': {
        const span = window ?? (dt === null ? DEFAULT_CATALYST_SPAN : Math.min(dt, MAX_DT))
        const catalystResult = worldCatalysts(regionSnapshot, span as Millis, limit, urls)
        return operation(
          regionSnapshot,
          op,
          catalystResult,
          catalystResult.catalyst.items[0]?.tickers[0] ?? null,
        )
      }
      case 'dispersion': {
        const dispersionResult = worldDispersion(regionSnapshot, limit, urls)
        const [widest] = dispersionResult.dispersion.groups
        return operation(regionSnapshot, op, dispersionResult, widest?.outliers[0]?.ticker ?? null)
      }
      case 'trail': {
        const name = canonicalTicker(extraQuery.from ?? '')
        const view =
          worldSnapshot.snapshot.markets.get(name)?.view ?? (await board.market(name, query.asOf))
        if (view === null) throw new NotFound('Market not found')
        return operation(
          regionSnapshot,
          op,
          worldTrail(worldSnapshot, view, limit, urls),
          view.facts.ticker,
        )
      }
      case 'explain': {
        const explanation = await explanations.explain(
          [worldSnapshot, current],
          extraQuery.item ?? '',
        )
        return operation(regionSnapshot, op, explanation, tickerOfItem(explanation.explain.item))
      }
    }
  }

  const read = async (
    path: readonly string[],
    query: RegionQuery,
    extraQuery: Partial<Pick<WorldQuery, 'compact' | 'from' | 'item'>>,
    userId: string | null,
  ): Promise<WorldAnswer> => {
    const startedAt = clock.monotonic()
    const { worldSnapshot, current } = await worldSnapshotFor(query.asOf, query.since)
    const regionSnapshot = regionSnapshotOf(worldSnapshot, path)
    const { body, ticker, markdown } = await answer(
      regionSnapshot,
      query,
      extraQuery,
      current,
      userId,
    )
    const timing = {
      servedAt: clock.now(),
      generatedInMs: Math.round(clock.monotonic() - startedAt),
    }
    return {
      body: {
        ...headOf(regionSnapshot, urls),
        ...body,
        ...operationFields(query.op, timing),
        ...(query.nextActions ? { nextActions: relatedActions(regionSnapshot, ticker, urls) } : {}),
      },
      markdown,
    }
  }

  return {
    /** The anonymous snapshot of a region of the newest world, for streams. */
    async current(path: readonly string[], worldSnapshot: WorldSnapshot) {
      const startedAt = clock.monotonic()
      const regionSnapshot = regionSnapshotOf(worldSnapshot, path)
      const snapshot = await snapshots.get(regionSnapshot, DEFAULT_SIZE)
      const timing = {
        servedAt: clock.now(),
        generatedInMs: Math.round(clock.monotonic() - startedAt),
      }
      return {
        snapshot,
        region: regionSnapshot.region,
        data: { ...snapshotBody(snapshot, null), ...operationFields('snapshot', timing) },
      }
    },
    /**
     * The whole world, or the region of a legacy `focus`.
     * @param userId the user whose positions are shown; null for an anonymous caller
     */
    world(query: WorldQuery, userId: string | null): Promise<WorldAnswer> {
      const path = query.focus === null ? [] : focusPath(query.focus)
      return read(path, query, query, userId)
    },
    /** A region by its path. */
    region: (
      path: readonly string[],
      query: RegionQuery,
      userId: string | null,
    ): Promise<WorldAnswer> => read(path, query, {}, userId),
  }
}
export type WorldService = ReturnType<typeof createWorld>
