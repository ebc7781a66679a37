import type { Dossier } from '../../api/world-types.ts'
import { formatCents, formatNumber, formatPercent } from '../../lib/format.ts'
import type { Figure } from '../parts/figure.ts'

type Text = (value: number) => string
const ROWS: readonly (readonly [
  key: string,
  name: string,
  text: Text,
  help: string,
  term: string,
])[] = [
  ['adjIy', 'Adjusted yield', formatPercent, 'Yearly yield after the spread', 'adjusted-yield'],
  ['ee', 'Expected edge', formatCents, 'What theses expect beyond the price', 'expected-edge'],
  ['cvr', 'Venue ratio', formatNumber, 'Against the other venue', 'cross-venue-ratio'],
  ['iar', 'Changes an hour', formatNumber, 'Price changes an hour', 'change-rate'],
  ['residualVr', 'Unexplained', formatNumber, 'Volume surprise unexplained', 'residual-surprise'],
  ['expectedVr', 'Expected surprise', formatNumber, 'Volume surprise expected', 'volume-surprise'],
  ['daysToEvent', 'Days to event', formatNumber, 'To the deciding event', 'days-to-event'],
]

/** Indicators that only the dossier has; an unknown one is an en dash. */
export const dossierFigures = ({ indicators }: Pick<Dossier, 'indicators'>): readonly Figure[] =>
  ROWS.map(([key, name, text, help, term]) => {
    const value = indicators[key]
    return { name, help, term, value: typeof value === 'number' ? text(value) : '–' }
  })
