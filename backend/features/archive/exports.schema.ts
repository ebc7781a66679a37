import { t, type Static } from 'elysia'
import { TIMEFRAMES } from '../../domain/candle.ts'
import { Iso, nullable, words } from '../../http/schemas.ts'
import { JOB_STATES } from '../../lib/job-queue.ts'

export const EXPORT_FORMATS = ['parquet', 'csv', 'json'] as const
const KINDS = ['trades', 'quotes', 'candles', 'book', 'snapshots'] as const

export const StartExport = t.Object({
  out: t.String({
    minLength: 1,
    maxLength: 4096,
    description:
      'file or folder inside the data folder’s exports, which relative paths start from, or a folder of AUGURY_EXPORT_DIRS',
  }),
  markets: t.Optional(
    t.Array(t.String({ minLength: 1 }), { minItems: 1, maxItems: 10_000, description: 'tickers' }),
  ),
  topic: t.Optional(t.String({ minLength: 1 })),
  venue: t.Optional(words(['venue_a', 'venue_b'])),
  kind: t.Optional(words(KINDS)),
  from: t.Optional(t.String({ description: 'ISO 8601; venue time, rows at it are exported' })),
  to: t.Optional(t.String({ description: 'ISO 8601; venue time, rows at it are not exported' })),
  format: words(EXPORT_FORMATS),
  tf: t.Optional(words(TIMEFRAMES)),
  force: t.Optional(t.Boolean({ description: 'replace files that exist' })),
})
export type StartExport = Static<typeof StartExport>

export const ExportStarted = t.Object({ id: t.String() }, { description: 'the export is queued' })
export const ExportCancelled = t.Object({ ok: t.Literal(true) })
export const ExportId = t.Object({ id: t.String() })

export const ExportRun = t.Object({
  id: t.String(),
  state: words(JOB_STATES),
  rows: t.Integer({ description: 'written so far, facts of markets among them' }),
  bytes: t.Integer({ description: 'of the files written so far' }),
  files: t.Array(t.String(), { description: 'absolute paths; they stand once the export is done' }),
  error: nullable(t.String()),
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type ExportRun = Static<typeof ExportRun>
