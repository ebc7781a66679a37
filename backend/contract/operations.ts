import { t } from 'elysia'
import type { Static } from 'elysia'
import { VenueEnum } from './market.ts'
import * as param from './params.ts'
import { query } from './query-schema.ts'
import { Iso, Num, nullable, stringEnum } from './schemas.ts'
import { COVERAGE_FEEDS } from '../domain/coverage-feed.ts'
import { JOB_STATES } from '../domain/job-state.ts'
import { byVenue } from '../domain/venue.ts'

export const Health = t.Object({
  status: t.Literal('ok', { description: 'the process is running' }),
  condition: stringEnum(['operational', 'degraded', 'outage'] as const),
  service: t.Literal('augury'),
  version: t.String(),
  source: nullable(stringEnum(['live', 'demo', 'replay', 'none'] as const)),
  uptimeSeconds: t.Integer(),
  time: Iso,
})
export type Health = Static<typeof Health>
export type DataSource = NonNullable<Health['source']>

export const StatusQuery = query({ format: param.format(['html', 'json'] as const, null) })

const ComponentStatusEnum = stringEnum(['operational', 'degraded', 'outage'])
export const Status = t.Object({
  status: ComponentStatusEnum,
  components: t.Array(
    t.Object({
      name: t.String(),
      status: ComponentStatusEnum,
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
export type ComponentStatus = Status['status']
export type StatusComponent = Status['components'][number]

export const Feed = t.Object({
  venue: VenueEnum,
  feed: stringEnum(COVERAGE_FEEDS),
  /** How data of the venue arrives now; null when nothing collects it. */
  mode: nullable(stringEnum(['stream', 'polling', 'down'] as const)),
  lag: nullable(
    t.Object(
      {
        medianMs: t.Integer(),
        p95Ms: t.Integer(),
        rows: t.Integer({ description: 'rows of the last quarter of an hour' }),
      },
      { description: 'from the venue’s time to the time of receipt' },
    ),
  ),
  gaps: t.Object(
    { found: t.Integer(), unrepaired: t.Integer(), open: t.Integer() },
    { description: 'of the last seven days: all, unrepaired, and open' },
  ),
  requests: nullable(t.Integer({ description: 'requests to the venue since the start' })),
  failures: nullable(t.Integer({ description: 'failed requests' })),
  refusedRows: nullable(t.Integer({ description: 'unreadable rows since the start' })),
})
export type Feed = Static<typeof Feed>

export const Doctor = t.Object({
  ok: t.Boolean(),
  checks: t.Array(
    t.Object({
      name: t.String(),
      state: stringEnum(['ok', 'warn', 'fail'] as const),
      detail: t.String(),
      fix: nullable(t.String({ description: 'what to do' })),
    }),
  ),
  providers: t.Array(t.Object({ name: t.String(), configured: t.Boolean() }), {
    description: 'access to outside providers',
  }),
  feeds: t.Array(Feed),
  folder: t.Object(
    { path: t.String(), bytes: t.Integer({ description: 'total of all files' }) },
    { description: 'the data folder' },
  ),
})
export type Doctor = Static<typeof Doctor>

export const StartBackup = t.Object({
  out: t.String({ minLength: 1, description: 'absolute; a new or empty folder' }),
  force: t.Optional(t.Boolean({ description: 'replace an existing older backup' })),
  withSecrets: t.Optional(t.Boolean({ description: 'includes the keys of `secrets/`' })),
})
export type StartBackup = Static<typeof StartBackup>

export const BackupStarted = t.Object({ id: t.String() }, { description: 'the backup has started' })
export const BackupCancelled = t.Object({ ok: t.Literal(true) })
export const BackupId = t.Object({ id: t.String({ description: 'backup, from its start' }) })

export const BackupRun = t.Object({
  id: t.String(),
  state: stringEnum(JOB_STATES),
  out: t.String(),
  at: nullable(Iso),
  filesDone: t.Integer(),
  filesAll: nullable(t.Integer({ description: 'day files; null until they are counted' })),
  rows: t.Integer(),
  bytes: t.Integer(),
  error: nullable(t.String()),
  startedAt: nullable(Iso),
  endedAt: nullable(Iso),
})
export type BackupRun = Static<typeof BackupRun>

const Models = t.Object({
  cheap: t.String(),
  medium: t.Optional(t.String()),
  heavy: t.Optional(t.String()),
})

/** Access to a provider as administrators see it; its key is in no answer. */
export const Provider = t.Object({
  name: t.String(),
  configured: t.Boolean(),
  source: nullable(stringEnum(['environment', 'stored'] as const)),
  url: nullable(t.String()),
  hasKey: t.Boolean(),
  models: nullable(Models),
})
export type Provider = Static<typeof Provider>

export const ProviderName = t.Object({
  name: t.String({ description: '`llm`: the language model' }),
})
const TokenPrice = t.Object({
  input: t.Number({ description: 'dollars per million input tokens, 0 to 10000' }),
  output: t.Number({ description: 'dollars per million output tokens, 0 to 10000' }),
})
export const ProviderAccess = t.Object({
  url: t.String({ description: 'base address of a chat completions endpoint' }),
  key: t.Optional(nullable(t.String())),
  models: Models,
  prices: t.Optional(
    t.Object({
      cheap: t.Optional(TokenPrice),
      medium: t.Optional(TokenPrice),
      heavy: t.Optional(TokenPrice),
    }),
  ),
})
export type ProviderAccess = Static<typeof ProviderAccess>
export const Liveness = t.Object({ status: t.Literal('ok') })
export type Liveness = Static<typeof Liveness>

const Check = t.Object({
  ok: t.Boolean(),
  message: nullable(t.String()),
  ageSeconds: Num,
})

const Checks = t.Object({
  database: Check,
  history: Check,
  ...byVenue(() => Check),
  computed: Check,
})
export type Checks = Static<typeof Checks>

export const Ready = t.Object({ status: t.Literal('ready'), checks: Checks })
export const NotReadyYet = t.Object({
  status: t.Literal('not_ready'),
  error: t.String(),
  code: t.Literal('NOT_READY'),
  checks: Checks,
})
export type Readiness = Static<typeof Ready> | Static<typeof NotReadyYet>
