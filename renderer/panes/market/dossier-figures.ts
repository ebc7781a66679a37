import type { Dossier } from '../../../backend/contract/inspect.ts'
import type { Indicators } from '../../../backend/contract/market.ts'
import { formatCents, formatNumber, formatPercent } from '../../lib/format.ts'
import type { Figure } from '../parts/figure.ts'

type Text = (value: number) => string
const ROWS: readonly (readonly [
  key: keyof Indicators,
  name: string,
  text: Text,
  help: string,
  term: string,
])[] = [
  ['adjIy', 'Adjusted yield', formatPercent, 'Annual yield after the spread', 'adjusted-yield'],
  ['ee', 'Expected edge', formatCents, 'Thesis price minus market price', 'expected-edge'],
  ['cvr', 'Venue ratio', formatNumber, 'Price relative to the other venue', 'cross-venue-ratio'],
  ['iar', 'Changes per hour', formatNumber, 'Price changes per hour', 'change-rate'],
  [
    'residualVr',
    'Unexplained surprise',
    formatNumber,
    'Unexplained volume surprise',
    'residual-surprise',
  ],
  ['expectedVr', 'Expected surprise', formatNumber, 'Expected volume surprise', 'volume-surprise'],
  ['daysToEvent', 'Days to event', formatNumber, 'Days to the deciding event', 'days-to-event'],
]

/** Indicators that only the dossier contains; an unknown one is an en dash. */
export const dossierFigures = ({ indicators }: Pick<Dossier, 'indicators'>): readonly Figure[] =>
  ROWS.map(([key, name, text, help, term]) => {
    const value = indicators[key]
    return { name, help, term, value: typeof value === 'number' ? text(value) : '–' }
  })
