import type { Grid } from '../computed/grid/grid.ts'
import type { WorldBucket } from '../computed/context-engine.ts'
import type { MarketView } from '../computed/market-board.ts'
import { createQueryService } from '../features/query/query.service.ts'
import { queryRoutes } from '../features/query/query.routes.ts'
import type { QueryDeps } from '../features/query/query.deps.ts'
import { createHttpApp } from '../http/app.ts'
import { ANONYMOUS } from '../http/auth.ts'
import { listen } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeContext } from './grid-builders.ts'
import { checkAnswer, TEST_URLS } from './test-app.ts'

/** Question and editorial routes over given markets and grids, asked in process or over a socket. */
export function questionApp(
  options: {
    readonly views?: readonly MarketView[]
    readonly grids?: readonly Grid[]
    readonly worlds?: readonly WorldBucket[]
  } & Partial<Pick<QueryDeps, 'model' | 'content'>> = {},
) {
  const clock = new FakeClock()
  const board = new FakeBoard([...(options.views ?? [])])
  const context =
    options.grids === undefined ? null : new FakeContext(options.grids, options.worlds ?? [])
  const query = createQueryService({
    ...{ board, context, clock, urls: TEST_URLS },
    content: options.content ?? (() => Promise.resolve([])),
    model: options.model ?? null,
  })
  const app = createHttpApp({ logger: silentLogger }).use(queryRoutes(query))
  return {
    app,
    board,
    clock,
    /** Asks the routes themselves; throws when the answer breaks its schema. */
    get: async (path: string): Promise<Response> => {
      const response = await app.handle(new Request(`http://localhost${path}`))
      await checkAnswer(app.routes, path, response.clone())
      return response
    },
    /** Serves on a free loopback port; close it when done. */
    listen: () =>
      listen(app, {
        ...{ host: '127.0.0.1', port: 0, clock, logger: silentLogger },
        authenticate: () => ANONYMOUS,
      }),
  }
}
