import { join } from 'node:path'
import type { Config } from './config.ts'
import { createContextFeatures } from './context-features.ts'
import type { Damage } from './domain/damage.ts'
import { createAccess } from './features/access/access.ts'
import { accessRoutes } from './features/access/access.routes.ts'
import { documentRoutes } from './features/catalog/document.routes.ts'
import { healthRoutes } from './features/catalog/health.routes.ts'
import { createDataService } from './features/data-service/data-service.ts'
import { readinessRoutes } from './features/data-service/readiness.routes.ts'
import { asyncApiRoutes } from './features/data-service/socket/asyncapi.routes.ts'
import { createConnectionCount, Hub } from './features/data-service/socket/hub.ts'
import { LIMITS } from './features/data-service/socket/limits.ts'
import { socketDoor } from './features/data-service/socket/socket-door.ts'
import { createSocketSources } from './features/data-service/socket/socket-sources.ts'
import { dataServiceRoutes } from './features/data-service/v1.routes.ts'
import { createMarketWatch } from './features/market-watch/market-watch.ts'
import { createPortfolio } from './features/portfolio/portfolio.ts'
import { createUsageRecorder } from './features/usage/usage-recorder.ts'
import { usageRoutes } from './features/usage/usage.routes.ts'
import type { ReplayControl } from './features/replay/replay.control.ts'
import { replayRoutes } from './features/replay/replay.routes.ts'
import { providersRoutes } from './features/providers/providers.routes.ts'
import { createProviders } from './features/providers/providers.service.ts'
import { createUsageReads } from './features/usage/usage.service.ts'
import { createUsageStore } from './features/usage/usage.store.ts'
import { doctorRoutes } from './features/operations/doctor.routes.ts'
import { openApiOf } from './http/openapi.ts'
import { createHttpApp } from './http/app.ts'
import type { Urls } from './http/next-actions.ts'
import { createRateLimiter } from './http/rate-limit.ts'
import type { DeclaredRoute } from './http/route-table.ts'
import type { Bound, ServedApp, Serving } from './http/server.ts'
import { mountUpgrade, type SocketDoor } from './http/upgrade.ts'
import { holdsRealMarkets, openFeeds, type Feeds } from './ingest/feeds.ts'
import type { Retelling } from './ingest/replay-feed.ts'
import type { Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { PACKAGE_ROOT } from './lib/package-root.ts'
import { waitingForReal } from './lib/virtual-clock.ts'
import type { Random } from './lib/random.ts'
import { createMarketContext, type MarketContext } from './market-context.ts'
import { createMarketData, type MarketData } from './market-data.ts'
import { createServiceCondition } from './service-condition.ts'
import type { Stores } from './stores.ts'
import { createWorkerFeatures } from './worker-features.ts'

/** Addresses as configured; what is not set apart follows the bound address. */
export const urlsOf = (config: Config, bound: string): Urls => {
  const baseUrl = config.urls.base ?? bound
  return {
    baseUrl,
    dataUrl: config.urls.data ?? baseUrl,
    appUrl: config.urls.app ?? baseUrl,
    wsUrl: config.urls.ws ?? baseUrl.replace(/^http/, 'ws'),
  }
}

/**
 * The one place where things are built and handed to each other. Roles that are not asked for are left
 * out: `api` the reads, `ingest` the venues and the context that follows them, `worker` imports, exports
 * and backups; health answers always.
 * @param deps.openSource in place of the configured source, for tests
 */
export function compose(deps: {
  config: Config
  stores: Stores
  /** `http://host:port` of the bound address. */
  boundUrl: string
  clock: Clock
  random: Random
  log: Logger
  openSource?: () => Promise<Feeds>
  /** Whether the gauges of the month before are worked out; true unless told, or a replay tells it. */
  readsPast?: boolean
  /** Where the time of the data is not that of the process: a replay, and what drives it. */
  replay?: {
    readonly wallClock: Clock
    readonly retelling: Retelling
    readonly control: ReplayControl
    /** Whether the gauges of the month before are worked out. */
    readonly readsPast: boolean
    /** What the context works by: it may lag behind while nobody asks for anything of it. */
    readonly contextClock: Clock
    /** Resolves when the context has caught up. */
    readonly beforeContext: () => Promise<void>
    /** Answers a request at an instant of the replay. */
    readonly answer: (request: Request, handle: ServedApp['handle']) => Promise<Response>
  }
}) {
  const { config, stores, random, log, replay } = deps
  /** Jobs of the data sleep on it. */
  const dataClock = deps.clock
  const wallClock = replay?.wallClock ?? dataClock
  /** Whatever else waits does so for real: for people, sockets and processes. */
  const clock = replay === undefined ? dataClock : waitingForReal(dataClock, wallClock)
  const urls = urlsOf(config, deps.boundUrl)
  let serving: Serving | null = null
  let feeds: Feeds | null = null
  const data: MarketData = createMarketData({
    ...stores,
    clock: dataClock,
    log,
    retelling: replay?.retelling,
    onPastChanged: (change) => {
      context.forgetPast(change)
      features.forget()
      marketWatch.forget()
      serving?.forgetAnswers()
    },
  })
  const contextClock = replay?.contextClock ?? dataClock
  const context: MarketContext = createMarketContext({
    ...{ data, clock: contextClock, log },
    readsPast: replay?.readsPast ?? deps.readsPast ?? true,
  })
  const features = createContextFeatures({
    ...{ context, data, clock, contextClock, urls, log, state: stores.state },
    languageModel: () => providers.languageModel(),
    hidesSamples: () => feeds?.source === 'live',
  })
  const providers = createProviders({
    ...{ dataDir: config.dataDir, environment: config.languageModel, logger: log },
    onChanged() {
      features.forget()
      serving?.forgetAnswers()
    },
  })
  const worker = createWorkerFeatures({ config, stores, data, clock, wallClock, log })
  const access = createAccess({
    ...{ state: stores.state, dataDir: config.dataDir, clock: wallClock },
    ...{ baseUrl: urls.baseUrl, appUrl: urls.appUrl, logger: log.child({ part: 'access' }) },
    ...{ signup: config.signup, provider: config.identityProvider },
  })
  const limiter = createRateLimiter(() => clock.monotonic())
  const usageStore = createUsageStore(stores.state)
  const usage = createUsageRecorder({
    ...{ store: usageStore, clock: wallClock, logger: log.child({ part: 'usage' }) },
  })
  const usageReads = createUsageReads({
    ...{ store: usageStore, recorder: usage, limiter, clock: wallClock },
  })
  const { health, doctor, readiness, ...parts } = createServiceCondition({
    ...{ config, stores, data, context, clock, log },
    feeds: () => feeds,
    hasLanguageModel: () => providers.languageModel() !== null,
  })
  const marketWatch = createMarketWatch({
    state: stores.state,
    sources: {
      ...{ reads: features.reads, context: context.engine, board: data.board },
      ...{ reference: data.reference, history: data.history, clock, urls },
      dayEarlier: (grid, at) => context.engine.dayEarlier.before(at, grid, true),
      // Nobody can write a watch rule yet.
      watchedBy: () => Promise.resolve([]),
      condition: parts.condition,
    },
    ...{
      appUrl: urls.appUrl,
      clock: dataClock,
      wallClock,
      log: log.child({ part: 'market watch' }),
    },
  })
  const portfolio = createPortfolio({
    ...{ state: stores.state, board: data.board, history: data.history, events: data.events },
    clock: dataClock,
    standing: (market) => data.standing(market),
    isStale: (market) => data.isStale(market),
    log: log.child({ part: 'portfolio' }),
  })
  access.onUserChanged((userId) => {
    marketWatch.lookAtUser(userId)
    portfolio.lookAtUser(userId)
  })
  const dataService = createDataService({
    board: data.board,
    history: data.history,
    lastPrices: data.lastPrices,
    reference: data.reference,
    isStale: (market) => data.isStale(market),
    clock,
    wsClients: () => hub.clients,
  })
  const hub = new Hub({
    sources: createSocketSources({
      world: features.topics,
      ...{ service: dataService, board: data.board, history: data.history, clock },
      isStale: (market) => data.isStale(market),
    }),
    ...{ feed: data.events, access: access.dataAccess, log: log.child({ part: 'socket' }) },
    ...{ clock, wallClock },
    counts: createConnectionCount(LIMITS.connections),
  })
  data.events.subscribe('correction', ({ market, at }) => hub.noteCorrection(market, at))
  const routes: DeclaredRoute[] = []
  const app = createHttpApp({ logger: log })
    .use(healthRoutes(health))
    .use(readinessRoutes(readiness, urls.dataUrl))
    .use(doctorRoutes(doctor))
    .use(replayRoutes(replay?.control ?? null, portfolio.reports))
  if (config.roles.has('api')) {
    app
      .use(accessRoutes(access))
      .use(usageRoutes(usageReads))
      .use(providersRoutes(providers))
      .use(documentRoutes(() => openApiOf(routes, urls.baseUrl)))
      .use(features.routes)
      .use(marketWatch.routes)
      .use(portfolio.routes[0])
      .use(portfolio.routes[1])
      .use(dataServiceRoutes(dataService, urls.dataUrl))
      .use(asyncApiRoutes(urls.wsUrl))
  }
  if (config.roles.has('worker')) app.use(worker.routes)
  routes.push(...app.routes)

  const source = config.roles.has('ingest') ? config.source : 'none'
  const openSource = (): Promise<Feeds> =>
    openFeeds({ ...config, source }, () => holdsRealMarkets(stores.history, clock.now()), {
      clock,
      random,
      logger: log,
    })

  const stopping = new AbortController()
  let upkeep: Promise<void> = Promise.resolve()
  let contextWork: Promise<unknown> = Promise.resolve()
  let cliLogins: Promise<void> = Promise.resolve()
  let refreshing: Promise<void> = Promise.resolve()
  let trading: Promise<void> = Promise.resolve()
  return {
    app,
    urls,
    data,
    /** Resolves when what was heard so far has moved every intent that it concerns. */
    intentsSettled: () => portfolio.settled(),
    /** The same while any intent is being worked on, else null. */
    intentsAtWork: (): Promise<void> | null => (portfolio.isIdle ? null : portfolio.settled()),
    /** What users did on paper, as backtests report it. */
    paperReports: portfolio.reports,
    context: context.engine,
    dataAccess: access.dataAccess,
    /** Resolves when what was begun at this instant of the data is done. */
    async settled(): Promise<void> {
      do {
        // Whoever was woken begins in the next turn.
        await new Promise((resolve) => setImmediate(resolve))
        await data.settled()
        await context.engine.idle()
        await features.settled()
        await marketWatch.settled()
        await portfolio.settled()
      } while (context.engine.isBusy || !portfolio.isIdle)
    },
    /** Nothing that was answered before is answered again. */
    forgetAnswers: (): void => serving?.forgetAnswers(),
    /** Whether anybody is told of grids and worlds as they come. */
    isContextFollowed: (): boolean =>
      hub.clients > 0 || features.readers() > 0 || marketWatch.planned() > 0,
    /** Resolves when nothing of the past is being read any more. */
    pastRead: context.pastRead,
    /** Answers requests on a bound port; data follow with `start`. */
    serveOn(bound: Bound, launchSecret: string): void {
      serving = bound.serve(replay === undefined ? app : inReplay(app, replay), {
        clock,
        wallClock,
        logger: log,
        addresses: Object.values(urls),
        authenticate: access.authenticate(launchSecret),
        fairUse: config.fairUse,
        trustedProxy: config.trustedProxy,
        limiter,
        noteAnswer: usage.note,
        pageFolder: join(PACKAGE_ROOT, 'dist', 'page'),
      })
      if (config.roles.has('api')) {
        const door = socketDoor({ hub, access: access.dataAccess, log })
        mountUpgrade(bound, replay === undefined ? door : doorAfterContext(door, replay))
        bound.onClose(() => features.closeStreams())
      }
    },
    /** Opens the source and resolves when the board can answer. */
    async start(): Promise<{ source: Feeds['source'] }> {
      await access.opened
      cliLogins = access.cliLogins.run(stopping.signal)
      await marketWatch.open()
      await features.open()
      feeds = await (deps.openSource ?? openSource)()
      await parts.resumeIncidents()
      stores.upkeep?.onDamage((damage) => {
        parts.noteIncident(incidentOf(damage))
        if (damage.store === 'history') data.noteDamage()
        serving?.forgetAnswers()
      })
      upkeep = stores.upkeep?.run(stopping.signal) ?? upkeep
      await data.start(feeds)
      if (config.roles.has('ingest')) contextWork = context.run(stopping.signal)
      void parts.watch(stopping.signal)
      if (config.roles.has('api')) {
        refreshing = marketWatch.run(stopping.signal)
        await portfolio.open()
        trading = portfolio.run(stopping.signal)
      }
      return { source: feeds.source }
    },
    /** Stops reading, finishes what was taken and closes the stores. */
    async stop(): Promise<void> {
      stopping.abort()
      hub.close()
      features.closeStreams()
      await contextWork
      await context.close()
      await features.settled()
      await refreshing
      await marketWatch.close()
      await trading
      await portfolio.close()
      await worker.close()
      await data.stop()
      await cliLogins
      await usage.close()
      await access.close()
      await upkeep
      await stores.close()
    },
  }
}

type InReplay = NonNullable<Parameters<typeof compose>[0]['replay']>

const inReplay = (app: ServedApp, { answer }: InReplay): ServedApp => ({
  routes: app.routes,
  handle: (request) => answer(request, (asked) => app.handle(asked)),
})

/** Who comes in by socket is told of worlds as they stand. */
const doorAfterContext = <Admission>(
  door: SocketDoor<Admission>,
  { beforeContext }: InReplay,
): SocketDoor<Admission> => ({
  ...door,
  async admit(request) {
    await beforeContext()
    return door.admit(request)
  },
})

/** A damaged store that was recovered, in the words of the status page. */
const incidentOf = ({ store, at, summary }: Damage) => ({
  component: store === 'history' ? 'history' : 'database',
  title: `Damage of the ${store === 'history' ? 'history' : 'operational rows'} was found and mended`,
  impact: 'degraded' as const,
  startedAt: at,
  updates: [{ at, text: summary }],
})

export type Service = ReturnType<typeof compose>
