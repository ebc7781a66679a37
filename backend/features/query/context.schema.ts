import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Highlight, Mover, TradQuote } from '../../http/read-schemas.ts'
import { Action, Iso } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'

export const ContextQuery = query(
  {
    compact: param.flag('only edges, highlights and traditional'),
    q: param.text('every word must occur; at least 2 characters'),
    asOf: param.asOf(),
    nextActions: param.nextActions(),
  },
  ({ q }) => {
    if (q !== null && q.length < 2) throw new InvalidInput('q required (min 2 chars)')
  },
)
export type ContextQuery = ReadQuery<typeof ContextQuery>

const compactFields = {
  edges: t.Array(t.Record(t.String(), t.Unknown()), { description: 'rows of /api/edges' }),
  highlights: t.Array(Highlight),
  traditional: t.Array(TradQuote),
}
export const ContextCompact = t.Object(compactFields)
export type ContextCompact = Static<typeof ContextCompact>
export const ContextFull = t.Object({
  generatedAt: Iso,
  nextRefreshAt: Iso,
  ...compactFields,
  movers: t.Array(Mover),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
})
export type ContextFull = Static<typeof ContextFull>
export const ContextAnswer = t.Union([ContextFull, ContextCompact])
