import type { SalientItem, SalientType } from '../../../backend/contract/world.ts'
import {
  formatCents,
  formatCount,
  formatDelta,
  formatMoment,
  formatNumber,
  shortTicker,
} from '../../lib/format.ts'
import type { Figure } from '../parts/figure.ts'
import { gaugeText, GAUGES } from './gauges.ts'

/** Name and glossary term of each type of item. */
export const ITEM_TYPES: Readonly<
  Record<SalientType, { readonly label: string; readonly term: string }>
> = {
  regime_shift: { label: 'regime shift', term: 'regime-shift' },
  divergence: { label: 'divergence', term: 'contagion' },
  resolving_soon: { label: 'resolving soon', term: 'resolving-soon' },
  residual: { label: 'unexplained', term: 'residual-surprise' },
  novel: { label: 'new market', term: 'novel-market' },
  consensus_break: { label: 'off consensus', term: 'consensus-break' },
}

type FormatNumber = (value: number) => string
const hours: FormatNumber = (value) => `${formatNumber(value, 1)} h`

const NUMBERS: Readonly<
  Record<string, readonly [name: string, format: FormatNumber, term?: string]>
> = {
  price: ['Price', formatCents],
  change24h: ['24h', formatDelta],
  residualVr: ['Unexplained surprise', (value) => `${formatNumber(value)}σ`, 'residual-surprise'],
  vr: ['Volume surprise', (value) => `${formatNumber(value)}σ`, 'volume-surprise'],
  volume24h: ['Vol 24h', formatCount],
  cri: ['Cliff ratio', formatNumber, 'cliff-ratio'],
  hoursToClose: ['Time to close', hours],
  ageHours: ['Listed for', hours],
  siblings: ['Same event', formatNumber],
  consensusPrice: ['Consensus', formatCents, 'consensus-break'],
  deviation: ['Off consensus', formatDelta],
  gap: ['Expected move', formatDelta, 'contagion'],
}
const TEXTS: Readonly<Record<string, string>> = {
  eventTitle: 'Event',
  scheduledCatalyst: 'Catalyst',
  theme: 'Theme',
  relation: 'Relation',
  basis: 'Consensus of',
}
const TIMES: Readonly<Record<string, string>> = {
  closeTime: 'Closes',
  firstSeenAt: 'First seen',
  since: 'Since',
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null)

/** A gauge that moved, in its own scale. */
function shiftFigures(body: SalientItem['body']): Figure[] {
  const gauge = GAUGES.find(({ name }) => name === body['gauge'])
  if (gauge === undefined) return []
  const text = (name: string) => gaugeText(gauge.name, numberOf(body[name]))
  return [
    { name: gauge.label, value: `${text('from')} → ${text('to')}`, term: gauge.term },
    { name: 'Before', value: textOf(body['fromLabel']) ?? '–' },
    { name: 'Now', value: textOf(body['toLabel']) ?? '–' },
  ]
}

/** The facts of an item as named figures; unknown numbers are an en dash. */
export function itemFigures({ type, body }: SalientItem, now: number): readonly Figure[] {
  const sides = (['lhs', 'rhs'] as const).flatMap((side): Figure[] => {
    const leg = body[side]
    if (!isRecord(leg)) return []
    const name = side === 'lhs' ? 'Leads' : 'Follows'
    return [{ name, value: formatDelta(numberOf(leg['delta'])), help: textOf(leg['name']) ?? '' }]
  })
  const bodyFigures = Object.entries(body).flatMap(([key, value]): Figure[] => {
    const number = NUMBERS[key]
    if (number !== undefined) {
      const [name, format, term] = number
      const figure = { name, value: typeof value === 'number' ? format(value) : '–' }
      return [term === undefined ? figure : { ...figure, term }]
    }
    const time = TIMES[key]
    if (time !== undefined) return [{ name: time, value: formatMoment(textOf(value), now) }]
    const label = TEXTS[key]
    const text = textOf(value)
    return label === undefined || text === null
      ? []
      : [{ name: label, value: text.replaceAll('_', ' '), help: text }]
  })
  return [...(type === 'regime_shift' ? shiftFigures(body) : []), ...sides, ...bodyFigures]
}

/** Markets of an item, its own market first. */
export function tickersOf({ body }: SalientItem): readonly string[] {
  const marketTickers = [body['ticker'], body['triggerTicker'], body['laggingTicker']]
  const drivers = Array.isArray(body['drivers']) ? (body['drivers'] as readonly unknown[]) : []
  const driverTickers = drivers.filter(isRecord).map((driver) => driver['ticker'])
  const tickers = [...marketTickers, ...driverTickers]
    .map(textOf)
    .filter((ticker) => ticker !== null)
  return [...new Set(tickers)]
}

/** Markets of an item, for buttons: ticker and label. */
export const itemMarkets = (
  item: SalientItem,
): readonly { readonly ticker: string; readonly name: string }[] => {
  const { body } = item
  const names = new Map<string, string>()
  const collect = (value: unknown, key: string) => {
    if (!isRecord(value)) return
    const [ticker, name] = [textOf(value['ticker']), textOf(value[key])]
    if (ticker !== null && name !== null) names.set(ticker, name)
  }
  collect(body, 'title')
  collect(body['lhs'], 'name')
  collect(body['rhs'], 'name')
  if (Array.isArray(body['drivers'])) for (const driver of body['drivers']) collect(driver, 'title')
  return tickersOf(item).map((ticker) => ({
    ticker,
    name: names.get(ticker) ?? shortTicker(ticker),
  }))
}
