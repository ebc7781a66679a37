import { t } from 'elysia'
import type { Static } from 'elysia'
import {
  PANEL_KINDS,
  PRESET_IDS,
  SCHEDULE_MODES,
  SCREEN_SOURCES,
  SCREEN_WINDOWS,
  VISUALIZATIONS,
} from './panel-names.ts'
import type { PresetId, ScreenSource } from './panel-names.ts'
import { stringEnum } from '../schemas.ts'

export const PanelFilters = t.Object({
  probability: t.Optional(
    t.Object(
      { min: t.Optional(t.Number()), max: t.Optional(t.Number()) },
      { description: '0 to 1' },
    ),
  ),
  window: t.Optional(stringEnum(SCREEN_WINDOWS)),
  tickers: t.Optional(t.Array(t.String(), { description: 'in their canonical form, at most 25' })),
})
export type PanelFilters = Static<typeof PanelFilters>

export const PanelSpec = t.Object({
  version: t.Literal(1),
  kind: stringEnum(PANEL_KINDS),
  title: t.Optional(t.String()),
  preset: t.Optional(t.Object({ id: stringEnum(PRESET_IDS) })),
  sources: t.Optional(t.Array(stringEnum(SCREEN_SOURCES), { description: 'exactly one' })),
  filters: t.Optional(PanelFilters),
  display: t.Object({ visualization: stringEnum(VISUALIZATIONS) }),
  schedule: t.Optional(
    t.Object({ mode: stringEnum(SCHEDULE_MODES), cadenceMinutes: t.Optional(t.Number()) }),
  ),
})
/** A spec as sent. */
export const NewPanelSpec = t.Object({
  ...PanelSpec.properties,
  version: t.Optional(t.Literal(1)),
})
export type PanelSpec = Static<typeof PanelSpec>

/** Content of a panel: a preset, or the one source of a screen. */
export function subjectOf(spec: PanelSpec): PresetId | ScreenSource {
  const subject = spec.kind === 'preset' ? spec.preset?.id : spec.sources?.[0]
  if (subject === undefined) throw new Error('a stored panel names neither preset nor source')
  return subject
}

/** Requested seconds between two refreshes; null for manual refresh. */
export function cadenceSecondsOf({ schedule }: PanelSpec): number | null {
  const minutes = schedule?.mode === 'interval' ? schedule.cadenceMinutes : undefined
  return minutes === undefined ? null : minutes * 60
}
