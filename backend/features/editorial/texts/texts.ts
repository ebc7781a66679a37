import { Type as t } from '@sinclair/typebox'
import type { Static, TArray, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import glossary from './glossary.json' with { type: 'json' }
import guide from './guide.json' with { type: 'json' }
import skills from './skills.json' with { type: 'json' }

/** Pages of docs/methodology and their titles. */
export const TERM_CATEGORIES = {
  prices: 'Prices',
  yields: 'Yields and ratios',
  liquidity: 'Liquidity',
  activity: 'Activity and surprise',
  'adverse-selection': 'Adverse selection',
  trend: 'Trend and technicals',
  index: 'The index',
  world: 'The world',
  links: 'Links and venues',
  edges: 'Edges and suggestions',
  lists: 'Lists and records',
  answers: 'Answers in words',
} as const
export type TermCategory = keyof typeof TERM_CATEGORIES
const CATEGORIES = Object.keys(TERM_CATEGORIES) as TermCategory[]

const exact = { additionalProperties: false }
const list = (description: string) => t.Array(t.String(), { description, default: [] })
const optionalText = () => t.Union([t.String(), t.Null()], { default: null })

const Term = t.Object(
  {
    slug: t.String(),
    term: t.String(),
    category: t.Union(CATEGORIES.map((category) => t.Literal(category))),
    short: t.String({ description: 'one sentence' }),
    body: t.String({ description: 'what it is and how it is computed' }),
    formula: optionalText(),
    example: optionalText(),
    limits: t.String(),
    aliases: list('other names'),
    seeAlso: list('slugs of related terms'),
    fields: list('field names under which responses serve it'),
  },
  exact,
)
/** A glossary term; the glossary, search and the pages of docs/methodology are generated from it. */
export type Term = Static<typeof Term>

const Skill = t.Object(
  {
    slug: t.String(),
    name: t.String(),
    trigger: t.String(),
    description: t.String(),
    category: t.String(),
    tags: t.Array(t.String()),
    toolsUsed: t.Array(t.String(), { description: 'canonical names of tools' }),
    estimatedTime: t.String(),
    prompt: t.Array(t.String(), { description: 'lines' }),
  },
  exact,
)
/** A workflow that an agent can follow. */
export type Skill = Omit<Static<typeof Skill>, 'prompt'> & { readonly prompt: string }

const GuideStep = t.Object(
  {
    title: t.String(),
    tool: t.String({ description: 'canonical name' }),
    method: t.Union([t.Literal('GET'), t.Literal('POST')], { default: 'GET' }),
    path: t.String({ description: '{ticker} is replaced by the ticker of a market' }),
    query: t.Record(t.String(), t.String(), {
      default: {},
      description: '{ticker} is replaced by the ticker of a market, {yesterday} by a day ago',
    }),
    why: t.String(),
  },
  exact,
)
const GuideIntent = t.Object(
  {
    slug: t.String(),
    title: t.String(),
    summary: t.String(),
    words: t.String({ description: 'search terms in addition to title and summary' }),
    steps: t.Array(GuideStep),
    skills: t.Array(t.String(), { description: 'slugs of skills with the same goal' }),
  },
  exact,
)
/** A user's goal and the steps to reach it: each a tool of the registry, its route and the reason for it. */
export type GuideIntent = Static<typeof GuideIntent>

/** Fills in defaults and checks every row. @throws AssertError naming the field that is wrong */
function read<Row extends TSchema>(schema: TArray<Row>, rows: unknown): Static<Row>[] {
  const completedRows = Value.Default(schema, rows)
  Value.Assert(schema, completedRows)
  return completedRows
}

/** Every term in the order of its page. */
export const TERMS: readonly Term[] = read(t.Array(Term), glossary)
/** By category, then name. */
export const SKILLS: readonly Skill[] = read(t.Array(Skill), skills).map((skill) => ({
  ...skill,
  prompt: skill.prompt.join('\n'),
}))
export const GUIDE_INTENTS: readonly GuideIntent[] = read(t.Array(GuideIntent), guide)
