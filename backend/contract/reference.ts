import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { Action, Iso, Num, nullable } from './schemas.ts'
import { InvalidInput } from '../lib/errors.ts'

/** A published thesis in a list. */
export const PublicThesisRow = t.Object({
  slug: t.String(),
  title: t.String(),
  confidence: Num,
  impliedReturn: nullable(t.Number({ description: 'percent' })),
  status: t.String(),
  publishedAt: Iso,
  url: t.String(),
})
export type PublicThesisRow = Static<typeof PublicThesisRow>

export const FORMATS = ['json', 'markdown'] as const
export const format = () => param.format(FORMATS, 'json')

const offset = param.boundedInteger({
  default: 0,
  min: 0,
  max: 100_000,
  description: 'rows to skip',
})

/** Parameters of every editorial list. */
export const listParams = () => ({
  q: param.text('every word must occur'),
  category: param.text('category of the entries'),
  limit: param.limit(50, 500),
  offset,
})

export const pageFields = {
  count: t.Integer(),
  total: t.Integer(),
  limit: t.Integer(),
  offset: t.Integer(),
}

export const SlugParam = t.Object({ slug: t.String({ description: 'slug, from the list' }) })

export const ReferenceQuery = query({ ...listParams(), asOf: param.asOf() })
export type ReferenceQuery = ReadQuery<typeof ReferenceQuery>
export const PageQuery = query({ format: format(), asOf: param.asOf() })
export type PageQuery = ReadQuery<typeof PageQuery>

const termFields = {
  slug: t.String(),
  term: t.String(),
  short: t.String(),
  category: t.String(),
  aliases: t.Array(t.String()),
  url: t.String(),
}

export const Glossary = t.Object({ terms: t.Array(t.Object(termFields)), ...pageFields })
export type Glossary = Static<typeof Glossary>
export type GlossaryRow = Glossary['terms'][number]

export const GlossaryTerm = t.Object({
  ...termFields,
  body: t.String({ description: 'markdown' }),
  formula: nullable(t.String()),
  seeAlso: t.Array(t.String()),
  fields: t.Array(t.String()),
})
export type GlossaryTerm = Static<typeof GlossaryTerm>

export const SkillPage = t.Object({
  slug: t.String(),
  url: t.String(),
  name: t.String(),
  trigger: t.String(),
  description: t.String(),
  category: t.String(),
  tags: t.Array(t.String()),
  toolsUsed: t.Array(t.String()),
  estimatedTime: t.String(),
  prompt: t.String(),
})
export type SkillPage = Static<typeof SkillPage>

export const Skills = t.Object({ skills: t.Array(SkillPage), ...pageFields })
export type Skills = Static<typeof Skills>

export const ThesesQuery = query({
  ...listParams(),
  sort: param.oneOf(['recent', 'confidence', 'return'], 'recent', {
    description: 'order of the theses',
  }),
  asOf: param.asOf(),
})
export type ThesesQuery = ReadQuery<typeof ThesesQuery>
export const Theses = t.Object({ theses: t.Array(PublicThesisRow), ...pageFields })
export type Theses = Static<typeof Theses>

export const GuideQuery = query(
  {
    q: param.text('your goal, at least 2 characters'),
    intent: param.text('slug of an intent; takes precedence over q'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ q, intent }) => {
    if (intent === null && q !== null && q.length < 2) {
      throw new InvalidInput('q required (min 2 chars)')
    }
  },
)
export type GuideQuery = ReadQuery<typeof GuideQuery>

const intentFields = { slug: t.String(), title: t.String(), summary: t.String() }
export const Guide = t.Object({
  query: nullable(t.String()),
  intent: nullable(t.Object(intentFields)),
  intents: t.Array(t.Object({ ...intentFields, url: t.String() })),
  steps: t.Array(
    t.Object({
      order: t.Integer(),
      title: t.String(),
      tool: t.String(),
      method: t.String(),
      url: t.String(),
      why: t.String(),
      example: t.Optional(
        t.String({ description: 'ticker in the address: replace it with your market' }),
      ),
    }),
  ),
  tools: t.Array(t.String()),
  skills: t.Array(t.String()),
  nextActions: t.Optional(t.Object({ start: t.Array(Action) })),
})
export type Guide = Static<typeof Guide>
export type GuideIntent = NonNullable<Guide['intent']>
export type GuideStep = Guide['steps'][number]

export const IntentMissing = t.Object({
  error: t.String(),
  code: t.String(),
  intents: t.Array(t.String(), { description: 'existing ones' }),
})
