import { join } from 'node:path'
import { componentsOf } from './components.ts'
import { MINUTE, SECOND, type Millis } from './domain/units.ts'
import { createContextKeeper } from './computed/context-keeper.ts'
import { DailyTrends } from './computed/daily-trends.ts'
import { readDeadlines } from './computed/date-families.ts'
import { LiveTrends } from './computed/live-trends.ts'
import { TriggerWatch } from './computed/trigger-watch.ts'
import { createJudgements } from './computed/judgements/judgements.ts'
import { createReadsAhead } from './computed/reads-ahead.ts'
import { ServedLog } from './computed/served-log.ts'
import type { Config } from './config.ts'
import type { Damage } from './domain/damage.ts'
import { createAccess } from './features/access/access.ts'
import { dataKeysRoutes } from './features/access/data-keys.routes.ts'
import { sessionRoutes } from './features/access/session.routes.ts'
import { createExportPlaces } from './features/archive/export-places.ts'
import { createExporter } from './features/archive/exporter.ts'
import { exportsRoutes } from './features/archive/exports.routes.ts'
import { createExportsService } from './features/archive/exports.service.ts'
import { createExportsStore } from './features/archive/exports.store.ts'
import { createImportsService } from './features/archive/imports.service.ts'
import { createImportsStore } from './features/archive/imports.store.ts'
import { documentRoutes } from './features/catalog/document.routes.ts'
import { healthRoutes } from './features/catalog/health.routes.ts'
import { createHealthService } from './features/catalog/health.service.ts'
import { createIncidentLog } from './features/catalog/incidents.ts'
import { createIncidentsStore } from './features/catalog/incidents.store.ts'
import { crossVenueRoutes } from './features/crossvenue/pairs.routes.ts'
import { createDataService } from './features/data-service/data-service.ts'
import { readinessRoutes } from './features/data-service/readiness.routes.ts'
import { createReadiness } from './features/data-service/readiness.service.ts'
import { asyncApiRoutes } from './features/data-service/socket/asyncapi.routes.ts'
import { createConnectionCount, Hub } from './features/data-service/socket/hub.ts'
import { LIMITS } from './features/data-service/socket/limits.ts'
import { socketDoor } from './features/data-service/socket/socket-door.ts'
import { createSocketSources } from './features/data-service/socket/socket-sources.ts'
import { dataServiceRoutes } from './features/data-service/v1.routes.ts'
import { calibrationRoutes } from './features/edges/calibration.routes.ts'
import { createCalibrationReads } from './features/edges/calibration.service.ts'
import { createHighlightReads } from './features/edges/highlights.service.ts'
import { createContentStore } from './features/editorial/content.store.ts'
import { createEditorial } from './features/editorial/editorial.ts'
import { edgesRoutes } from './features/edges/edges.routes.ts'
import { importsRoutes } from './features/archive/imports.routes.ts'
import { inspectRoutes } from './features/inspect/inspect.routes.ts'
import { createInspect } from './features/inspect/inspect.service.ts'
import { indicesRoutes } from './features/indices/indices.routes.ts'
import { backupsRoutes } from './features/operations/backups.routes.ts'
import { createBackupsService } from './features/operations/backups.service.ts'
import { doctorRoutes } from './features/operations/doctor.routes.ts'
import { createDoctorService } from './features/operations/doctor.service.ts'
import { marketsRoutes } from './features/markets/markets.routes.ts'
import { worldFeature } from './features/world/world.feature.ts'
import { openApiOf } from './http/openapi.ts'
import { createQuestions } from './features/query/questions.routes.ts'
import { createHttpApp } from './http/app.ts'
import type { Urls } from './http/next-actions.ts'
import type { DeclaredRoute } from './http/route-table.ts'
import type { Bound, Serving } from './http/server.ts'
import { mountUpgrade } from './http/upgrade.ts'
import { openFeeds, type Feeds } from './ingest/feeds.ts'
import { createImportHost } from './ingest/import/import-host.ts'
import { createImporter } from './ingest/import/importer.ts'
import { LAYOUT_NAMES } from './ingest/import/layouts.ts'
import { sleepUnless, type Clock } from './lib/clock.ts'
import { StoreFailed } from './lib/errors.ts'
import type { Logger } from './lib/logger.ts'
import { PACKAGE_ROOT, VERSION } from './lib/package-root.ts'
import type { Random } from './lib/random.ts'
import { inSlices } from './lib/slices.ts'
import { createMarketData, type MarketData } from './market-data.ts'
import { createOpenAiChat } from './sources/language-model/openai-chat.ts'
import { stateAnswers } from './state/probe.ts'
import type { Stores } from './stores.ts'

/** The first context waits no longer for the history that a first start fetches. */
const LONGEST_FIRST_READING = 2 * MINUTE
/** Nobody can write a thesis yet, so nobody sees an edge of one. */
const NO_THESES = { scanned: 0, edges: [] }
/** What one short answer shows of the highlights. */
const TOP_TEN = { topic: null, category: null, limit: 10 }
const WATCH_EVERY = (20 * SECOND) as Millis

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
}) {
  const { config, stores, clock, random, log } = deps
  const urls = urlsOf(config, deps.boundUrl)
  let serving: Serving | null = null
  let feeds: Feeds | null = null
  const data: MarketData = createMarketData({
    ...stores,
    clock,
    log,
    onPastChanged: (change) => {
      context.forgetPast(change === 'rows')
      trends.forget()
      editorial.forget()
      questions.forget()
      calibration.forget()
      serving?.forgetAnswers()
    },
  })
  const contextLog = log.child({ part: 'context' })
  const context = createContextKeeper({
    ...{ history: data.history, board: data.board, reference: data.reference, clock },
    served: new ServedLog({ store: data.history, clock, log: contextLog }),
    log: contextLog,
  })
  const judgements = createJudgements({ stored: data.history, board: data.board })
  context.onGrid((grid) =>
    judgements.publish(grid).catch((error: unknown) => {
      // Context is served all the same; what was not stored is published with the next grid.
      log.error({ err: error }, 'what a grid publishes could not be stored')
    }),
  )
  const triggers = new TriggerWatch({
    ...{ history: data.history, clock },
    publish: (changes) => data.takeChanges(changes),
  })
  context.onGrid((grid) =>
    triggers.note(grid).catch((error: unknown) => {
      log.error({ err: error }, 'change events of a grid could not be told')
    }),
  )
  const trends = new LiveTrends(new DailyTrends(data.history))
  data.events.subscribe('quote', ({ market, event }) => trends.note(market, event))
  data.events.subscribe('trade', ({ market, event }) => trends.note(market, event))
  data.events.subscribe('correction', ({ market }) => trends.forgetMarket(market))
  const readsAhead = createReadsAhead({
    ...{ trends, board: data.board, clock },
    log: contextLog,
  })
  context.onGrid((grid) => readsAhead.prepare(grid))
  context.onGrid((grid) => inSlices(readDeadlines(grid), () => clock.monotonic()))
  const structure = { context, judgements, stored: data.history, board: data.board, clock, urls }
  const importer = createImporter({
    host: createImportHost(stores.history),
    dataDir: config.dataDir,
  })
  const imports = createImportsService({
    store: createImportsStore(stores.state),
    layouts: LAYOUT_NAMES,
    clock,
    logger: log,
    async run(request, signal, onReport) {
      const reports = await importer.importFiles(request, signal, onReport)
      await data.refresh()
      return reports
    },
  })
  const placeOf = createExportPlaces(config)
  const { dataDir } = config
  const exports = createExportsService({
    store: createExportsStore(stores.state),
    exporter: createExporter({ copyTo: data.copyTo, placeOf, dataDir, clock }),
    ...{ history: data.history, placeOf, clock, logger: log.child({ part: 'exports' }) },
  })
  const backups = createBackupsService({
    ...{ dataDir: config.dataDir, version: VERSION, clock, logger: log },
    copyStores(folder, work) {
      if (stores.upkeep === undefined) throw new StoreFailed('stores in memory cannot be backed up')
      return stores.upkeep.copyInto(folder, work, () => data.flush())
    },
  })
  const access = createAccess({
    ...{ state: stores.state, dataDir: config.dataDir, clock },
    ...{ baseUrl: urls.baseUrl, appUrl: urls.appUrl, logger: log.child({ part: 'access' }) },
  })
  const incidents = createIncidentLog(createIncidentsStore(stores.state), log)
  const components = () =>
    componentsOf({
      now: clock.now(),
      source: feeds?.source ?? null,
      boardReady: data.board.ready,
      pipeline: data.pipeline(),
      health: (venue) => data.health(venue),
    })
  const health = createHealthService({
    clock,
    version: VERSION,
    source: () => feeds?.source ?? null,
    components,
    incidents,
  })
  const doctor = createDoctorService({
    ...{ dataDir: config.dataDir, history: data.history, parts: components, clock },
    stateAnswers: () => stateAnswers(stores.state),
  })
  const readiness = createReadiness({
    parts: components,
    isOpened: () => feeds !== null,
    isLoaded: () => data.board.ready,
    databaseAnswers: () => stateAnswers(stores.state),
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
  const world = worldFeature({
    ...{ context, board: data.board, history: data.history, reference: data.reference },
    ...{ clock, urls, logger: log.child({ part: 'world' }) },
  })
  const model = config.languageModel === null ? null : createOpenAiChat(config.languageModel, clock)
  const editorial = createEditorial({
    ...{ context, judgements, board: data.board, history: data.history, model, clock, urls },
    ...{ reference: data.reference, content: createContentStore(stores.state) },
    log: log.child({ part: 'editorial' }),
  })
  context.onWorld((bucket) => void editorial.keeper.note(bucket))
  const theses = { edges: () => Promise.resolve(NO_THESES) }
  const edges = { ...structure, theses }
  const highlights = createHighlightReads(edges)
  const questions = createQuestions({
    ...{ context, board: data.board, content: editorial.findContent, model, clock, urls },
    lists: {
      highlights: async (asOf) => (await highlights.highlights({ ...TOP_TEN, asOf })).highlights,
      edges: () => Promise.resolve(NO_THESES.edges),
    },
  })
  const calibration = createCalibrationReads({
    ...{ history: data.history, board: data.board, clock },
    hidesSamples: () => feeds?.source === 'live',
  })
  const hub = new Hub({
    sources: createSocketSources({
      world: world.topics,
      ...{ service: dataService, board: data.board, history: data.history, clock },
      isStale: (market) => data.isStale(market),
    }),
    ...{ feed: data.events, access: access.dataAccess, clock, log: log.child({ part: 'socket' }) },
    counts: createConnectionCount(LIMITS.connections),
  })
  data.events.subscribe('correction', ({ market, at }) => hub.noteCorrection(market, at))
  const routes: DeclaredRoute[] = []
  const app = createHttpApp({ logger: log })
    .use(healthRoutes(health))
    .use(readinessRoutes(readiness, urls.dataUrl))
    .use(doctorRoutes(doctor))
  if (config.roles.has('api')) {
    app
      .use(sessionRoutes(access.signIn))
      .use(dataKeysRoutes(access.dataKeys))
      .use(documentRoutes(() => openApiOf(routes, urls.baseUrl)))
      .use(
        marketsRoutes({
          ...{ board: data.board, history: data.history, context, clock, urls },
          texts: editorial.texts,
        }),
      )
      .use(questions.routes)
      .use(editorial.routes)
      .use(world.routes)
      .use(inspectRoutes(createInspect({ ...structure, dayEarlier: context.dayEarlier, trends })))
      .use(indicesRoutes(structure))
      .use(crossVenueRoutes(structure))
      .use(edgesRoutes(edges))
      .use(calibrationRoutes(calibration))
      .use(dataServiceRoutes(dataService, urls.dataUrl))
      .use(asyncApiRoutes(urls.wsUrl))
  }
  if (config.roles.has('worker')) {
    app.use(importsRoutes(imports)).use(exportsRoutes(exports)).use(backupsRoutes(backups))
  }
  routes.push(...app.routes)

  const source = config.roles.has('ingest') ? config.source : 'none'
  const openSource = (): Promise<Feeds> =>
    openFeeds({ ...config, source }, async () => (await stores.history.size()).markets > 0, {
      clock,
      random,
      logger: log,
    })

  const stopping = new AbortController()
  let upkeep: Promise<void> = Promise.resolve()
  let contextWork: Promise<unknown> = Promise.resolve()
  /** Context follows the data: the past is read once it stands whole. */
  const keepContext = async (signal: AbortSignal): Promise<void> => {
    const ended = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    const derived = Promise.race([data.derived, ended])
    const past = async (): Promise<void> => {
      await derived
      await context.readPast(signal)
    }
    // A first context without the past that is being read would say that nothing is known.
    const isFirst = (await data.history.firstIndexAt(clock.now())) === null
    if (isFirst) await Promise.race([derived, sleepUnless(signal, clock, LONGEST_FIRST_READING)])
    await Promise.all([
      context.run(signal),
      past().catch((error: unknown) => {
        if (!signal.aborted) log.error({ err: error }, 'the gauges of the past could not be read')
      }),
    ])
  }

  /** Looks at the parts of the service so that trouble becomes an incident without anybody asking. */
  const watch = async (): Promise<void> => {
    while (await sleepUnless(stopping.signal, clock, WATCH_EVERY)) health.status()
  }

  return {
    app,
    urls,
    data,
    context,
    dataAccess: access.dataAccess,
    /** Answers requests on a bound port; data follow with `start`. */
    serveOn(bound: Bound, launchSecret: string): void {
      serving = bound.serve(app, {
        clock,
        logger: log,
        addresses: Object.values(urls),
        authenticate: access.authenticate(launchSecret),
        fairUse: config.fairUse,
        trustedProxy: config.trustedProxy,
        pageFolder: join(PACKAGE_ROOT, 'dist', 'page'),
      })
      if (config.roles.has('api')) {
        mountUpgrade(bound, socketDoor({ hub, access: access.dataAccess, log }))
        bound.onClose(() => world.close())
      }
    },
    /** Opens the source and resolves when the board can answer. */
    async start(): Promise<{ source: Feeds['source'] }> {
      await access.opened
      await editorial.keeper.open()
      feeds = await (deps.openSource ?? openSource)()
      await incidents.resume(clock.now())
      stores.upkeep?.onDamage((damage) => {
        incidents.note(incidentOf(damage))
        if (damage.store === 'history') data.noteDamage()
        serving?.forgetAnswers()
      })
      upkeep = stores.upkeep?.run(stopping.signal) ?? upkeep
      await data.start(feeds)
      if (config.roles.has('ingest')) contextWork = keepContext(stopping.signal)
      void watch()
      return { source: feeds.source }
    },
    /** Stops reading, finishes what was taken and closes the stores. */
    async stop(): Promise<void> {
      stopping.abort()
      hub.close()
      world.close()
      await contextWork
      await readsAhead.close()
      await context.close()
      await editorial.keeper.settled()
      await imports.close()
      await exports.close()
      await backups.close()
      await data.stop()
      await access.close()
      await upkeep
      await stores.close()
    },
  }
}

/** A damaged store that was recovered, in the words of the status page. */
const incidentOf = ({ store, at, summary }: Damage) => ({
  component: store === 'history' ? 'history' : 'database',
  title: `Damage of the ${store === 'history' ? 'history' : 'operational rows'} was found and mended`,
  impact: 'degraded' as const,
  startedAt: at,
  updates: [{ at, text: summary }],
})

export type Service = ReturnType<typeof compose>
