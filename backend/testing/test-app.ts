import { marketsRoutes } from '../features/markets/markets.routes.ts'
import { createHttpApp } from '../http/app.ts'
import { listen } from '../http/server.ts'
import type { ServeOptions } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { fakeHistory } from './fake-history.ts'
import type { HistoryRows } from './fake-history.ts'

export const TEST_URLS = {
  baseUrl: 'http://augury.test',
  dataUrl: 'http://augury.test',
  appUrl: 'http://app.augury.test',
  wsUrl: 'ws://augury.test',
}

/** The market reads over given markets and rows, asked in process or over a real socket. */
export function testApp(rows: HistoryRows = {}) {
  const clock = new FakeClock()
  const board = new FakeBoard([...(rows.views ?? [])])
  const history = fakeHistory(rows)
  const app = createHttpApp({ logger: silentLogger }).use(
    marketsRoutes({ board, history, clock, urls: TEST_URLS }),
  )
  return {
    app,
    board,
    clock,
    /** Asks the routes themselves, without the front of the server. */
    get: async (path: string): Promise<Response> =>
      app.handle(new Request(`http://localhost${path}`)),
    /** Serves on a free loopback port; close it when done. */
    listen: (options: Partial<ServeOptions> = {}) =>
      listen(app, { host: '127.0.0.1', port: 0, clock, logger: silentLogger, ...options }),
  }
}
