import type { DeletedBasis } from '../../domain/portfolio/intent.ts'
import type { Thesis } from '../../domain/theses/thesis.ts'
import type { Millis } from '../../domain/units.ts'
import type { Clock } from '../../lib/clock.ts'
import type { LanguageModel } from '../../lib/language-model.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Urls } from '../../http/next-actions.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { EventOutbox } from '../../state/event-outbox.ts'
import type { State } from '../../state/open.ts'
import { publicThesisRoutes, thesesRoutes, thesisWorkRoutes } from './theses.routes.ts'
import { createRepeatedWrites, type AnswerSeal } from '../../state/repeated-writes.ts'
import { growthRoutes } from './growth.routes.ts'
import { createThesisGrowth } from './growth.service.ts'
import { heartbeatRoutes } from './heartbeat/heartbeat.routes.ts'
import { createClosedLoop } from './heartbeat/closed-loop.service.ts'
import type { StrategyTrading } from './heartbeat/strategy-trading.ts'
import { createHeartbeats } from './heartbeat/heartbeat.service.ts'
import { createHeartbeatStore } from './heartbeat/heartbeat.store.ts'
import { holdingsRoutes } from './holdings/holdings.routes.ts'
import { createThesisHoldings } from './holdings/holdings.service.ts'
import { createThesisEvaluation } from './evaluation/thesis-evaluation.service.ts'
import { ModelCalls } from './model/model-calls.ts'
import { createThesesService } from './theses.service.ts'
import { createOwnTheses } from './own-theses.ts'
import { createThesesStore } from './theses.store.ts'
import type { ThesisBoard } from './thesis-markets.ts'
import { createThesisBacktests } from './thesis-backtest.service.ts'
import { createThesisFormation } from './thesis-formation.service.ts'
import { createThesisPublication } from './thesis-publication.service.ts'
import { thesisReadRoutes } from './thesis-reads.routes.ts'
import { createThesisReadService } from './thesis-reads.service.ts'
import { createThesisRows, type ThesisEndpoints } from './thesis-rows.ts'
import { createThesisWork } from './thesis-work.service.ts'
import { createVisibleEdges } from './visible-edges.ts'

/** Users' theses: claims with the relevant conditions and markets. */
export function createTheses(options: {
  readonly state: State
  readonly outbox: EventOutbox
  /** Encrypts stored answers, which may hold the secret of an endpoint. */
  readonly responseCipher: AnswerSeal
  readonly board: ThesisBoard
  readonly urls: Urls
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  /** The configured language model; null without one. */
  readonly model: () => LanguageModel | null
  /** The webhook endpoints that theses manage. */
  readonly endpoints: () => ThesisEndpoints
  /** Called after a thesis or a strategy was deleted. */
  readonly onDeleted: (userId: string, deletedBasis: DeletedBasis) => Promise<void>
  /** Trading of the strategies of theses. */
  readonly trading: () => StrategyTrading
  readonly log: Logger
}) {
  const { state, outbox, clock, log } = options
  const store = createThesesStore(state, outbox)
  const userQueue = new PerUserQueue()
  const onActive = (thesis: Thesis): void => heartbeats.schedule(thesis)
  const onStopped = (thesis: Thesis): void => heartbeats.stopTrading(thesis)
  const stop = new AbortController()
  const deps = {
    ...options,
    store,
    heartbeats: createHeartbeatStore(state),
    userQueue,
    onActive,
    onStopped,
    stopping: stop.signal,
    calls: new ModelCalls(),
  }
  const rows = createThesisRows(deps)
  const repeats = createRepeatedWrites(state, clock, options.responseCipher)
  const formation = createThesisFormation(deps, rows)
  const service = createThesesService(deps, rows, formation)
  const publication = createThesisPublication(deps, rows)
  const evaluations = createThesisEvaluation(deps, rows)
  const work = createThesisWork(deps, rows, evaluations)
  const heartbeats = createHeartbeats(deps, rows, evaluations, createClosedLoop(deps))
  return {
    routes: [
      thesesRoutes(service, publication, repeats),
      thesisWorkRoutes(work, repeats),
      publicThesisRoutes(publication),
      holdingsRoutes(createThesisHoldings(deps, rows), repeats),
      thesisReadRoutes(createThesisReadService(deps, rows)),
      growthRoutes(createThesisGrowth(deps, rows, formation), repeats),
      heartbeatRoutes(heartbeats, createThesisBacktests(deps, rows)),
    ] as const,
    /** Theses and strategies of users, as their intents name them. */
    own: createOwnTheses(deps, rows),
    /** Edges as each caller may see them. */
    edges: createVisibleEdges(store),
    /** Published theses as lists show them at an instant, null for now; newest first. */
    published: (asOf: Millis | null) => publication.rows(asOf),
    /** Forms the theses that a stop interrupted; call it once the board can answer. */
    async open(): Promise<void> {
      try {
        await formation.open()
      } catch (error) {
        log.error({ err: error }, 'interrupted theses could not be formed')
      }
    },
    /** Evaluates by timer until the signal aborts. */
    run: (signal: AbortSignal): Promise<void> => heartbeats.run(signal),
    get isIdle() {
      return userQueue.isIdle
    },
    settled: () => userQueue.idle(),
    close(): Promise<void> {
      stop.abort()
      return userQueue.idle()
    },
  }
}
export type Theses = ReturnType<typeof createTheses>
