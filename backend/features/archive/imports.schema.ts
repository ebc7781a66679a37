import { t, type Static } from 'elysia'
import { Iso, nullable, words } from '../../http/schemas.ts'
import { JOB_STATES } from '../../lib/job-queue.ts'

export const StartImport = t.Object({
  paths: t.Array(t.String({ minLength: 1 }), {
    minItems: 1,
    maxItems: 1000,
    description: 'absolute; a folder stands for the files below it',
  }),
  // A list of words would make its first one the default of a field that may be left out.
  venue: t.Optional(t.Union([t.Literal('venue_a'), t.Literal('venue_b')])),
  kind: t.Optional(t.String({ description: 'name of the layout, where it shall not be detected' })),
  dryRun: t.Optional(t.Boolean({ description: 'read and count, store nothing' })),
  strict: t.Optional(t.Boolean({ description: 'take nothing of a file that has a refused row' })),
})
export type StartImport = Static<typeof StartImport>

export const ImportStarted = t.Object({ id: t.String() }, { description: 'the import is queued' })
export const ImportCancelled = t.Object({ ok: t.Literal(true) })
export const ImportId = t.Object({ id: t.String() })

const ImportedFile = t.Object({
  path: t.String(),
  layout: nullable(t.String()),
  rowsTaken: t.Integer(),
  rowsKnown: t.Integer(),
  rowsRefused: t.Integer(),
  reasons: t.Array(t.Object({ reason: t.String(), count: t.Integer(), firstRow: t.Integer() })),
  error: nullable(t.String()),
})

export const ImportRun = t.Object({
  id: t.String(),
  state: words(JOB_STATES),
  files: t.Array(ImportedFile, { description: 'in the order of the request' }),
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type ImportRun = Static<typeof ImportRun>
