import type { BoardTier, Panel } from '../../../backend/contract/panels/panels.ts'
import type { PanelSpec } from '../../../backend/contract/panels/panel-spec.ts'
import { LABELS } from '../../../backend/contract/panels/panel-names.ts'
import type { PresetId, Visualization } from '../../../backend/contract/panels/panel-names.ts'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { SUBJECTS, type PanelSubject } from '../../shell/commands/watch/watch-commands.ts'

/** How presets are drawn by default; others are tables. */
const VISUALIZATION_OF: Readonly<Partial<Record<PresetId, Visualization>>> = {
  sf_index_24h: 'line',
  liquidity_by_theme: 'bar',
  cross_venue_contagion: 'list',
  calendar_catalysts: 'list',
}

export const nameOf = ({ id }: PanelSubject): string => LABELS[id]
/** The drawing of a panel without a chosen one. */
export const defaultVisualization = (subject: PanelSubject): Visualization =>
  (subject.kind === 'preset' ? VISUALIZATION_OF[subject.id] : undefined) ?? 'table'

/** The word of the command line for a panel's content. */
export const wordOf = (subject: PanelSubject): string =>
  Object.keys(SUBJECTS).find((word) => {
    const candidate = SUBJECTS[word]
    return candidate?.kind === subject.kind && candidate.id === subject.id
  }) ?? ''

export function subjectOf({ preset, sources }: PanelSpec): PanelSubject {
  if (preset !== undefined) return { kind: 'preset', id: preset.id }
  return { kind: 'screen', id: sources?.[0] ?? 'latest_market_prices' }
}

/** Which filters a panel applies: only screens over prices and watchlists have any. */
export const appliedFilters = ({ kind, id }: PanelSubject): 'all' | 'tickers' | 'none' => {
  if (kind === 'screen') return id === 'latest_market_prices' ? 'all' : 'none'
  return id === 'watchlist_microstructure' ? 'tickers' : 'none'
}

/** A length of time in its largest whole unit: `5 s`, `90 s`, `5 min`, `1 h`. */
export function spanLabel(seconds: number): string {
  const roundedSeconds = Math.round(seconds * 10) / 10
  if (roundedSeconds >= 3_600 && roundedSeconds % 3_600 === 0) return `${roundedSeconds / 3_600} h`
  if (roundedSeconds >= 60 && roundedSeconds % 60 === 0) return `${roundedSeconds / 60} min`
  return `${formatNumber(roundedSeconds, 1)} s`
}

/** `2 of 3 panels, 1 of 1 screens, refresh at least 5 min`. */
export const tierLine = (tier: BoardTier): string =>
  [
    `${tier.currentPanelCount} of ${tier.panelCap} panels`,
    `${tier.currentScreenPanelCount} of ${tier.screenPanelCap} screens`,
    `refresh at least ${spanLabel(tier.minRefreshSeconds)}`,
  ].join(', ')

export const cadenceSeconds = ({ schedule }: PanelSpec): number | null =>
  schedule?.mode === 'interval' && schedule.cadenceMinutes !== undefined
    ? schedule.cadenceMinutes * 60
    : null

/** Height of a line of a card, px: slightly less than a table row. */
export const cardLine = ({ rowHeight }: { readonly rowHeight: number }): number =>
  Math.max(20, rowHeight - 4)

/** How a panel is refreshed. */
export function scheduleLabel({ spec, status, refreshFloorSeconds }: Panel): string {
  const cadence = cadenceSeconds(spec)
  if (cadence === null) return 'manual'
  if (status === 'paused') return 'schedule paused'
  return `every ${spanLabel(Math.max(cadence, refreshFloorSeconds))}`
}

/** Filters of a screen; empty for a panel that applies none. */
export function filterLabel(spec: PanelSpec): string {
  const filterSupport = appliedFilters(subjectOf(spec))
  const { probability, window, tickers = [] } = spec.filters ?? {}
  const { min, max } = probability ?? {}
  const bounds =
    min === undefined && max === undefined
      ? []
      : [`${formatPercent((min ?? 0) * 100)} to ${formatPercent((max ?? 1) * 100)}`]
  const tickerCount =
    tickers.length === 0 ? [] : [tickers.length === 1 ? '1 ticker' : `${tickers.length} tickers`]
  if (filterSupport === 'none') return ''
  return [
    ...(filterSupport === 'all' ? [...bounds, ...(window === undefined ? [] : [window])] : []),
    ...tickerCount,
  ].join(', ')
}
