import { t } from 'elysia'
import type { Static } from 'elysia'
import { Idea } from '../../http/idea.ts'
import { MarketRef } from '../../http/market-ref.ts'
import { MarketRow } from '../../http/market-schemas.ts'
import * as param from '../../http/params.ts'
import type { Param } from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Catalyst, ContentItem, Gauges, Mover, PublicThesisRow } from '../../http/read-schemas.ts'
import { Action, Cents, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { BRIEFING_SECTIONS } from '../../domain/answers/briefing.ts'
import type { BriefingSection } from '../../domain/answers/briefing.ts'
import { DAY, HOUR } from '../../domain/units.ts'
import { FORMATS } from './editorial.params.ts'

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
  leader: nullable(t.Object({ label: t.String(), ticker: t.String(), price: Cents })),
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
  schema: { type: 'string', enum: [...BRIEFING_WINDOWS.keys()], default: '24h' },
  read: (text) => {
    const word = text?.trim().toLowerCase() ?? ''
    return BRIEFING_WINDOWS.has(word) ? word : '24h'
  },
}

export const BriefingQuery = query({
  topic: param.text('topic, group, series or words; segments with /'),
  window,
  compact: param.flag('three rows a section'),
  format: param.oneOf(FORMATS, 'json'),
  asOf: param.asOf(),
})
export type BriefingQuery = ReadQuery<typeof BriefingQuery>

const sectionKeys = Object.keys(BRIEFING_SECTIONS) as [BriefingSection, ...BriefingSection[]]
export const Briefing = t.Object({
  topic: nullable(t.String()),
  window: t.String(),
  from: Iso,
  to: Iso,
  headline: t.String(),
  summary: t.String(),
  sections: t.Array(
    t.Object({
      key: words(sectionKeys),
      title: t.String(),
      lines: t.Array(t.String()),
      items: t.Array(MarketRef),
    }),
  ),
  movers: t.Array(Mover),
  upcoming: t.Array(Catalyst),
  markdown: t.String(),
  generatedBy: words(['model', 'template']),
  generatedAt: Iso,
})
export type Briefing = Static<typeof Briefing>
