import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import type { RateWord } from '../../http/words.ts'
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
} from './reference.schema.ts'
import type { ReferenceReads } from './reference.service.ts'

const CACHED = 300

/** Only texts of unknown callers count here; an intent costs nothing, the list is a read like others. */
const guideRate: RateWord = ({ q = '', intent = '' }, isKnown) => {
  if (intent.trim() !== '') return 'off'
  if (q.trim() === '') return 'general'
  return isKnown ? 'off' : 'guide'
}

export const referenceRoutes = (reads: ReferenceReads) =>
  new Elysia({ prefix: '/api/public', tags: ['editorial'], adapter })
    .use(routeWords)
    .get('/glossary', ({ query }) => reads.glossary(query), {
      query: ReferenceQuery,
      auth: 'optional',
      cache: CACHED,
      bodies: answers(Glossary, 400, 429),
      detail: { operationId: 'glossary.list', summary: 'Terms of the service by name' },
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
        cache: CACHED,
        bodies: answers(GlossaryTerm, 400, 404, 429),
        detail: { operationId: 'glossary.get', summary: 'One term: what it is, formula, limits' },
      },
    )
    .get('/guide', ({ query }) => reads.guide(query), {
      query: GuideQuery,
      auth: 'optional',
      rate: guideRate,
      cache: CACHED,
      bodies: { ...answers(Guide, 400, 429), 404: IntentMissing },
      detail: { operationId: 'guide.find', summary: 'Which calls lead to what you want' },
    })
    .get('/skills', ({ query }) => reads.skills(query), {
      query: ReferenceQuery,
      auth: 'optional',
      cache: CACHED,
      bodies: answers(Skills, 400, 429),
      detail: { operationId: 'skills.public', summary: 'Ways of working for agents' },
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
        cache: CACHED,
        bodies: answers(SkillPage, 400, 404, 429),
        detail: {
          operationId: 'skills.get',
          summary: 'One way of working; as markdown, its prompt',
        },
      },
    )
    .get('/theses', ({ query }) => reads.theses(query), {
      query: ThesesQuery,
      auth: 'optional',
      cache: CACHED,
      bodies: answers(Theses, 400, 429),
      detail: { operationId: 'theses.public', summary: 'Published theses' },
    })
