import { t } from 'elysia'
import type { Static } from 'elysia'
import { Catalyst, Idea } from './edges.ts'
import { Gauges, Leader } from './indices.ts'
import { Indicators, MarketRef, MarketRow, Mover, VenueEnum } from './market.ts'
import * as param from './params.ts'
import type { Param } from './params.ts'
import { query } from './query-schema.ts'
import type { ReadQuery } from './query-schema.ts'
import { ContentItem } from './query.ts'
import { FORMATS, PublicThesisRow, listParams, pageFields } from './reference.ts'
import { Action, Cents, Iso, Num, nullable, stringEnum } from './schemas.ts'
import { BRIEFING_SECTIONS } from '../domain/answers/briefing.ts'
import type { BriefingSection as SectionKey } from '../domain/answers/briefing.ts'
import { DAY, HOUR } from '../domain/units.ts'

export const TopicPage = t.Object({
  slug: t.String(),
  label: t.String(),
  summary: t.String(),
  gauges: Gauges,
  regimeLabel: t.String(),
  markets: t.Array(MarketRow, { description: '20, most traded first' }),
  movers: t.Array(Mover),
  calendar: t.Array(Catalyst),
  theses: t.Array(PublicThesisRow),
  ideas: t.Array(Idea),
  opinions: t.Array(ContentItem),
  legislation: t.Array(t.Unknown(), { description: 'empty without a government source' }),
  related: t.Array(Action),
  generatedAt: Iso,
})
export type TopicPage = Static<typeof TopicPage>

export const AnswerPage = t.Object({
  slug: t.String(),
  question: t.String(),
  answer: t.String(),
  price: Cents,
  leader: nullable(Leader),
  delta24h: Num,
  delta7d: Num,
  markets: t.Array(MarketRef),
  drivers: t.Array(t.String()),
  updatedAt: Iso,
  sources: t.Array(t.Object({ title: t.String(), url: t.String() })),
})
export type AnswerPage = Static<typeof AnswerPage>

/** Windows of a briefing in milliseconds. */
export const BRIEFING_WINDOWS: ReadonlyMap<string, number> = new Map([
  ['1h', HOUR],
  ['6h', 6 * HOUR],
  ['12h', 12 * HOUR],
  ['24h', DAY],
  ['48h', 2 * DAY],
  ['72h', 3 * DAY],
  ['7d', 7 * DAY],
  ['30d', 30 * DAY],
])

/** Any other word means a day. */
const window: Param<string> = {
  schema: {
    type: 'string',
    enum: [...BRIEFING_WINDOWS.keys()],
    default: '24h',
    description: 'how far back the briefing looks',
  },
  read: (text) => {
    const word = text?.trim().toLowerCase() ?? ''
    return BRIEFING_WINDOWS.has(word) ? word : '24h'
  },
}

export const BriefingQuery = query({
  topic: param.text('topic, group, series or keywords; / separates levels'),
  window,
  compact: param.flag('three rows per section'),
  format: param.format(FORMATS, 'json'),
  asOf: param.asOf(),
})
export type BriefingQuery = ReadQuery<typeof BriefingQuery>

const sectionKeys = Object.keys(BRIEFING_SECTIONS) as [SectionKey, ...SectionKey[]]
export const Briefing = t.Object({
  topic: nullable(t.String()),
  window: t.String(),
  from: Iso,
  to: Iso,
  headline: t.String(),
  summary: t.String(),
  sections: t.Array(
    t.Object({
      key: stringEnum(sectionKeys),
      title: t.String(),
      lines: t.Array(t.String()),
      items: t.Array(MarketRef),
    }),
  ),
  movers: t.Array(Mover),
  upcoming: t.Array(Catalyst),
  markdown: t.String(),
  generatedBy: stringEnum(['model', 'template']),
  generatedAt: Iso,
})
export type Briefing = Static<typeof Briefing>
export type BriefingSection = Briefing['sections'][number]

export const TechnicalsQuery = query({
  ...listParams(),
  topic: param.text('topic or group'),
  venue: param.venue(),
  asOf: param.asOf(),
})
export type TechnicalsQuery = ReadQuery<typeof TechnicalsQuery>

const technicalFields = {
  slug: t.String(),
  ticker: t.String(),
  venue: VenueEnum,
  title: t.String(),
  price: Cents,
  trend: stringEnum(['up', 'down', 'flat']),
  momentum: nullable(t.Number({ description: 'cents per day' })),
  rv: Num,
  volumeZ: Num,
  breakout: nullable(stringEnum(['up', 'down'])),
  strength: t.Number({ description: '0 to 1' }),
  summary: t.String(),
  url: t.String(),
  asOf: Iso,
}

export const TechRow = t.Object(technicalFields)
export type TechRow = Static<typeof TechRow>

export const Technicals = t.Object({ technicals: t.Array(TechRow), ...pageFields })
export type Technicals = Static<typeof Technicals>

export const TechPage = t.Object({
  ...technicalFields,
  levels: t.Array(
    t.Object({
      price: t.Number(),
      kind: stringEnum(['support', 'resistance']),
      touches: t.Integer(),
    }),
  ),
  series: t.Array(t.Object({ date: t.String(), price: Cents, volume: Num }), {
    description: '30 days, oldest first; volume in dollars',
  }),
  indicators: Indicators,
  note: t.String(),
})
export type TechPage = Static<typeof TechPage>

export const OpinionsQuery = query({
  ...listParams(),
  topic: param.text('topic or group'),
  ticker: param.text('market of the opinion'),
  asOf: param.asOf(),
})
export type OpinionsQuery = ReadQuery<typeof OpinionsQuery>

const opinionFields = {
  slug: t.String(),
  title: t.String(),
  author: t.String(),
  generatedBy: stringEnum(['editor', 'model', 'rule']),
  stance: stringEnum(['yes', 'no', 'neutral']),
  summary: t.String(),
  tickers: t.Array(t.String()),
  topics: t.Array(t.String()),
  publishedAt: Iso,
  url: t.String(),
}

export const OpinionRow = t.Object(opinionFields)
export type OpinionRow = Static<typeof OpinionRow>

export const Opinions = t.Object({ opinions: t.Array(OpinionRow), ...pageFields })
export type Opinions = Static<typeof Opinions>

export const OpinionPage = t.Object({
  ...opinionFields,
  body: t.String({ description: 'markdown' }),
  markets: t.Array(MarketRef),
})
export type OpinionPage = Static<typeof OpinionPage>
