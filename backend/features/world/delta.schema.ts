import { t } from 'elysia'
import { CHANGE_KINDS } from '../../domain/world/delta.ts'
import { VenueWord } from '../../http/market-ref.ts'
import * as param from '../../http/params.ts'
import type { Param } from '../../http/params.ts'
import { query } from '../../http/query.ts'
import type { ReadQuery } from '../../http/query.ts'
import { Action, Iso, nullable, Num, words } from '../../http/schemas.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { FORMATS, Mover, type AskedSince } from './world.schema.ts'

const REFUSAL = 'since required (Nm, Nh, Nd or ISO timestamp)'

const requiredSince = (): Param<AskedSince> => ({
  schema: { type: 'string', description: 'Duration back from now (Nm, Nh, Nd) or ISO 8601 time' },
  required: true,
  read(sent, name) {
    if (sent === undefined) throw new InvalidInput(REFUSAL)
    try {
      return { since: param.since('1h').read(sent, name), text: sent.trim() }
    } catch (error) {
      if (error instanceof InvalidInput) throw new InvalidInput(REFUSAL)
      throw error
    }
  },
})

export const DeltaQuery = query({
  since: requiredSince(),
  format: param.oneOf(FORMATS, 'markdown'),
  asOf: param.asOf(),
  nextActions: param.nextActions(),
})
export type DeltaQuery = ReadQuery<typeof DeltaQuery>

const value = nullable(t.Union([t.Number(), t.String()]))

export const DeltaBody = t.Object({
  from: Iso,
  to: Iso,
  changes: t.Array(
    t.Object({
      kind: words(CHANGE_KINDS),
      ticker: nullable(t.String()),
      label: t.String(),
      before: value,
      after: value,
      at: Iso,
      url: nullable(t.String()),
    }),
  ),
  indexDelta: t.Object({
    disagreement: Num,
    geoRisk: Num,
    breadth: Num,
    activity: Num,
    value: Num,
  }),
  movers: t.Object({
    added: t.Array(Mover),
    dropped: t.Array(t.Object({ ticker: t.String(), title: t.String() })),
  }),
  resolved: t.Array(
    t.Object({
      ticker: t.String(),
      venue: VenueWord,
      title: t.String(),
      result: words(['yes', 'no', 'scalar']),
      at: Iso,
    }),
  ),
  markdown: t.String(),
  latencyMs: t.Number(),
  nextActions: t.Optional(t.Object({ related: t.Array(Action) })),
})
