import type { PortfolioOverlay } from '../contract/portfolio.ts'
import { getSchemaValidator } from 'elysia'
import type { ResponseSchema } from '../contract/schemas.ts'
import { DailyTrends } from '../computed/board/daily-trends.ts'
import { createPreviousDaySnapshot } from '../computed/snapshot/previous-day-snapshot.ts'
import { OPEN_STATUSES } from '../computed/board/open-statuses.ts'
import { documentRoutes } from '../features/catalog/document.routes.ts'
import { healthRoutes } from '../features/catalog/health.routes.ts'
import { createHealthService } from '../features/catalog/health.service.ts'
import type { IncidentsStore } from '../features/catalog/incidents.store.ts'
import { createIncidentLog } from '../features/catalog/incidents.ts'
import type { Component } from '../features/catalog/incident.ts'
import { inspectRoutes } from '../features/inspect/inspect.routes.ts'
import { createInspect } from '../features/inspect/inspect.service.ts'
import { marketsRoutes } from '../features/markets/markets.routes.ts'
import { createHttpApp } from '../http/app.ts'
import { openApiOf } from '../http/routes/openapi.ts'
import { createRouteTable } from '../http/routes/route-table.ts'
import type { DeclaredRoute } from '../http/routes/route-table.ts'
import { listen } from '../http/server.ts'
import type { ServeOptions } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { fakeHistory } from './fake-history.ts'
import type { HistoryRows } from './fake-history.ts'
import { FakeContext, marketQuantities, contextSnapshotOf } from './snapshot-builders.ts'

/** No earlier state, and nothing is stored. */
const forgetfulIncidents: IncidentsStore = {
  since: () => Promise.resolve([]),
  save: () => Promise.resolve(),
}

export const TEST_URLS = {
  baseUrl: 'http://augury.test',
  dataUrl: 'http://augury.test',
  appUrl: 'http://app.augury.test',
  wsUrl: 'ws://augury.test',
}

/** Holdings of users who never traded. */
export const NO_HOLDINGS = (): Promise<PortfolioOverlay> =>
  Promise.resolve({ positions: [], exposureByCategory: {} })

/** Validates a JSON response against the schema that its route declares for the status. */
export async function checkAnswer(
  routes: readonly DeclaredRoute[],
  path: string,
  response: Response,
): Promise<void> {
  const route = createRouteTable(routes).find('GET', path.split('?')[0] ?? '')
  const bodies = route?.hooks['response'] as
    Readonly<Record<number, ResponseSchema<unknown>>> | undefined
  if (bodies === undefined) return
  const schema = bodies[response.status]?.schema
  if (schema === undefined) throw new Error(`${path} does not declare ${response.status}`)
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return
  const body: unknown = await response.json()
  const [first] = getSchemaValidator(schema).Errors(body)
  if (first !== undefined) throw new Error(`${path} ${first.path}: ${first.message}`)
}

/** Market reads and catalog over given markets and rows, called in process or over a socket. */
export function testApp(rows: HistoryRows = {}) {
  const clock = new FakeClock()
  const board = new FakeBoard([...(rows.views ?? [])])
  const history = fakeHistory(rows)
  // Only prices are known unless a test replaces the snapshot.
  const open = board.views.filter(({ status }) => OPEN_STATUSES.includes(status))
  const context = new FakeContext([
    contextSnapshotOf(open.map((view) => marketQuantities({ view }))),
  ])
  const components: Component[] = ['database', 'history', 'venue_a', 'venue_b', 'computed'].map(
    (name) => ({ name, status: 'operational', lastOkAt: null, dataAgeSeconds: 0, message: null }),
  )
  const health = createHealthService({
    clock,
    source: () => 'demo',
    version: '0.1.0',
    components: () => components,
    incidents: createIncidentLog(forgetfulIncidents, silentLogger),
  })
  const routes = (): readonly DeclaredRoute[] => app.routes
  const app = createHttpApp({ logger: silentLogger })
    .use(marketsRoutes({ board, history, context, clock, urls: TEST_URLS }))
    .use(
      inspectRoutes(
        createInspect({
          board,
          context,
          clock,
          urls: TEST_URLS,
          dayEarlier: createPreviousDaySnapshot(context, {
            at: () => Promise.resolve(null),
            recordPreviousDay: () => {},
          }),
          judgements: { gapsSince: (snapshot) => Promise.resolve(() => snapshot.at) },
          trends: new DailyTrends(history),
          holdings: NO_HOLDINGS,
        }),
      ),
    )
    .use(healthRoutes(health))
    .use(documentRoutes(() => openApiOf(routes(), TEST_URLS.baseUrl)))
  return {
    app,
    board,
    context,
    history,
    clock,
    /** Parts of the service reported by /status; mutable. */
    components,
    /**
     * Calls the routes themselves, without the server's middleware; throws when the response does
     * not match its schema.
     */
    get: async (path: string): Promise<Response> => {
      const response = await app.handle(new Request(`http://localhost${path}`))
      await checkAnswer(app.routes, path, response.clone())
      return response
    },
    /** Serves on a free loopback port; close it when done. */
    listen: (options: Partial<ServeOptions> = {}) =>
      listen(app, { host: '127.0.0.1', port: 0, clock, logger: silentLogger, ...options }),
  }
}
