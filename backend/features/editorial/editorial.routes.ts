import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { askerOf } from '../../http/asker.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { answerMarkdown } from './answer.service.ts'
import type { AnswerReads } from './answer.service.ts'
import type { BriefingReads } from './briefing.service.ts'
import { markdownAnswer } from './markdown-answer.ts'
import { OpinionPage, Opinions, OpinionsQuery } from './opinions.schema.ts'
import { opinionMarkdown } from './opinions.service.ts'
import type { OpinionReads } from './opinions.service.ts'
import { PageQuery, SlugParam } from './reference.schema.ts'
import { TechPage, Technicals, TechnicalsQuery } from './technicals.schema.ts'
import { technicalMarkdown } from './technicals.service.ts'
import type { TechnicalReads } from './technicals.service.ts'
import { AnswerPage, Briefing, BriefingQuery, TopicPage } from './topic.schema.ts'
import { topicMarkdown } from './topic.service.ts'
import type { TopicReads } from './topic.service.ts'

const CACHED = 300
const page = <const Id extends string>(operationId: Id, summary: string) => ({
  auth: 'optional' as const,
  cache: CACHED,
  detail: { operationId, summary },
})

/** Pages that are worked out from markets: topics, answers, briefings, technicals, opinions. */
export const editorialRoutes = (reads: {
  readonly topics: TopicReads
  readonly answers: AnswerReads
  readonly briefings: BriefingReads
  readonly technicals: TechnicalReads
  readonly opinions: OpinionReads
}) =>
  new Elysia({ prefix: '/api/public', tags: ['editorial'], adapter })
    .use(routeWords)
    .get(
      '/topic/:slug',
      async ({ params, query, set }) => {
        const topic = await reads.topics.topic(params.slug, query)
        if (query.format === 'markdown') return markdownAnswer(topicMarkdown(topic))
        return dated(set, topic, ({ markets }) => markets.map(({ updatedAt }) => updatedAt))
      },
      {
        params: SlugParam,
        query: PageQuery,
        ...page('topics.get', 'One topic or group: gauges, markets, movers, dates'),
        bodies: answers(TopicPage, 400, 404, 429, 503),
      },
    )
    .get(
      '/answer/:slug',
      async ({ params, query, set }) => {
        const answer = await reads.answers.answer(params.slug, query)
        if (query.format === 'markdown') return markdownAnswer(answerMarkdown(answer))
        return dated(set, answer, ({ updatedAt }) => [updatedAt])
      },
      {
        params: SlugParam,
        query: PageQuery,
        ...page('answers.get', 'One question of the odds, answered'),
        bodies: answers(AnswerPage, 400, 404, 429, 503),
      },
    )
    .get(
      '/briefing',
      async ({ query, request, set }) => {
        const briefing = await reads.briefings.briefing(query, askerOf(request))
        if (query.format === 'markdown') return markdownAnswer(briefing.markdown)
        return dated(set, briefing, ({ to }) => [to])
      },
      {
        query: BriefingQuery,
        ...page('briefing.read', 'What happened in a topic and what lies ahead'),
        bodies: answers(Briefing, 400, 429, 503),
      },
    )
    .get('/technicals', ({ query }) => reads.technicals.technicals(query), {
      query: TechnicalsQuery,
      ...page('technicals.list', 'What prices of the most traded markets say, strongest first'),
      bodies: answers(Technicals, 400, 429, 503),
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
        bodies: answers(TechPage, 400, 404, 429, 503),
      },
    )
    .get('/opinions', ({ query }) => reads.opinions.opinions(query), {
      query: OpinionsQuery,
      ...page('opinions.list', 'Opinions by rules, newest first'),
      bodies: answers(Opinions, 400, 429, 503),
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
        bodies: answers(OpinionPage, 400, 404, 429, 503),
      },
    )
