import type { WorldSnapshot } from '../computed/context-engine.ts'
import type { ContextSnapshot } from '../computed/snapshot/context-snapshot.ts'
import { createJudgements } from '../computed/judgements/judgements.ts'
import type { MarketView } from '../computed/board/market-board.ts'
import { crossVenueRoutes } from '../features/crossvenue/pairs.routes.ts'
import type { MarketThesisPrice } from '../features/edges/edges.deps.ts'
import { edgesRoutes } from '../features/edges/edges.routes.ts'
import { indicesRoutes } from '../features/indices/indices.routes.ts'
import { createHttpApp } from '../http/app.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeContext } from './snapshot-builders.ts'
import { memoryContext } from './memory-context.ts'
import { checkAnswer, TEST_URLS } from './test-app.ts'

/** Reads of indices, pairs, edges, ideas and highlights over given snapshots and worlds. */
export function structureApp(
  options: {
    readonly snapshots?: readonly ContextSnapshot[]
    readonly worlds?: readonly WorldSnapshot[]
    /** Markets besides those of the snapshots. */
    readonly views?: readonly MarketView[]
    readonly thesisPrices?: readonly MarketThesisPrice[]
  } = {},
) {
  const clock = new FakeClock()
  const context = new FakeContext(options.snapshots, options.worlds)
  const inGrids = context.snapshots.flatMap(({ markets }) => [...markets.values()])
  const board = new FakeBoard([...inGrids.map(({ view }) => view), ...(options.views ?? [])])
  const stored = memoryContext()
  const judgements = createJudgements({ stored, board })
  const deps = { context, stored, judgements, board, clock, urls: TEST_URLS }
  const thesisPrices = options.thesisPrices ?? []
  const theses = {
    edges: (userId: string | null) =>
      Promise.resolve({
        scanned: thesisPrices.length,
        edges: thesisPrices.filter(({ isPrivate }) => !isPrivate || userId !== null),
      }),
  }
  const app = createHttpApp({ logger: silentLogger })
    .use(indicesRoutes(deps))
    .use(crossVenueRoutes(deps))
    .use(edgesRoutes({ ...deps, theses }))
  return {
    app,
    board,
    clock,
    context,
    stored,
    judgements,
    /** Calls the routes themselves; throws when the response does not match its schema. */
    get: async (path: string): Promise<Response> => {
      const response = await app.handle(new Request(`http://localhost${path}`))
      await checkAnswer(app.routes, path, response.clone())
      return response
    },
  }
}
