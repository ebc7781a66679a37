import { t } from 'elysia'
import type { Static } from 'elysia'
import { Iso, nullable, integer, stringEnum } from './schemas.ts'
import { JOB_STATES } from '../domain/job-state.ts'
import { TIMEFRAMES } from '../domain/prices/candle.ts'
import { VENUES } from '../domain/venue.ts'

/** Far above what people write by hand. */
const MAX_STATEMENT_LENGTH = 100_000
export const MAX_ROWS = 100_000
export const DEFAULT_ROWS = 10_000

export const AskSql = t.Object({
  sql: t.String({
    minLength: 1,
    maxLength: MAX_STATEMENT_LENGTH,
    description: 'one SELECT over the documented views',
  }),
  maxRows: t.Optional(
    integer({ minimum: 1, maximum: MAX_ROWS, description: `${DEFAULT_ROWS} when absent` }),
  ),
})
export type AskSql = Static<typeof AskSql>

export const SqlAnswer = t.Object({
  columns: t.Array(t.Object({ name: t.String(), type: t.String() })),
  rows: t.Array(t.Array(t.Unknown()), {
    description:
      'values in the order of the columns: instants in ISO 8601, whole numbers beyond 2^53 as text, NaN and infinity as null',
  }),
  truncated: t.Boolean({ description: 'more rows exist than the response contains' }),
})
export type SqlAnswer = Static<typeof SqlAnswer>

export const StartImport = t.Object({
  paths: t.Array(t.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'absolute; a folder means all files below it',
  }),
  // A list of words would make its first one the default of a field that may be left out.
  venue: t.Optional(t.Union(VENUES.map((venue) => t.Literal(venue)))),
  kind: t.Optional(t.String({ description: 'name of the layout; detected when absent' })),
  dryRun: t.Optional(t.Boolean({ description: 'read and count, store nothing' })),
  strict: t.Optional(t.Boolean({ description: 'store nothing of a file with an invalid row' })),
})
export type StartImport = Static<typeof StartImport>

export const ImportStarted = t.Object({ id: t.String() }, { description: 'the import is queued' })
export const ImportCancelled = t.Object({ ok: t.Literal(true) })
export const ImportId = t.Object({ id: t.String({ description: 'import, from its start' }) })

const ImportedFile = t.Object({
  path: t.String(),
  layout: nullable(t.String()),
  rowsTaken: t.Integer(),
  rowsTakenBefore: t.Optional(
    t.Integer({ description: 'of rowsTaken, those stored before the service was interrupted' }),
  ),
  rowsKnown: t.Integer(),
  rowsUndescribed: t.Optional(
    t.Integer({ description: 'of these rows, those of markets without a description' }),
  ),
  marketsUndescribed: t.Optional(
    t.Integer({ description: 'number of those markets; they are listed by their ids' }),
  ),
  rowsRefused: t.Integer(),
  reasons: t.Array(t.Object({ reason: t.String(), count: t.Integer(), firstRow: t.Integer() })),
  error: nullable(t.String()),
})

export const ImportRun = t.Object({
  id: t.String(),
  state: stringEnum(JOB_STATES),
  files: t.Array(ImportedFile, { description: 'in the order of the request' }),
  interruptions: t.Integer({
    description: 'how often the service stopped during the import, which resumed each time',
  }),
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type ImportRun = Static<typeof ImportRun>

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
  venue: t.Optional(stringEnum(VENUES)),
  kind: t.Optional(stringEnum(KINDS)),
  from: t.Optional(t.String({ description: 'ISO 8601; first venue time to export' })),
  to: t.Optional(t.String({ description: 'ISO 8601; end of the venue time to export, exclusive' })),
  format: stringEnum(EXPORT_FORMATS),
  tf: t.Optional(stringEnum(TIMEFRAMES)),
  force: t.Optional(t.Boolean({ description: 'replace files that exist' })),
})
export type StartExport = Static<typeof StartExport>

export const ExportStarted = t.Object({ id: t.String() }, { description: 'the export is queued' })
export const ExportCancelled = t.Object({ ok: t.Literal(true) })
export const ExportId = t.Object({ id: t.String({ description: 'export, from its start' }) })

export const ExportRun = t.Object({
  id: t.String(),
  state: stringEnum(JOB_STATES),
  rows: t.Integer({ description: 'written so far, including market facts' }),
  bytes: t.Integer({ description: 'of the files written so far' }),
  files: t.Array(t.String(), { description: 'absolute paths; complete once the export is done' }),
  error: nullable(t.String()),
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type ExportRun = Static<typeof ExportRun>
