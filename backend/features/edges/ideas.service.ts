import { categoryOf } from '../../domain/topics/topics.ts'
import type { PublishedIdea } from '../../computed/judgements/idea-publisher.ts'
import { containsAll, termsOfFilter } from '../../domain/text/word-filter.ts'
import type { Millis } from '../../domain/units.ts'
import { foldText } from '../../domain/text/tokens.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { ideaOf } from '../../http/presenters/idea.ts'
import type { Idea, IdeaList, IdeaQuery, IdeasQuery } from '../../contract/edges.ts'
import { absoluteUrl, get } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type { EdgesDeps } from './edges.deps.ts'
import { CONVICTIONS } from '../../contract/edges.ts'

const MAX_INSPECTED = 3

const byConviction = (a: PublishedIdea, b: PublishedIdea): number =>
  CONVICTIONS.indexOf(a.conviction) - CONVICTIONS.indexOf(b.conviction) ||
  Math.abs(b.edgeCents) - Math.abs(a.edgeCents) ||
  (a.id < b.id ? -1 : 1)

const actionsOf = (ideas: readonly Idea[], { baseUrl }: Urls) => ({
  inspect: ideas.slice(0, MAX_INSPECTED).flatMap(({ markets: [primary] }) => {
    return primary === undefined ? [] : [get(`Inspect ${primary.title}`, primary.url)]
  }),
  related: [
    get('Cross-venue pairs', absoluteUrl(baseUrl, '/api/public/cross-venue/pairs')),
    get('Markets with an expected move', absoluteUrl(baseUrl, '/api/public/contagion')),
  ],
})

/** Ideas as published; their markets carry current prices. Methodology E8. */
export function createIdeaService({ context, judgements, board, clock, urls }: EdgesDeps) {
  const toResponse = async (
    ideas: readonly PublishedIdea[],
    asOf: Millis | null,
  ): Promise<Idea[]> => {
    const tickers = new Set(ideas.flatMap(({ ticker, hedges }) => [ticker, ...hedges]))
    const views = await board.markets([...tickers], asOf)
    return ideas.map((idea) => ideaOf(idea, (ticker) => views.get(ticker), urls))
  }

  return {
    /** @throws NotReady for now, before the first snapshot */
    async ideas(query: IdeasQuery): Promise<IdeaList> {
      const { direction, conviction, category, q, limit } = query
      const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
      const terms = termsOfFilter(q ?? '')
      const requestedCategory = category === null ? null : categoryOf(category)
      if (asOf === null) await context.snapshot(null)
      const { contextAt } = await context.publishedContext(at)
      const matchingIdeas = (await judgements.ideas(contextAt))
        .filter((idea) => direction === null || idea.direction === direction)
        .filter((idea) => conviction === null || idea.conviction === conviction)
        .filter((idea) => requestedCategory === null || idea.category === requestedCategory)
        .filter(({ headline, pitch }) => containsAll(foldText(`${headline}\n${pitch}`), terms))
        .toSorted(byConviction)
        .slice(0, limit)
      const ideas = await toResponse(matchingIdeas, asOf)
      return {
        ideas,
        count: ideas.length,
        generatedAt: isoOf(at),
        ...(query.nextActions ? { nextActions: actionsOf(ideas, urls) } : {}),
      }
    },

    /** @throws NotFound "Idea not found" */
    async idea(id: string, query: IdeaQuery): Promise<Idea> {
      const { asOf, at } = instantOf(query.asOf, clock.now(), board.ready)
      const { contextAt } = await context.publishedContext(at)
      const publishedIdea = await judgements.idea(id, contextAt)
      const [idea] = publishedIdea === null ? [] : await toResponse([publishedIdea], asOf)
      if (idea === undefined) throw new NotFound('Idea not found')
      return idea
    },
  }
}
export type IdeaService = ReturnType<typeof createIdeaService>
