import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { requesterOf } from '../../http/auth/requester.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { answerMarkdown } from './answer.service.ts'
import type { AnswerService } from './answer.service.ts'
import type { BriefingService } from './briefing.service.ts'
import { markdownAnswer } from './markdown-answer.ts'
import {
  OpinionPage,
  Opinions,
  OpinionsQuery,
  TechPage,
  Technicals,
  TechnicalsQuery,
  AnswerPage,
  Briefing,
  BriefingQuery,
  TopicPage,
} from '../../contract/editorial.ts'
import { opinionMarkdown } from './opinions.service.ts'
import type { OpinionService } from './opinions.service.ts'
import { PageQuery, SlugParam } from '../../contract/reference.ts'
import { technicalMarkdown } from './technicals.service.ts'
import type { TechnicalService } from './technicals.service.ts'
import { topicMarkdown } from './topic.service.ts'
import type { TopicService } from './topic.service.ts'

const CACHE_SECONDS = 300
const page = <const Id extends string>(operationId: Id, summary: string) => ({
  auth: 'optional' as const,
  cache: CACHE_SECONDS,
  detail: { operationId, summary },
})

/** Pages computed from markets: topics, answers, briefings, technicals, opinions. */
export const editorialRoutes = (reads: {
  readonly topics: TopicService
  readonly answers: AnswerService
  readonly briefings: BriefingService
  readonly technicals: TechnicalService
  readonly opinions: OpinionService
}) =>
  new Elysia({ prefix: '/api/public', tags: ['editorial'], adapter })
    .use(routePolicies)
    .get(
      '/topic/:slug',
      async ({ params, query, set }) => {
        const topic = await reads.topics.topic(params.slug, query)
        if (query.format === 'markdown') return markdownAnswer(topicMarkdown(topic))
        return withLastModified(set, topic, ({ markets }) =>
          markets.map(({ updatedAt }) => updatedAt),
        )
      },
      {
        params: SlugParam,
        query: PageQuery,
        ...page('topics.get', 'One topic or group: gauges, markets, movers, dates'),
        response: answers(orText(TopicPage, 'text/markdown'), 400, 404, 429, 503),
      },
    )
    .get(
      '/answer/:slug',
      async ({ params, query, set }) => {
        const answer = await reads.answers.answer(params.slug, query)
        if (query.format === 'markdown') return markdownAnswer(answerMarkdown(answer))
        return withLastModified(set, answer, ({ updatedAt }) => [updatedAt])
      },
      {
        params: SlugParam,
        query: PageQuery,
        ...page('answers.get', 'One question of the odds with its answer'),
        response: answers(orText(AnswerPage, 'text/markdown'), 400, 404, 429, 503),
      },
    )
    .get(
      '/briefing',
      async ({ query, request, set }) => {
        const briefing = await reads.briefings.briefing(query, requesterOf(request))
        if (query.format === 'markdown') return markdownAnswer(briefing.markdown)
        return withLastModified(set, briefing, ({ to }) => [to])
      },
      {
        query: BriefingQuery,
        ...page('briefing.read', 'Recent and upcoming events of a topic'),
        response: answers(orText(Briefing, 'text/markdown'), 400, 429, 503),
      },
    )
    .get('/technicals', ({ query }) => reads.technicals.technicals(query), {
      query: TechnicalsQuery,
      ...page('technicals.list', 'Technical signals of the most traded markets, strongest first'),
      response: answers(Technicals, 400, 429, 503),
    })
    .get(
      '/technicals/:slug',
      async ({ params, query }) => {
        const technical = await reads.technicals.technical(params.slug, query)
        return query.format === 'markdown'
          ? markdownAnswer(technicalMarkdown(technical))
          : technical
      },
      {
        params: SlugParam,
        query: PageQuery,
        ...page('technicals.get', 'Trend, levels and days of one market'),
        response: answers(orText(TechPage, 'text/markdown'), 400, 404, 429, 503),
      },
    )
    .get('/opinions', ({ query }) => reads.opinions.opinions(query), {
      query: OpinionsQuery,
      ...page('opinions.list', 'Rule-based opinions, newest first'),
      response: answers(Opinions, 400, 429, 503),
    })
    .get(
      '/opinions/:slug',
      async ({ params, query }) => {
        const opinion = await reads.opinions.opinion(params.slug, query)
        return query.format === 'markdown' ? markdownAnswer(opinionMarkdown(opinion)) : opinion
      },
      {
        params: SlugParam,
        query: PageQuery,
        ...page('opinions.get', 'One opinion: facts, counter-evidence, what would change it'),
        response: answers(orText(OpinionPage, 'text/markdown'), 400, 404, 429, 503),
      },
    )
