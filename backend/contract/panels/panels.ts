import { t } from 'elysia'
import type { Static } from 'elysia'
import { ContagionLink, ThemeLiquidity } from '../indices.ts'
import { Mover } from '../market.ts'
import {
  PANEL_KINDS,
  PANEL_STATUSES,
  PRESET_IDS,
  CAP_REASONS,
  COOLDOWN,
  RUN_FAILED,
  RUN_PUT_OFF,
  SPEC_REASONS,
  UNKNOWN_PANEL,
} from './panel-names.ts'
import { IndexPoint, PanelPayload, RegimeBucket, SourceHealth } from './panel-payloads.ts'
import { NewPanelSpec, PanelSpec } from './panel-spec.ts'
import { Iso, Num, failures, nullable, stringEnum } from '../schemas.ts'

export const PanelId = t.Object({ id: t.String({ description: 'panel, pnl_…' }) })

export const NewPanel = t.Object({ title: t.Optional(t.String()), spec: NewPanelSpec })
export const PanelChange = t.Object({
  title: t.Optional(t.String()),
  spec: t.Optional(NewPanelSpec),
  status: t.Optional(stringEnum(PANEL_STATUSES)),
  sortIdx: t.Optional(t.Integer()),
})
export const PanelOrder = t.Object({
  order: t.Array(t.Object({ id: t.String(), sortIdx: t.Integer() })),
})

export const PanelHead = t.Object({
  id: t.String({ description: 'pnl_…' }),
  title: t.String(),
  kind: stringEnum(PANEL_KINDS),
  status: stringEnum(PANEL_STATUSES),
  sortIdx: t.Integer(),
  refreshFloorSeconds: t.Integer(),
})
export type PanelHead = Static<typeof PanelHead>

export const SourceClock = t.Object({
  source: t.String(),
  asOf: nullable(t.String({ format: 'date-time', description: 'receipt of the newest data' })),
  ageSeconds: Num,
  stale: t.Boolean(),
})
export type SourceClock = Static<typeof SourceClock>

export const CACHE_STATES = ['fresh', 'stale', 'miss', 'bypass'] as const
export type CacheState = (typeof CACHE_STATES)[number]
export const EXECUTION_STATUSES = [
  'success-fresh',
  'success-stale',
  'success-miss',
  'success-bypass',
  'error-stale',
  'error-miss',
  'pending',
] as const
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number]

export const Panel = t.Object({
  ...PanelHead.properties,
  spec: PanelSpec,
  createdAt: Iso,
  updatedAt: Iso,
  lastRunAt: nullable(Iso),
  lastError: nullable(t.Object({ at: Iso, reason: t.String(), message: t.String() })),
  nextRunAt: nullable(Iso),
  cooldownUntil: nullable(Iso),
  payload: nullable(PanelPayload),
  sourceClock: nullable(SourceClock),
  cacheState: stringEnum(CACHE_STATES),
  executionStatus: stringEnum(EXECUTION_STATUSES),
})
export type Panel = Static<typeof Panel>

export const Hydration = t.Object({
  dashboard: t.Object({
    id: t.String({ description: 'dsh_…' }),
    name: t.String(),
    isDefault: t.Literal(true),
    layout: t.Object({
      columns: t.Literal(12),
      items: t.Array(
        t.Object({
          panelId: t.String(),
          x: t.Integer(),
          y: t.Integer(),
          w: t.Literal(4),
          h: t.Literal(4),
        }),
        { description: 'three per row, in the order of the panels' },
      ),
    }),
  }),
  panels: t.Array(Panel, { description: 'by sortIdx, then createdAt, then id' }),
  panes: t.Object({
    servedAt: Iso,
    indexSeries: t.Array(IndexPoint, { description: '24 hours, ascending' }),
    themes: t.Array(ThemeLiquidity, { description: 'at most 10' }),
    regimeBuckets: t.Array(RegimeBucket),
    contagion: t.Array(ContagionLink, { description: 'at most 10' }),
    movers: t.Array(Mover, { description: 'at most 10' }),
    sources: t.Array(SourceHealth),
  }),
  tier: t.Object({
    panelCap: t.Integer(),
    screenPanelCap: t.Integer(),
    minRefreshSeconds: t.Integer(),
    manualRefreshCooldownSeconds: t.Integer(),
    currentPanelCount: t.Integer(),
    currentScreenPanelCount: t.Integer(),
    name: stringEnum(['free', 'hobby', 'pro', 'institutional']),
  }),
  generatedAt: Iso,
})
export type Hydration = Static<typeof Hydration>
export type BoardTier = Hydration['tier']

export const PanelCreated = t.Object({ panel: PanelHead })
export type PanelCreated = Static<typeof PanelCreated>

export const PanelChanged = t.Object({
  panel: t.Object({ ...PanelHead.properties, spec: PanelSpec }),
})
export type PanelChanged = Static<typeof PanelChanged>

export const PanelRemoved = t.Object({ ok: t.Literal(true) })
export type PanelRemoved = Static<typeof PanelRemoved>

const Place = t.Object({ id: t.String(), sortIdx: t.Integer() })

export const PanelsReordered = t.Object({
  ok: t.Literal(true),
  order: t.Array(Place, { description: 'all panels, in the new order' }),
})
export type PanelsReordered = Static<typeof PanelsReordered>

export const PanelRun = t.Object({
  panelId: t.String(),
  status: stringEnum(['success-miss', 'success-bypass']),
  payload: PanelPayload,
  sourceClock: SourceClock,
  generatedAt: Iso,
  runId: t.String({ description: 'run_…' }),
})
export type PanelRun = Static<typeof PanelRun>

export const MarketWatchHealth = t.Object({
  panels_by_status_kind: t.Array(
    t.Object({
      status: stringEnum(PANEL_STATUSES),
      kind: stringEnum(PANEL_KINDS),
      count: t.Integer(),
    }),
  ),
  presets_active: t.Array(t.Object({ id: stringEnum(PRESET_IDS), count: t.Integer() })),
  runs_last_24h: t.Object({
    total: t.Integer(),
    success: t.Integer(),
    error: t.Integer(),
    manual: t.Integer(),
    scheduled: t.Integer(),
    p50_ms: Num,
    p95_ms: Num,
  }),
  recent_errors: t.Array(
    t.Object({
      at: Iso,
      panel_id: t.String(),
      run_id: t.String(),
      kind: t.String({ description: 'preset or source' }),
      reason: t.String(),
      message: t.String(),
    }),
    { description: 'of 24 hours, newest first, at most 20' },
  ),
  generatedAt: Iso,
})
export type MarketWatchHealth = Static<typeof MarketWatchHealth>

const because = <const R extends readonly [string, ...string[]]>(reasons: R) => ({
  reason: stringEnum(reasons),
  error: t.String(),
})

const code = t.Optional(t.String())
const upgrade = t.Optional(t.Object({ url: t.String() }))
const plain = failures(400, 403, 404, 429, 500, 503)
const { description: invalid = '' } = plain[400]

/** Refusals have a reason; those that every route may give keep their code instead. */
const REFUSALS = {
  400: t.Union(
    [
      t.Object({
        ...because(SPEC_REASONS),
        upgrade,
        minRefreshSeconds: t.Optional(t.Integer()),
        field: t.Optional(t.String({ description: 'dotted path of the invalid field' })),
      }),
      plain[400],
    ],
    { description: invalid },
  ),
  401: t.Object(
    { ...because(['not_authenticated']), code: t.String() },
    { description: 'only the session cookie is accepted: it is missing or expired' },
  ),
  403: t.Union(
    [
      t.Object({
        ...because([...CAP_REASONS, 'not_admin']),
        code,
        upgrade,
        cap: t.Optional(t.Integer()),
        current: t.Optional(t.Integer()),
      }),
      plain[403],
    ],
    { description: 'a limit of the tier is reached, or the requester lacks permission' },
  ),
  404: t.Union(
    [t.Object({ ...because([UNKNOWN_PANEL]), ids: t.Optional(t.Array(t.String())) }), plain[404]],
    {
      description: 'the requester has no such panel',
    },
  ),
  429: t.Union(
    [t.Object({ ...because([COOLDOWN]), upgrade, retryAfterSeconds: t.Integer() }), plain[429]],
    {
      description: 'the panel was run a moment ago, or too many requests',
    },
  ),
  500: t.Union([t.Object({ ...because([RUN_FAILED]), runId: t.String() }), plain[500]], {
    description: 'the panel could not be computed',
  }),
  503: t.Union(
    [t.Object({ ...because(RUN_PUT_OFF), code, runId: t.Optional(t.String()) }), plain[503]],
    {
      description: 'no run ended in time, or the first data is not loaded yet',
    },
  ),
} as const

/** The refusals of a route of market watch by status. */
export const refusals = <const S extends readonly (keyof typeof REFUSALS)[]>(...statuses: S) =>
  Object.fromEntries(statuses.map((status) => [status, REFUSALS[status]])) as Pick<
    typeof REFUSALS,
    S[number]
  >
