import type { GaugeName } from '../../api/world-types.ts'
import { formatNumber, MISSING } from '../../lib/format.ts'

/** A gauge of the world, or their sum, as the panes name it. */
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
  help: 'The gauges in one number, 0 to 100',
  term: 'index-value',
}
export const GAUGES: readonly (GaugeSpec & { readonly name: GaugeName })[] = [
  {
    name: 'disagreement',
    label: 'Disagreement',
    help: 'How much prices jump about within the hour, 0 to 100',
    term: 'disagreement',
  },
  {
    name: 'geoRisk',
    label: 'Geo risk',
    help: 'Whether risk contracts move towards worse outcomes, 0 to 100',
    term: 'geo-risk',
  },
  {
    name: 'breadth',
    label: 'Breadth',
    help: 'Whether more markets rose than fell by 10¢ in a day, −1 to 1',
    term: 'breadth',
  },
  {
    name: 'activity',
    label: 'Activity',
    help: 'Repricings of the day against those of the days before, 0 to 100',
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
