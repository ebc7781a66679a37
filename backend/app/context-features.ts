import { Elysia } from 'elysia'
import type { PortfolioOverlay } from '../contract/portfolio.ts'
import type { Millis } from '../domain/units.ts'
import { crossVenueRoutes } from '../features/crossvenue/pairs.routes.ts'
import { calibrationRoutes } from '../features/edges/calibration.routes.ts'
import { createCalibrationService } from '../features/edges/calibration.service.ts'
import { edgesRoutes } from '../features/edges/edges.routes.ts'
import { createEdgeService } from '../features/edges/edges.service.ts'
import { createHighlightService } from '../features/edges/highlights.service.ts'
import { createContentStore } from '../features/editorial/content.store.ts'
import { createEditorial } from '../features/editorial/editorial.ts'
import { indicesRoutes } from '../features/indices/indices.routes.ts'
import { inspectRoutes } from '../features/inspect/inspect.routes.ts'
import { createInspect } from '../features/inspect/inspect.service.ts'
import { marketsRoutes } from '../features/markets/markets.routes.ts'
import type { ModelAccess } from '../features/providers/provider-access.ts'
import { createQuestions } from '../features/query/questions.routes.ts'
import type { Theses } from '../features/theses/theses.ts'
import { worldFeature } from '../features/world/world.feature.ts'
import { adapter } from '../http/adapter.ts'
import type { Urls } from '../http/next-actions.ts'
import type { Clock } from '../lib/clock.ts'
import type { LanguageModel } from '../lib/language-model.ts'
import type { Logger } from '../lib/logger.ts'
import type { MarketContext } from './market-context.ts'
import type { MarketData } from './market-data.ts'
import { panelReads } from './panel-reads.ts'
import { createHttpModel } from '../sources/language-model/http-model.ts'
import type { Stores } from './stores.ts'

/** Edges in the answer to a question. */
const TOP_EDGES = { minStrength: null, theme: null, venue: null, limit: 10 }
/** Highlights in the answer to a question. */
const TOP_TEN = { topic: null, category: null, limit: 10 }

/** The features that read the context, and the tasks that keep their texts and streams current. */
export function createContextFeatures(deps: {
  context: MarketContext
  data: MarketData
  state: Stores['state']
  /** The configured language model; null without one. */
  model: () => LanguageModel | null
  /** Whether demo markets are excluded from measurements. */
  hidesSamples: () => boolean
  clock: Clock
  /** Clock of the context. */
  contextClock: Clock
  /** Open paper positions of a user at an instant; null for now. */
  holdings: (userId: string, asOf: Millis | null) => Promise<PortfolioOverlay>
  theses: Pick<Theses, 'edges' | 'published'>
  urls: Urls
  log: Logger
}) {
  const { clock, holdings, urls, log } = deps
  const { history, board, reference } = deps.data
  const { engine: context, judgements, trends } = deps.context
  const structure = { context, judgements, stored: history, board, clock, urls }
  const world = worldFeature({
    context,
    board,
    history,
    reference,
    holdings,
    clock,
    urls,
    logger: log.child({ part: 'world' }),
  })
  const { model } = deps
  const editorial = createEditorial({
    context,
    judgements,
    board,
    history,
    model,
    clock,
    urls,
    reference,
    content: createContentStore(deps.state),
    publishedTheses: (asOf) => deps.theses.published(asOf),
    indexerClock: deps.contextClock,
    log: log.child({ part: 'editorial' }),
  })
  context.onWorld((worldSnapshot) => void editorial.indexer.publish(worldSnapshot))
  const edges = { ...structure, theses: deps.theses.edges }
  const edgeService = createEdgeService(edges)
  const highlights = createHighlightService(edges)
  const questions = createQuestions({
    context,
    board,
    content: editorial.findContent,
    model,
    clock,
    urls,
    lists: {
      highlights: async (asOf) => (await highlights.highlights({ ...TOP_TEN, asOf })).highlights,
      edges: async (asOf) => (await edgeService.edges({ ...TOP_EDGES, asOf }, null)).edges,
    },
  })
  const { dayEarlier } = context
  const inspect = createInspect({ ...structure, dayEarlier, trends, holdings })
  const calibration = createCalibrationService({
    history,
    board,
    clock,
    hidesSamples: deps.hidesSamples,
  })

  return {
    routes: new Elysia({ name: 'context', adapter })
      .use(marketsRoutes({ board, history, context, clock, urls, texts: editorial.texts }))
      .use(questions.routes)
      .use(editorial.routes)
      .use(world.routes)
      .use(inspectRoutes(inspect))
      .use(indicesRoutes(structure))
      .use(crossVenueRoutes(structure))
      .use(edgesRoutes(edges))
      .use(calibrationRoutes(calibration)),
    /** Opinions for alerts on texts. */
    alertItems: editorial.alertItems,
    /** Reads of these features for panels. */
    service: panelReads(structure),
    /** The world as socket topics. */
    topics: world.topics,
    /** Loads the texts before the first request for one. */
    open: () => editorial.indexer.open(),
    /** Clears cached answers after stored history changed. */
    invalidate(): void {
      editorial.invalidate()
      questions.invalidate()
      calibration.invalidate()
    },
    /** Number of readers of the world stream. */
    readers: () => world.stream.readers,
    /** Ends the streams. */
    closeStreams: () => world.close(),
    /** Resolves when no text is being written. */
    settled: () => editorial.indexer.settled(),
  }
}

/**
 * The model for the current access, recreated when the access changes: budget and rate limits
 * belong to its endpoint.
 */
export function currentModel(
  accessOf: () => ModelAccess | null,
  clock: Clock,
): () => LanguageModel | null {
  let modelService: { readonly access: ModelAccess; readonly model: LanguageModel } | null = null
  return () => {
    const access = accessOf()
    if (access === null) return null
    if (modelService?.access !== access)
      modelService = { access, model: createHttpModel(access, clock) }
    return modelService.model
  }
}
