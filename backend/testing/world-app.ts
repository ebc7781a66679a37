import type { ContextEngine, WorldSnapshot } from '../computed/context-engine.ts'
import type { ContextSnapshot, MarketQuantities } from '../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../computed/board/market-board.ts'
import type { PriceThen } from '../computed/board/reference-prices.ts'
import { createWorldSnapshotService } from '../computed/world/world-snapshot-service.ts'
import { UNKNOWN_READING } from '../computed/world/scopes.ts'
import { quarterHourOf } from '../domain/changes/change-rows.ts'
import type { Cents, Millis } from '../domain/units.ts'
import type { IndexReading } from '../domain/world/gauges/index-reading.ts'
import { worldContextAt } from '../domain/world/world.ts'
import type { WorldDeps } from '../features/world/world.deps.ts'
import { worldFeature } from '../features/world/world.feature.ts'
import { createHttpApp } from '../http/app.ts'
import { listen } from '../http/server.ts'
import type { ServeOptions } from '../http/server.ts'
import { NotReady } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { fakeHistory, type HistoryRows } from './fake-history.ts'
import { marketQuantities, contextSnapshotOf } from './snapshot-builders.ts'
import { checkAnswer, NO_HOLDINGS, TEST_URLS } from './test-app.ts'

/** A reading of the gauges with only these values. */
export const reading = (gauges: Partial<IndexReading> = {}): IndexReading => ({
  ...UNKNOWN_READING,
  dataNote: null,
  ...gauges,
})

export interface WorldAppOptions extends HistoryRows {
  readonly markets?: readonly MarketQuantities[]
  readonly snapshot?: Partial<ContextSnapshot>
  /** Price of a market at an earlier instant; by default its current one. */
  readonly priceAt?: (view: MarketView, at: Millis) => number | null
}

/**
 * The world's reads over given markets, with the real engine. No world exists before `build`; each
 * uses the newest snapshot, which a test may replace.
 */
export function worldApp(options: WorldAppOptions = {}) {
  const markets = options.markets ?? []
  const views = [...markets.map(({ view }) => view), ...(options.views ?? [])]
  const clock = new FakeClock('2026-11-20T14:06:00.000Z')
  const board = new FakeBoard(views)
  const history = {
    ...fakeHistory({ ...options, views }),
    recordsAt: (asOf: Millis, ids: readonly number[] | null) =>
      Promise.resolve(
        board.views
          .filter(
            ({ market, firstSeenAt }) => firstSeenAt <= asOf && (ids?.includes(market) ?? true),
          )
          .map(({ market, facts, firstSeenAt }) => ({
            market,
            facts,
            firstSeenAt,
            knownAt: firstSeenAt,
          })),
      ),
  }
  const priceAt = options.priceAt ?? ((view: MarketView) => view.mark)
  const reference: WorldDeps['reference'] & {
    pricesAt(at: Millis): Promise<Map<number, PriceThen>>
  } = {
    pricesAt: (at) =>
      Promise.resolve(
        new Map(
          board.views.map((view) => [
            view.market,
            { mark: priceAt(view, at) as Cents | null, last: null, isQuoted: view.hasOrderbook },
          ]),
        ),
      ),
    headlinesOf: (ids, at) =>
      Promise.resolve(
        new Map(
          board.views
            .filter(({ market }) => ids.includes(market))
            .map((view) => [view.market, priceAt(view, at) as Cents | null]),
        ),
      ),
  }
  const worldSnapshots = createWorldSnapshotService({ board, reference, store: history, clock })
  const state = {
    snapshot: contextSnapshotOf(markets, {
      indices: new Map([
        ['', reading({ disagreement: 42, geoRisk: 17, breadth: 0.13, activity: 29 })],
      ]),
      ...options.snapshot,
    }),
  }
  const context: ContextEngine = {
    snapshot: () => Promise.resolve(state.snapshot),
    world(asOf): Promise<WorldSnapshot> {
      const newest = worldSnapshots.newest()
      if (newest === null && asOf === null) return Promise.reject(new NotReady('no world yet'))
      if (newest !== null && (asOf === null || asOf >= newest.world.at)) {
        return Promise.resolve(newest)
      }
      return worldSnapshots.past(worldContextAt(asOf ?? clock.now()), state.snapshot)
    },
    contextSnapshotOf: () => Promise.resolve(state.snapshot),
    publishedContext: (at) => Promise.resolve({ contextAt: at, worldAt: at }),
    since: (worldSnapshot, baseline) => worldSnapshots.since(worldSnapshot, baseline),
    onWorld: (listener) => worldSnapshots.onWorld(listener),
  }
  const feature = worldFeature({
    context,
    board,
    history,
    reference,
    holdings: NO_HOLDINGS,
    clock,
    urls: TEST_URLS,
    logger: silentLogger,
  })
  const app = createHttpApp({ logger: silentLogger }).use(feature.routes)
  return {
    app,
    board,
    clock,
    history,
    worldSnapshots,
    feature,
    state,
    /**
     * Builds the current world snapshot, with readings stored as those of its snapshot
     * instant.
     */
    build: async (): Promise<WorldSnapshot> => {
      const at = worldContextAt(clock.now())
      state.snapshot = { ...state.snapshot, at: quarterHourOf(at) }
      await history.appendContext({
        indices: [...state.snapshot.indices].map(([scope, row]) => ({
          scope,
          at: state.snapshot.at,
          value: row.value,
          body: JSON.stringify(row),
          disagreement: row.disagreement,
          geoRisk: row.geoRisk,
          breadth: row.breadth,
          activity: row.activity,
        })),
      })
      return worldSnapshots.build(at, state.snapshot)
    },
    /** Replaces a market's view and its snapshot row from now on. */
    restate(view: MarketView): void {
      board.views = [...board.views.filter(({ market }) => market !== view.market), view]
      const rows = [...state.snapshot.markets.values()].filter(
        (row) => row.view.market !== view.market,
      )
      const fields = state.snapshot.markets.get(view.facts.ticker)
      state.snapshot = {
        ...state.snapshot,
        markets: new Map(
          [...rows, marketQuantities({ ...fields, view })].map((row) => [
            row.view.facts.ticker,
            row,
          ]),
        ),
      }
    },
    get: async (path: string, headers: Record<string, string> = {}): Promise<Response> => {
      const response = await app.handle(new Request(`http://localhost${path}`, { headers }))
      const type = response.headers.get('content-type') ?? ''
      if (type.startsWith('application/json') || type === '') {
        await checkAnswer(app.routes, path, response.clone())
      }
      return response
    },
    listen: (serve: Partial<ServeOptions> = {}) =>
      listen(app, { host: '127.0.0.1', port: 0, clock, logger: silentLogger, ...serve }),
  }
}
