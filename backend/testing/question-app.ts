import type { ContextSnapshot } from '../computed/snapshot/context-snapshot.ts'
import type { WorldSnapshot } from '../computed/context-engine.ts'
import type { MarketView } from '../computed/board/market-board.ts'
import { createContentStore } from '../features/editorial/content.store.ts'
import type { EditorialDeps } from '../features/editorial/editorial.deps.ts'
import { createEditorial } from '../features/editorial/editorial.ts'
import { marketsRoutes } from '../features/markets/markets.routes.ts'
import type { QueryDeps, CurrentLists } from '../features/query/query.deps.ts'
import { createQuestions } from '../features/query/questions.routes.ts'
import type { ChangeRow } from '../history/change-events.ts'
import { createHttpApp } from '../http/app.ts'
import { ANONYMOUS, attachCaller } from '../http/auth/auth.ts'
import type { Caller } from '../http/auth/auth.ts'
import { listen } from '../http/server.ts'
import type { ServeOptions } from '../http/server.ts'
import { silentLogger } from '../lib/logger.ts'
import { openState } from '../state/open.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { fakeHistory } from './fake-history.ts'
import { contextSnapshotOf, FakeContext } from './snapshot-builders.ts'
import { checkAnswer, TEST_URLS } from './test-app.ts'

const KNOWN: Caller = {
  id: 'key_test',
  userId: 'user_test',
  isAdmin: false,
  tier: 'free',
  credential: { kind: 'session', id: 'key_test' },
}
const NO_LISTS: CurrentLists = {
  highlights: () => Promise.resolve([]),
  edges: () => Promise.resolve([]),
}

/**
 * Question and editorial routes over given markets and snapshots, called in process or over a
 * socket.
 */
export async function questionApp(
  options: {
    readonly views?: readonly MarketView[]
    readonly snapshots?: readonly ContextSnapshot[]
    readonly worlds?: readonly WorldSnapshot[]
    readonly changes?: readonly ChangeRow[]
    /** Hours of marks by market; none by default. */
    readonly slots?: EditorialDeps['history']['slots']
    readonly lists?: CurrentLists
    readonly reference?: EditorialDeps['reference']
    readonly judgements?: EditorialDeps['judgements']
  } & Partial<Pick<QueryDeps, 'model'>> = {},
) {
  const clock = new FakeClock()
  const board = new FakeBoard([...(options.views ?? [])])
  const context = new FakeContext(
    options.snapshots ?? [contextSnapshotOf([])],
    options.worlds ?? [],
  )
  const { views = [], changes = [], model = () => null, judgements = null } = options
  const history = fakeHistory({ views, changes })
  const noPrices = () => Promise.resolve(new Map<number, null>())
  const shared = { board, context, clock, urls: TEST_URLS, model }
  const content = createContentStore(await openState(':memory:'))
  const editorial = createEditorial({
    ...shared,
    content,
    judgements,
    log: silentLogger,
    publishedTheses: () => Promise.resolve([]),
    reference: options.reference ?? { dayBefore: noPrices, dayBeforeOfThese: noPrices },
    history: {
      changes: (query) => history.changes(query),
      numbersAt: (asOf, markets) => history.numbersAt(asOf, markets),
      slots: options.slots ?? noSlots,
      lateMarkets: () => Promise.resolve([]),
    },
  })
  const questions = createQuestions({
    ...shared,
    content: editorial.findContent,
    lists: options.lists ?? NO_LISTS,
  })
  const app = createHttpApp({ logger: silentLogger })
    .use(marketsRoutes({ ...shared, history, texts: editorial.texts }))
    .use(questions.routes)
    .use(editorial.routes)
  const ask = async (path: string, init: RequestInit, caller: Caller | null): Promise<Response> => {
    const request = new Request(`http://localhost${path}`, init)
    attachCaller(request, caller)
    const response = await app.handle(request)
    if ((init.method ?? 'GET') === 'GET' && isJson(response)) {
      await checkAnswer(app.routes, path, response.clone())
    }
    return response
  }
  return {
    app,
    board,
    clock,
    content,
    indexer: editorial.indexer,
    /** Calls the routes themselves; throws when the response does not match its schema. */
    get: (path: string): Promise<Response> => ask(path, {}, null),
    /** The same with credentials. */
    getKnown: (path: string): Promise<Response> => ask(path, {}, KNOWN),
    post: (path: string, body: unknown): Promise<Response> =>
      ask(
        path,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        null,
      ),
    /** Serves on a free loopback port; close it when done. */
    listen: (options: Partial<ServeOptions> = {}) =>
      listen(app, {
        host: '127.0.0.1',
        port: 0,
        clock,
        logger: silentLogger,
        authenticate: () => ANONYMOUS,
        ...options,
      }),
  }
}

const isJson = (response: Response): boolean =>
  response.headers.get('content-type')?.includes('json') ?? false

const noSlots: EditorialDeps['history']['slots'] = () =>
  Promise.resolve({
    market: new Int32Array(),
    slot: new Int32Array(),
    last: new Int32Array(),
    isQuoted: new Uint8Array(),
    bid: new Int32Array(),
    ask: new Int32Array(),
    trades: new Int32Array(),
    usd: new Float64Array(),
  })
