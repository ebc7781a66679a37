import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import type { Logger } from '../../lib/logger.ts'
import { createAnswerService } from './answer.service.ts'
import { createBriefingService } from './briefing.service.ts'
import { contentItemOf, createOpinionItems } from './content-items.ts'
import { createContentIndexer } from './content-indexer.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { editorialRoutes } from './editorial.routes.ts'
import { createOpinionService } from './opinions.service.ts'
import { referenceRoutes } from './reference.routes.ts'
import { createReferenceService } from './reference.service.ts'
import { createTextSearch } from './site-texts.ts'
import { createTechnicalService } from './technicals.service.ts'
import { createTopicService } from './topic.service.ts'

/** The editorial feature: its routes, its search, and the indexer of its texts. */
export function createEditorial(
  deps: EditorialDeps & {
    readonly log: Logger
    /** Clock of the indexer; defaults to `clock`. */
    readonly indexerClock?: EditorialDeps['clock']
  },
) {
  const { content, log } = deps
  const technicals = createTechnicalService(deps)
  const briefings = createBriefingService(deps)
  const routes = new Elysia({ name: 'editorial', adapter })
    .use(referenceRoutes(createReferenceService(deps)))
    .use(
      editorialRoutes({
        technicals,
        briefings,
        topics: createTopicService(deps),
        answers: createAnswerService(deps),
        opinions: createOpinionService(deps),
      }),
    )
  return {
    routes,
    indexer: createContentIndexer({
      content,
      technicals,
      clock: deps.indexerClock ?? deps.clock,
      log,
      urls: deps.urls,
    }),
    /** Texts for the site search. */
    texts: createTextSearch(deps),
    /** Texts for answers to questions, best first. */
    findContent: async (query: string, at: Parameters<typeof content.search>[1], limit: number) =>
      (await content.search(query, at, limit)).map(({ item }) => contentItemOf(item, deps.urls)),
    /** Opinions as alerts on texts read them. */
    alertItems: createOpinionItems(deps),
    /** Drops cached answers after stored history changed. */
    invalidate: () => briefings.invalidate(),
  }
}
