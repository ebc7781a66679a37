import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers, orText, responses, failures } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { RatePolicy } from '../../http/routes/route-policies.ts'
import { markdownAnswer } from './markdown-answer.ts'
import {
  Glossary,
  GlossaryTerm,
  Guide,
  GuideQuery,
  IntentMissing,
  PageQuery,
  ReferenceQuery,
  SkillPage,
  Skills,
  SlugParam,
  Theses,
  ThesesQuery,
} from '../../contract/reference.ts'
import type { ReferenceService } from './reference.service.ts'

const CACHE_SECONDS = 300

/**
 * Only searches by anonymous callers count here; an intent is not counted, and the list is an
 * ordinary read.
 */
const guideRate: RatePolicy = ({ q = '', intent = '' }, isKnown) => {
  if (intent.trim() !== '') return 'off'
  if (q.trim() === '') return 'general'
  return isKnown ? 'off' : 'guide'
}

export const referenceRoutes = (reads: ReferenceService) =>
  new Elysia({ prefix: '/api/public', tags: ['editorial'], adapter })
    .use(routePolicies)
    .get('/glossary', ({ query }) => reads.glossary(query), {
      query: ReferenceQuery,
      auth: 'optional',
      cache: CACHE_SECONDS,
      response: answers(Glossary, 400, 429),
      detail: { operationId: 'glossary.list', summary: 'Glossary terms, by name' },
    })
    .get(
      '/glossary/:slug',
      ({ params, query }) => {
        const term = reads.term(params.slug, query)
        return query.format === 'markdown' ? markdownAnswer(reads.termMarkdown(params.slug)) : term
      },
      {
        params: SlugParam,
        query: PageQuery,
        auth: 'optional',
        cache: CACHE_SECONDS,
        response: answers(orText(GlossaryTerm, 'text/markdown'), 400, 404, 429),
        detail: { operationId: 'glossary.get', summary: 'One term: definition, formula, limits' },
      },
    )
    .get('/guide', ({ query }) => reads.guide(query), {
      query: GuideQuery,
      auth: 'optional',
      rate: guideRate,
      cache: CACHE_SECONDS,
      response: responses({ 200: Guide, ...failures(400, 429), 404: IntentMissing }),
      detail: { operationId: 'guide.find', summary: 'Guides: calls for a goal, step by step' },
    })
    .get('/skills', ({ query }) => reads.skills(query), {
      query: ReferenceQuery,
      auth: 'optional',
      cache: CACHE_SECONDS,
      response: answers(Skills, 400, 429),
      detail: { operationId: 'skills.public', summary: 'Playbooks for agents' },
    })
    .get(
      '/skill/:slug',
      ({ params, query }) => {
        const skill = reads.skill(params.slug, query)
        return query.format === 'markdown' ? markdownAnswer(skill.prompt) : skill
      },
      {
        params: SlugParam,
        query: PageQuery,
        auth: 'optional',
        cache: CACHE_SECONDS,
        response: answers(orText(SkillPage, 'text/markdown'), 400, 404, 429),
        detail: {
          operationId: 'skills.get',
          summary: 'One playbook; as markdown, its prompt',
        },
      },
    )
    .get('/theses', async ({ query }) => await reads.theses(query), {
      query: ThesesQuery,
      auth: 'optional',
      // A thesis that is no longer public is gone with the next request.
      cache: 'no-store',
      response: answers(Theses, 400, 429),
      detail: { operationId: 'theses.public', summary: 'Published theses' },
    })
