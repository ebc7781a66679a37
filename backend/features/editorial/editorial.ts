import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import type { Logger } from '../../lib/logger.ts'
import { createAnswerReads } from './answer.service.ts'
import { createBriefingReads } from './briefing.service.ts'
import { contentItemOf, createOpinionItems } from './content-items.ts'
import { createContentIndexer } from './content-indexer.ts'
import type { EditorialDeps } from './editorial.deps.ts'
import { editorialRoutes } from './editorial.routes.ts'
import { createOpinionReads } from './opinions.service.ts'
import { referenceRoutes } from './reference.routes.ts'
import { createReferenceReads } from './reference.service.ts'
import { createTextSearch } from './site-texts.ts'
import { createTechnicalReads } from './technicals.service.ts'
import { createTopicReads } from './topic.service.ts'

/** The editorial feature: its routes, its search, and the indexer of its texts. */
export function createEditorial(
  deps: EditorialDeps & {
    readonly log: Logger
    /** Clock of the indexer; defaults to `clock`. */
    readonly indexerClock?: EditorialDeps['clock']
  },
) {
  const { content, log } = deps
  const technicals = createTechnicalReads(deps)
  const briefings = createBriefingReads(deps)
  const routes = new Elysia({ name: 'editorial', adapter })
    .use(referenceRoutes(createReferenceReads(deps)))
    .use(
      editorialRoutes({
        technicals,
        briefings,
        topics: createTopicReads(deps),
        answers: createAnswerReads(deps),
        opinions: createOpinionReads(deps),
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
    forget: () => briefings.forget(),
  }
}
