import { t } from 'elysia'
import type { Static } from 'elysia'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import { Iso, nullable, Num, words } from '../../http/schemas.ts'

export const Health = t.Object({
  status: t.Literal('ok'),
  service: t.Literal('augury'),
  version: t.String(),
  source: nullable(words(['live', 'demo', 'replay', 'none'] as const)),
  uptimeSeconds: t.Integer(),
  time: Iso,
})
export type Health = Static<typeof Health>

export const StatusQuery = query({ format: param.oneOf(['html', 'json'] as const, null) })

const Word = words(['operational', 'degraded', 'outage'])
export const Status = t.Object({
  status: Word,
  components: t.Array(
    t.Object({
      name: t.String(),
      status: Word,
      lastOkAt: nullable(Iso),
      dataAgeSeconds: Num,
      message: nullable(t.String()),
    }),
  ),
  incidents: t.Array(
    t.Object({
      id: t.String(),
      title: t.String(),
      impact: t.String(),
      startedAt: Iso,
      resolvedAt: nullable(Iso),
      updates: t.Array(t.Object({ at: Iso, text: t.String() })),
      postmortemUrl: nullable(t.String()),
    }),
  ),
  updatedAt: Iso,
})
export type Status = Static<typeof Status>
