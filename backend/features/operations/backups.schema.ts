import { t, type Static } from 'elysia'
import { Iso, nullable, words } from '../../http/schemas.ts'
import { JOB_STATES } from '../../lib/job-queue.ts'

export const StartBackup = t.Object({
  out: t.String({ minLength: 1, description: 'absolute; a folder that is new or empty' }),
  force: t.Optional(t.Boolean({ description: 'replace an older backup that stands there' })),
  withSecrets: t.Optional(t.Boolean({ description: 'the keys of `secrets/` as well' })),
})
export type StartBackup = Static<typeof StartBackup>

export const BackupStarted = t.Object({ id: t.String() }, { description: 'the backup has begun' })
export const BackupCancelled = t.Object({ ok: t.Literal(true) })
export const BackupId = t.Object({ id: t.String() })

export const BackupRun = t.Object({
  id: t.String(),
  state: words(JOB_STATES),
  out: t.String(),
  at: nullable(Iso),
  filesDone: t.Integer(),
  filesAll: nullable(t.Integer({ description: 'files of days; null until they are counted' })),
  rows: t.Integer(),
  bytes: t.Integer(),
  error: nullable(t.String()),
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type BackupRun = Static<typeof BackupRun>
