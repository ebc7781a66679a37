import { tradablePairs } from '../computed/snapshot/tradable-pairs.ts'
import { contextSnapshotIfAny } from '../computed/snapshot/historical-snapshot.ts'
import type { Config } from './config.ts'
import { createContextFeatures, currentModel } from './context-features.ts'
import { createAccess } from '../features/access/access.ts'
import { accessRoutes } from '../features/access/access.routes.ts'
import { documentRoutes } from '../features/catalog/document.routes.ts'
import { healthRoutes } from '../features/catalog/health.routes.ts'
import { createDataService } from '../features/data-service/data-service.ts'
import { readinessRoutes } from '../features/data-service/readiness.routes.ts'
import { asyncApiRoutes } from '../features/data-service/socket/asyncapi.routes.ts'
import { createConnectionCount, Hub } from '../features/data-service/socket/hub.ts'
import { LIMITS } from '../features/data-service/socket/limits.ts'
import { createSocketSources } from '../features/data-service/socket/socket-sources.ts'
import { dataServiceRoutes } from '../features/data-service/v1.routes.ts'
import { drawingsRoutes } from '../features/drawings/drawings.routes.ts'
import { pageSettingsRoutes } from '../features/page-settings/page-settings.routes.ts'
import { createForum } from '../features/forum/forum.ts'
import { createMarketWatch } from '../features/market-watch/market-watch.ts'
import { createPortfolio } from '../features/portfolio/portfolio.ts'
import type { ReadLiveExchange } from '../features/portfolio/live/live-exchange.ts'
import { createUsageRecorder } from '../features/usage/usage-recorder.ts'
import { createTheses } from '../features/theses/theses.ts'
import { createWebhooks } from '../features/webhooks/webhooks.ts'
import { createWatch } from '../features/watch/watch.ts'
import { usageRoutes } from '../features/usage/usage.routes.ts'
import { replayRoutes } from '../features/replay/replay.routes.ts'
import { providersRoutes } from '../features/providers/providers.routes.ts'
import { createProviders } from '../features/providers/providers.service.ts'
import { createUsageService } from '../features/usage/usage.service.ts'
import { createUsageStore } from '../features/usage/usage.store.ts'
import { doctorRoutes } from '../features/operations/doctor.routes.ts'
import { openApiOf } from '../http/routes/openapi.ts'
import { createHttpApp } from '../http/app.ts'
import { requireFirstLoad } from '../http/request/first-load.ts'
import type { Urls } from '../http/next-actions.ts'
import { createRateLimiter } from '../http/limits/rate-limit.ts'
import type { DeclaredRoute } from '../http/routes/route-table.ts'
import type { RunningServer } from '../http/server.ts'
import { holdsRealMarkets, openFeeds, type Feeds } from '../ingest/collect/feeds.ts'
import type { Clock } from '../lib/clock.ts'
import { responseCipher } from '../lib/files/answer-seal.ts'
import { installationKeyInFile } from '../lib/files/installation-key.ts'
import type { Logger } from '../lib/logger.ts'
import { withWallClockTimers } from '../lib/virtual-clock.ts'
import type { Random } from '../lib/random.ts'
import { createLiveExchange } from './live-exchange.ts'
import { createMarketContext, type MarketContext } from './market-context.ts'
import { createMarketData, type MarketData } from './market-data.ts'
import { createEventOutbox } from '../state/event-outbox.ts'
import { createAccountHistory, createSimulatedHistory } from '../venues/open-trading.ts'
import type { OpenAccountHistory } from '../venues/trading.ts'
import { createServiceHealth } from './service-condition.ts'
import type { ServiceReplay } from './replay/service-replay.ts'
import type { Stores } from './stores.ts'
import { createWorkerFeatures } from './worker-features.ts'

/** Addresses as configured; those not configured follow the bound address. */
export const urlsOf = (config: Config, bound: string): Urls => {
  const baseUrl = config.urls.base ?? bound
  return {
    baseUrl,
    dataUrl: config.urls.data ?? baseUrl,
    appUrl: config.urls.app ?? baseUrl,
    wsUrl: config.urls.ws ?? baseUrl.replace(/^http/, 'ws'),
  }
}

/** Parts that a service is composed of. */
export interface Composition {
  config: Config
  stores: Stores
  /** `http://host:port` of the bound address. */
  boundUrl: string
  clock: Clock
  random: Random
  log: Logger
  /** Encrypts secrets at rest; without it the key's file in the data folder is used. */
  installationKey?: string
  /** Replaces the accounts of the live exchange in tests. */
  accountHistory?: OpenAccountHistory
  /** Replaces the exchange of live orders in tests. */
  liveExchange?: ReadLiveExchange
  /** Replaces the configured source in tests. */
  openSource?: () => Promise<Feeds>
  /**
   * Whether the gauges of the month before are computed; true by default, a replay overrides it.
   */
  loadsHistory?: boolean
  /** Set when data time differs from process time: the replay that drives the data clock. */
  replay?: ServiceReplay
}

/** Set while the service runs: the socket it is served on, and its source. */
interface RunningParts {
  serving: RunningServer | null
  feeds: Feeds | null
}

/**
 * The composition root: parts are built and wired here and nowhere else. Roles that are not
 * requested are left out: `api` serves reads, `ingest` runs the venues and the context computed
 * from them, `worker` runs imports, exports and backups. Health routes are always served.
 */
export function compose(deps: Composition) {
  const { config, stores, random, log, replay } = deps
  /** Data jobs sleep on this clock. */
  const dataClock = deps.clock
  const wallClock = replay?.wallClock ?? dataClock
  /** All other waits (people, sockets, processes) use real time. */
  const clock = replay === undefined ? dataClock : withWallClockTimers(dataClock, wallClock)
  const urls = urlsOf(config, deps.boundUrl)
  const runningParts: RunningParts = { serving: null, feeds: null }
  const data: MarketData = createMarketData({
    ...stores,
    clock: dataClock,
    log,
    replaySource: replay?.replaySource,
    onHistoryChanged: (change) => {
      context.invalidateHistory(change)
      features.invalidate()
      marketWatch.invalidate()
      runningParts.serving?.invalidateAnswers()
    },
  })
  const contextClock = replay?.contextClock ?? dataClock
  const context: MarketContext = createMarketContext({
    data,
    clock: contextClock,
    log,
    loadsHistory: replay?.loadsHistory ?? deps.loadsHistory ?? true,
    quotesBegin: replay === undefined ? 'with the run' : 'earlier',
  })
  const model = currentModel(() => providers.languageModel(), clock)
  const outbox = createEventOutbox(replay !== undefined)
  let openedKey = deps.installationKey ?? null
  const installationKey = (): string => (openedKey ??= installationKeyInFile(config.dataDir))
  const seal = responseCipher(installationKey)
  const theses = createTheses({
    state: stores.state,
    outbox,
    responseCipher: seal,
    board: data.board,
    urls,
    clock: dataClock,
    model,
    async onDeleted(userId, deletedBasis) {
      await portfolio.intents.cancelDeleted(userId, deletedBasis)
      if ('thesisId' in deletedBasis) await watch.archiveThesis(userId, deletedBasis.thesisId)
    },
    trading: () => portfolio.strategies,
    endpoints: () => webhooks.thesisEndpoints,
    log: log.child({ part: 'theses' }),
  })
  const features = createContextFeatures({
    context,
    data,
    clock,
    contextClock,
    urls,
    log,
    state: stores.state,
    model,
    hidesSamples: () => runningParts.feeds?.source === 'live',
    holdings: (userId, asOf) => portfolio.holdings(userId, asOf),
    theses,
  })
  const providers = createProviders({
    dataDir: config.dataDir,
    environment: config.languageModel,
    logger: log,
    onChanged() {
      features.invalidate()
      runningParts.serving?.invalidateAnswers()
    },
  })
  const worker = createWorkerFeatures({ config, stores, data, clock, wallClock, log })
  const access = createAccess({
    state: stores.state,
    dataDir: config.dataDir,
    clock: wallClock,
    baseUrl: urls.baseUrl,
    appUrl: urls.appUrl,
    logger: log.child({ part: 'access' }),
    signup: config.signup,
    provider: config.identityProvider,
  })
  const limiter = createRateLimiter(() => clock.monotonic())
  const usageStore = createUsageStore(stores.state)
  const usage = createUsageRecorder({
    store: usageStore,
    clock: wallClock,
    logger: log.child({ part: 'usage' }),
  })
  const usageService = createUsageService({
    store: usageStore,
    recorder: usage,
    limiter,
    clock: wallClock,
  })
  const { health, doctor, readiness, ...parts } = createServiceHealth({
    config,
    stores,
    data,
    context,
    clock,
    log,
    feeds: () => runningParts.feeds,
    hasLanguageModel: () => providers.languageModel() !== null,
  })
  const marketWatch = createMarketWatch({
    state: stores.state,
    sources: {
      reads: features.service,
      context: context.engine,
      board: data.board,
      reference: data.reference,
      history: data.history,
      clock,
      urls,
      dayEarlier: (snapshot) => context.engine.dayEarlier.snapshotBefore(snapshot, true),
      watchedBy: (userId) => watch.watchedMarkets(userId),
      condition: parts.condition,
    },
    appUrl: urls.appUrl,
    clock: dataClock,
    wallClock,
    log: log.child({ part: 'market watch' }),
  })
  const accountHistory = createAccountHistory({ clock, random })
  const liveExchange = createLiveExchange(
    {
      clock,
      random,
      assetsOf: async (ticker) => (await data.board.market(ticker, null))?.facts.assetIds ?? [],
    },
    () => runningParts.feeds,
  )
  const portfolio = createPortfolio({
    state: stores.state,
    board: data.board,
    history: data.history,
    events: data.events,
    clock: dataClock,
    currentBook: (market) => data.currentQuote(market),
    exchange: deps.liveExchange ?? liveExchange,
    openHistory() {
      const feeds = runningParts.feeds
      const open = deps.accountHistory ?? (feeds?.source === 'live' ? accountHistory : null)
      if (open !== null) return { open, mode: 'live' }
      const simulator = feeds?.simulator ?? null
      if (simulator === null) return null
      return { open: createSimulatedHistory({ clock, random }, simulator), mode: 'paper' }
    },
    isStale: (market) => data.isStale(market),
    theses: theses.own,
    // Nothing leaves the machine in a replay, and its ticks are the same each time.
    model: replay === undefined ? model : () => null,
    async pairs() {
      const snapshot = await contextSnapshotIfAny(context.engine, null)
      return tradablePairs(snapshot)
    },
    outbox,
    urls,
    installationKey,
    wallClock,
    log: log.child({ part: 'portfolio' }),
  })
  const webhooks = createWebhooks({
    state: stores.state,
    outbox,
    installationKey,
    responseCipher: seal,
    allowLoopback: config.webhookAllowLoopback,
    notifications: config.notifications,
    ownAddresses: [deps.boundUrl, urls.baseUrl, urls.dataUrl, urls.appUrl],
    onEnded: (delivery) => watch.recordEnd(delivery),
    onRemoved: (userId, endpointId) => watch.pauseRulesOfEndpoint(userId, endpointId),
    clock: wallClock,
    log: log.child({ part: 'webhooks' }),
  })
  const watch = createWatch({
    state: stores.state,
    outbox,
    endpoints: webhooks.endpoints,
    sources: [features.alertItems],
    theses: theses.own,
    board: data.board,
    events: data.events,
    onSnapshot: (listener) => context.engine.onSnapshot(async (snapshot) => listener(snapshot)),
    clock: dataClock,
    log: log.child({ part: 'watch' }),
  })
  const forum = createForum({
    state: stores.state,
    limiter,
    urls,
    clock: dataClock,
    log: log.child({ part: 'forum' }),
  })
  access.onUserRemoval((userId) => portfolio.endLiveTrading(userId))
  access.onUserChanged((userId) => {
    marketWatch.reloadUser(userId)
    portfolio.reloadUser(userId)
    watch.reloadUser(userId)
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
      service: dataService,
      board: data.board,
      history: data.history,
      clock,
      isStale: (market) => data.isStale(market),
    }),
    feed: data.events,
    access: access.dataAccess,
    log: log.child({ part: 'socket' }),
    clock,
    wallClock,
    counts: createConnectionCount(LIMITS.connections),
  })
  data.events.subscribe('correction', ({ market, at }) => hub.applyCorrection(market, at))
  const routes: DeclaredRoute[] = []
  const app = createHttpApp({ logger: log })
    .use(healthRoutes(health))
    .use(readinessRoutes(readiness, urls.dataUrl))
    .use(doctorRoutes(doctor))
    .use(replayRoutes(replay?.control ?? null, portfolio.reports))
  if (config.roles.has('api')) {
    app
      .use(accessRoutes(access))
      .use(usageRoutes(usageService))
      .use(drawingsRoutes(stores.state, clock))
      .use(pageSettingsRoutes(stores.state, clock))
      .use(providersRoutes(providers))
      .use(documentRoutes(() => openApiOf(routes, urls.baseUrl)))
      .use(webhooks.routes[0])
      .use(webhooks.routes[1])
      .use(forum.routes[0])
      .use(forum.routes[1])
      .use(asyncApiRoutes(urls.wsUrl))
      .use(portfolio.config)
  }
  if (config.roles.has('worker')) app.use(worker.ownRoutes)
  app.use(requireFirstLoad(() => data.board.ready))
  if (config.roles.has('api')) {
    app
      .use(features.routes)
      .use(marketWatch.routes)
      .use(portfolio.routes[0])
      .use(portfolio.routes[1])
      .use(portfolio.bookkeeping)
      .use(portfolio.credentials.routes)
      .use(portfolio.routes[2])
      .use(watch.routes[0])
      .use(watch.routes[1])
      .use(theses.routes[0])
      .use(theses.routes[1])
      .use(theses.routes[2])
      .use(theses.routes[3])
      .use(theses.routes[4])
      .use(theses.routes[5])
      .use(theses.routes[6])
      .use(dataServiceRoutes(dataService, urls.dataUrl))
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
  return {
    app,
    urls,
    clock,
    wallClock,
    limiter,
    running: runningParts,
    data,
    context,
    features,
    worker,
    access,
    usage,
    condition: parts,
    marketWatch,
    portfolio,
    webhooks,
    watch,
    forum,
    theses,
    hub,
    openSource: deps.openSource ?? openSource,
  }
}
