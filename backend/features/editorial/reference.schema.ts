import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { PublicThesisRow } from '../../http/read-schemas.ts'
import { Action, nullable } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { format, listParams } from './editorial.params.ts'

export const pageFields = {
  count: t.Integer(),
  total: t.Integer(),
  limit: t.Integer(),
  offset: t.Integer(),
}
export const SlugParam = t.Object({ slug: t.String() })

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
  sort: param.oneOf(['recent', 'confidence', 'return'], 'recent'),
  asOf: param.asOf(),
})
export type ThesesQuery = ReadQuery<typeof ThesesQuery>
export const Theses = t.Object({ theses: t.Array(PublicThesisRow), ...pageFields })
export type Theses = Static<typeof Theses>

export const GuideQuery = query(
  {
    q: param.text('what you want, at least 2 characters'),
    intent: param.text('slug of an intent; goes before q'),
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
    }),
  ),
  tools: t.Array(t.String()),
  skills: t.Array(t.String()),
  nextActions: t.Optional(t.Object({ start: t.Array(Action) })),
})
export type Guide = Static<typeof Guide>

export const IntentMissing = t.Object({
  error: t.String(),
  code: t.String(),
  intents: t.Array(t.String(), { description: 'those that exist' }),
})
