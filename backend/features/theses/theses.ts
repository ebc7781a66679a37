import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Urls } from '../../http/next-actions.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { State } from '../../state/open.ts'
import { publicThesisRoutes, thesesRoutes, thesisWorkRoutes } from './theses.routes.ts'
import { createThesesService } from './theses.service.ts'
import { createThesesStore } from './theses.store.ts'
import type { ThesisBoard } from './thesis-markets.ts'
import { createThesisPublication } from './thesis-publication.service.ts'
import { createThesisRows } from './thesis-rows.ts'
import { createThesisWork } from './thesis-work.service.ts'
import { createVisibleEdges } from './visible-edges.ts'

/** Users' theses: claims with the conditions and markets that bear on them. */
export function createTheses(given: {
  readonly state: State
  readonly board: ThesisBoard
  readonly urls: Urls
  /** Data time, replayed in a replay. */
  readonly clock: Clock
  readonly log: Logger
}) {
  const { state, log } = given
  const store = createThesesStore(state)
  const lanes = new PerUserQueue()
  const deps = { ...given, store, lanes }
  const rows = createThesisRows(deps)
  const service = createThesesService(deps, rows)
  const publication = createThesisPublication(deps, rows)
  return {
    routes: [
      thesesRoutes(service, publication),
      thesisWorkRoutes(createThesisWork(deps, rows)),
      publicThesisRoutes(publication),
    ] as const,
    /** Edges as each caller may see them. */
    edges: createVisibleEdges(store),
    /** Published theses as lists show them, newest first. */
    published: () => publication.rows(),
    /** Forms the theses that a stop interrupted; call it once the board can answer. */
    async open(): Promise<void> {
      try {
        await service.open()
      } catch (error) {
        log.error({ err: error }, 'interrupted theses could not be formed')
      }
    },
    get isIdle() {
      return lanes.isIdle
    },
    settled: () => lanes.idle(),
    close: () => lanes.idle(),
  }
}
export type Theses = ReturnType<typeof createTheses>
