import type { Dossier } from '../../../backend/contract/inspect.ts'
import type { Indicators } from '../../../backend/contract/market.ts'
import { formatDelta, formatNumber, formatPercent } from '../../lib/format.ts'
import type { Figure } from '../parts/figure.ts'

type Text = (value: number) => string
const deviations: Text = (value) => `${formatNumber(value)}σ`

const MISSING_HELP = 'Not computed: too little history or no book'

/** Indicators that every market has. */
export function marketFigures(indicators: Indicators): readonly Figure[] {
  const relative = typeof indicators.las === 'number' ? indicators.las * 100 : null
  const rows: readonly (readonly [name: string, value: string, help: string, term: string])[] = [
    [
      'Yield YES',
      formatPercent(indicators.iyYes),
      'Annual yield, held to settlement',
      'implied-yield',
    ],
    [
      'Yield NO',
      formatPercent(indicators.iyNo),
      'Annual yield, held to settlement',
      'implied-yield',
    ],
    [
      'Cliff ratio',
      formatNumber(indicators.cri),
      'Larger side of the price over the smaller',
      'cliff-ratio',
    ],
    ['Relative spread', formatPercent(relative), 'Spread as a share of the price', 'las'],
    [
      'Overround',
      formatDelta(indicators.overround),
      'Sum of the asks of all outcomes, minus 100¢',
      'overround',
    ],
    [
      'Realised vol',
      formatPercent(indicators.rv),
      'Last 48 hours, annualised',
      'realised-volatility',
    ],
    [
      'Volume surprise',
      typeof indicators.vr === 'number' ? deviations(indicators.vr) : '–',
      '24-hour volume relative to its usual level',
      'volume-surprise',
    ],
  ]
  return rows.map(([name, value, help, term]) => ({
    name,
    value,
    term,
    help: value === '–' ? MISSING_HELP : help,
  }))
}

const ROWS: readonly (readonly [
  key: keyof Indicators,
  name: string,
  text: Text,
  help: string,
  term: string,
])[] = [
  ['adjIy', 'Adjusted yield', formatPercent, 'Annual yield after the spread', 'adjusted-yield'],
  ['ee', 'Expected edge', formatDelta, 'Thesis price minus market price', 'expected-edge'],
  ['cvr', 'Venue ratio', formatNumber, 'Price relative to the other venue', 'cross-venue-ratio'],
  ['iar', 'Changes per hour', formatNumber, 'Price changes per hour', 'change-rate'],
  [
    'residualVr',
    'Unexplained surprise',
    deviations,
    'Volume surprise that no known event explains',
    'residual-surprise',
  ],
  [
    'expectedVr',
    'Expected surprise',
    deviations,
    'Volume surprise that the next event explains',
    'volume-surprise',
  ],
  ['daysToEvent', 'Days to event', formatNumber, 'Days to the deciding event', 'days-to-event'],
]

/** Indicators that only the dossier contains; an unknown one is an en dash. */
export const dossierFigures = ({ indicators }: Pick<Dossier, 'indicators'>): readonly Figure[] =>
  ROWS.map(([key, name, text, help, term]) => {
    const value = indicators[key]
    return { name, help, term, value: typeof value === 'number' ? text(value) : '–' }
  })
