import type { GaugeName } from '../../../backend/contract/indices.ts'
import { formatNumber, MISSING } from '../../lib/format.ts'

/** A gauge of the world, or the index of all gauges, with its display name. */
export interface GaugeSpec {
  readonly name: GaugeName | 'value'
  readonly label: string
  readonly help: string
  /** Slug of the glossary. */
  readonly term: string
}

export const INDEX_VALUE: GaugeSpec = {
  name: 'value',
  label: 'Index',
  help: 'All gauges combined, 0 to 100',
  term: 'index-value',
}
export const GAUGES: readonly (GaugeSpec & { readonly name: GaugeName })[] = [
  {
    name: 'disagreement',
    label: 'Disagreement',
    help: 'Price movement within the hour, 0 to 100',
    term: 'disagreement',
  },
  {
    name: 'geoRisk',
    label: 'Geo risk',
    help: 'Movement of risk contracts towards worse outcomes, 0 to 100',
    term: 'geo-risk',
  },
  {
    name: 'breadth',
    label: 'Breadth',
    help: 'Markets that rose minus markets that fell by 10¢ in a day, −1 to 1',
    term: 'breadth',
  },
  {
    name: 'activity',
    label: 'Activity',
    help: 'Repricings of the last day relative to earlier days, 0 to 100',
    term: 'activity',
  },
]

/** A number with its sign, `+3`, `−0.04`; zero has none. */
export function formatSigned(value: number | null | undefined, places = 2): string {
  if (value === null || value === undefined) return MISSING
  const text = formatNumber(value, places)
  return value > 0 && text !== '0' ? `+${text}` : text
}

/** A gauge as text: breadth as a signed share, the others as points of 100. */
export const gaugeText = (name: GaugeName | 'value', value: number | null | undefined): string =>
  name === 'breadth' ? formatSigned(value) : formatNumber(value, 1)
