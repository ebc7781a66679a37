import { sql } from 'kysely'
import { createMarketWatch, type MarketWatch } from '../features/market-watch/market-watch.ts'
import { SOURCE_NAMES } from '../contract/panels/panel-payloads.ts'
import type { PanelCache } from '../features/market-watch/panel-memory.ts'
import type { PanelSources } from '../features/market-watch/panel-sources.ts'
import type { Tier } from '../domain/tiers.ts'
import type { Clock } from '../lib/clock.ts'
import { silentLogger } from '../lib/logger.ts'
import { accessService, type AccessService, type Requested } from './access-service.ts'
import { FakeBoard } from './fake-board.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeContext, contextSnapshotOf } from './snapshot-builders.ts'
import { TEST_URLS } from './test-app.ts'
import { worldSnapshotWith } from './world-snapshot.ts'

export const BOARD = '/api/dashboard2/market-watch-v2'
export const PANELS = '/api/dashboard2/market-watch/panels'
export const HEALTH = '/api/admin/market-watch/health'

/** A complete spec of a preset, refreshed manually unless specified otherwise. */
export const presetSpec = (id = 'data_health', more: object = {}): Record<string, unknown> => ({
  version: 1,
  kind: 'preset',
  preset: { id },
  display: { visualization: 'table' },
  ...more,
})

export const screenSpec = (
  source = 'latest_market_prices',
  more: object = {},
): Record<string, unknown> => ({
  version: 1,
  kind: 'screen',
  sources: [source],
  display: { visualization: 'table' },
  ...more,
})

/** A schedule with a refresh interval in seconds. */
export const every = (seconds: number) => ({
  schedule: { mode: 'interval', cadenceMinutes: seconds / 60 },
})

/** A computation that the test controls. */
export interface Gate<T> {
  /** How often it was requested, how many calls wait now, and the peak of concurrent calls. */
  requested: number
  waiting: number
  max: number
  pass(): Promise<T>
  /** Completes or fails the call that has waited longest. */
  open(): void
  fail(error: Error): void
  /** From now on all calls complete or fail at once. */
  setAside(error?: Error): void
  /** From now on calls wait again. */
  shut(): void
}

export function gate<T>(value: () => T): Gate<T> {
  const queue: { resolve: (value: T) => void; reject: (error: Error) => void }[] = []
  let always: { readonly error: Error | null } | null = null
  const created: Gate<T> = {
    requested: 0,
    waiting: 0,
    max: 0,
    pass() {
      created.requested += 1
      if (always !== null) {
        return always.error === null ? Promise.resolve(value()) : Promise.reject(always.error)
      }
      created.waiting += 1
      created.max = Math.max(created.max, created.waiting)
      return new Promise<T>((resolve, reject) => queue.push({ resolve, reject })).finally(
        () => (created.waiting -= 1),
      )
    },
    open: () => queue.shift()?.resolve(value()),
    fail: (error) => queue.shift()?.reject(error),
    setAside(error) {
      always = { error: error ?? null }
      for (const { resolve, reject } of queue.splice(0)) {
        if (error === undefined) resolve(value())
        else reject(error)
      }
    },
    shut: () => void (always = null),
  }
  return created
}

/** Sources without data, each responding at once. */
export function quietSources(clock: Pick<Clock, 'now'>): PanelSources {
  const context = new FakeContext([contextSnapshotOf([])], [worldSnapshotWith()])
  return {
    reads: {
      index: () => Promise.resolve(null),
      indexOfDay: () => Promise.resolve([]),
      themes: () => Promise.resolve([]),
      contagion: () => Promise.resolve([]),
      pairs: () => Promise.resolve([]),
      catalysts: () =>
        Promise.resolve({
          from: '2026-11-20T14:00:00.000Z',
          to: '2026-11-27T14:00:00.000Z',
          events: [],
        }),
    },
    condition: {
      status: () => 'operational',
      sources: () =>
        SOURCE_NAMES.map((source) => ({
          source,
          status: 'off',
          mode: 'off',
          message: null,
          lastReceivedAt: null,
          ageSeconds: null,
        })),
      ingestPerSecond: () => null,
    },
    watchedBy: () => Promise.resolve([]),
    context,
    dayEarlier: () => Promise.resolve(null),
    board: new FakeBoard(),
    reference: { headlinesOf: () => Promise.resolve(new Map()) },
    history: {
      gaps: () => Promise.resolve([]),
      keyOf: () => ({ venue: 'venue_a', ticker: 'KXTEST' }),
      printsOf: () =>
        Promise.resolve({
          market: new Int32Array(0),
          ts: new Float64Array(0),
          price: new Int32Array(0),
          size: new Float64Array(0),
          taker: new Uint8Array(0),
        }),
    },
    clock,
    urls: TEST_URLS,
  }
}

export interface Reader {
  readonly id: string
  readonly cookie: string
  get(path: string): Promise<Requested>
  send(method: string, path: string, body?: unknown): Promise<Requested>
  /** Adds a panel. @returns its id */
  add(spec: object, title?: string): Promise<string>
  /** The hydrated panels of the board. */
  panels(): Promise<HydratedPanel[]>
}

export interface HydratedPanel {
  readonly [field: string]: unknown
  readonly id: string
  readonly payload: Readonly<Record<string, unknown>> | null
}

export interface MarketWatchService extends AccessService {
  readonly marketWatch: MarketWatch
  readonly owner: Reader
  /** A user who signed up, with this tier. */
  user(tier: Tier): Promise<Reader>
  setTier(user: Reader, tier: Tier): Promise<void>
  /** A user with an existing session. */
  reader(id: string, cookie: string): Reader
  /** Whether the operational rows accept writes: on a full disk reads still work. */
  writable(takes: boolean): Promise<void>
  /** Waits until all pending work of this instant has ended. */
  settle(): Promise<void>
  /** Stops this process's part and starts another on the same folder and port. */
  again(): Promise<MarketWatchService>
}

export interface MarketWatchGiven {
  readonly sources?: (quiet: PanelSources) => Partial<PanelSources>
  readonly cache?: PanelCache
  /** Time of the data, when it differs from wall time. */
  readonly dataClock?: (wall: FakeClock) => Clock
}

/** Boards behind real HTTP on loopback, over the test's own sources and clocks. */
export async function marketWatchService(
  options: MarketWatchGiven = {},
): Promise<MarketWatchService> {
  const clock = new FakeClock()
  const dataClock = options.dataClock?.(clock) ?? clock
  const quiet = quietSources(dataClock)
  /** The running process's part of market watch. */
  let built: MarketWatch | null = null
  let end: () => Promise<void> = () => Promise.resolve()
  const service = await accessService({
    clock,
    async routes({ state, access, url }) {
      const created = createMarketWatch({
        state,
        appUrl: url,
        clock: dataClock,
        wallClock: clock,
        log: silentLogger,
        sources: { ...quiet, ...options.sources?.(quiet) },
        ...(options.cache !== undefined && { cache: options.cache }),
      })
      const stopping = new AbortController()
      access.onUserChanged((userId) => created.reloadUser(userId))
      await created.open()
      const refreshing = created.run(stopping.signal)
      built = created
      end = async () => {
        stopping.abort()
        await refreshing
        await created.close()
      }
      return created.routes
    },
    onStop: () => end(),
  })
  return around(service, () => {
    if (built === null) throw new Error('the routes were not built')
    return built
  })
}

/** A running service with its clients. */
async function around(
  service: AccessService,
  builtOf: () => MarketWatch,
): Promise<MarketWatchService> {
  const readerOf = (id: string, cookie: string): Reader => {
    const get = (path: string) => service.ask(path, { headers: { cookie } })
    const send = (method: string, path: string, body?: unknown) =>
      service.ask(path, {
        method,
        headers: { cookie, origin: service.url },
        ...(body !== undefined && { body }),
      })
    return {
      id,
      cookie,
      get,
      send,
      async add(spec, title) {
        const { status, body, text } = await send('POST', PANELS, {
          ...(title !== undefined && { title }),
          spec,
        })
        if (status !== 201) throw new Error(`${status} ${text}`)
        return (body['panel'] as { id: string }).id
      },
      async panels() {
        const { body } = await get(BOARD)
        return body['panels'] as HydratedPanel[]
      },
    }
  }
  const cookieOfOwner = await service.signIn()
  const me = await service.ask('/api/auth/me', { headers: { cookie: cookieOfOwner } })
  const owner = readerOf((me.body['user'] as { id: string }).id, cookieOfOwner)
  const setTier = async ({ id }: Pick<Reader, 'id'>, tier: Tier): Promise<void> => {
    const { status, text } = await owner.send('PATCH', `/api/admin/users/${id}`, { tier })
    if (status !== 200) throw new Error(`${status} ${text}`)
  }
  let users = 0
  return {
    ...service,
    marketWatch: builtOf(),
    owner,
    setTier,
    reader: readerOf,
    async user(tier) {
      users += 1
      const email = `user-${users}-${service.clock.now()}@example.test`
      const { body, headers } = await service.ask('/api/signup', {
        method: 'POST',
        headers: { origin: service.url },
        body: { email, password: 'a password of twelve' },
      })
      const { id } = body['user'] as { id: string }
      await setTier({ id }, tier)
      return readerOf(id, (headers['set-cookie']?.[0] ?? '').split(';')[0] ?? '')
    },
    async writable(takes) {
      await sql.raw(`pragma query_only = ${takes ? 0 : 1}`).execute(service.state)
    },
    async settle() {
      for (let i = 0; i < 30; i += 1) await new Promise((resolve) => setImmediate(resolve))
    },
    async again() {
      return around(await service.restart(), builtOf)
    },
  }
}
