import {
  NUMBER_BOUNDS,
  PAPER_FILL_RULES,
  INTEGER_BOUNDS,
  type PortfolioConfig,
} from '../../../backend/domain/portfolio/config.ts'
import { formatNumber } from '../../lib/format.ts'
import { typedNumber } from '../../lib/typed-number.ts'
import { money } from './portfolio-labels.ts'

/** Fields of a configuration that a form changes; the switches and the mode have their own keys. */
export type LimitName = Exclude<
  keyof PortfolioConfig,
  'enabled' | 'executionMode' | 'tickIntervalMinutes'
>

/**
 * How a value is written: `share` is a fraction written as a percentage, `list` texts between
 * commas, `flag` yes or no.
 */
type Kind = 'money' | 'number' | 'share' | 'list' | 'text' | 'choice' | 'flag'

export interface LimitField {
  readonly name: LimitName
  readonly label: string
  readonly kind: Kind
  /** Unit beside the field. */
  readonly unit: string
  readonly help: string
  readonly choices: readonly string[]
}

const field = (
  name: LimitName,
  label: string,
  kind: Kind,
  unit: string,
  help: string,
  choices: readonly string[] = [],
): LimitField => ({ name, label, kind, unit, help, choices })

export const LIMIT_GROUPS: readonly {
  readonly title: string
  readonly fields: readonly LimitField[]
}[] = [
  {
    title: 'Orders',
    fields: [
      field('maxSingleOrderCents', 'Max order cost', 'money', '$', 'with fees'),
      field(
        'maxOrdersPerTick',
        'Max orders per tick',
        'number',
        'orders',
        'also the limit per minute for intents',
      ),
      field(
        'cooldownAfterLossTicks',
        'Pause after a loss',
        'number',
        'ticks',
        'without entries after a losing exit',
      ),
    ],
  },
  {
    title: 'Account',
    fields: [
      field('maxTotalExposureCents', 'Max exposure', 'money', '$', 'cost of all open positions'),
      field('maxPerMarketCents', 'Max exposure per market', 'money', '$', 'cost of one position'),
      field('maxPositions', 'Max positions', 'number', 'markets', 'open at the same time'),
      field(
        'minBalanceCents',
        'Cash reserve',
        'money',
        '$',
        'entries that would go below it are rejected',
      ),
      field(
        'maxDailyLossCents',
        'Max daily loss',
        'money',
        '$',
        'in a UTC day; then entries are rejected',
      ),
      field(
        'drawdownWarnCents',
        'Drawdown warning',
        'money',
        '$',
        'below the highest equity: a warning appears',
      ),
      field(
        'maxDrawdownHaltCents',
        'Drawdown halt',
        'money',
        '$',
        'below the highest equity: trading halts',
      ),
    ],
  },
  {
    title: 'Entries',
    fields: [
      field(
        'excludeCategories',
        'Excluded categories',
        'list',
        'comma-separated',
        'no entries in their markets',
      ),
      field(
        'minTauDays',
        'Min time to close',
        'number',
        'days',
        'no entries in markets that close earlier',
      ),
      field('minAdjIy', 'Min yield', 'number', '%', 'adjusted implied yield, annual'),
      field('maxLas', 'Max spread', 'number', 'LAS', 'liquidity-adjusted spread'),
      field('minEdgeCents', 'Min edge', 'number', '¢', 'of the thesis; 0 accepts any'),
      field('minThesisConfidence', 'Min confidence', 'share', '%', 'of the thesis; 0: any'),
      field('crossVenuePairsEnabled', 'Cross-venue pairs', 'flag', '', 'trade both venues', [
        'no',
        'yes',
      ]),
    ],
  },
  {
    title: 'Schedule and paper account',
    fields: [
      field(
        'cronExpression',
        'Schedule',
        'text',
        'cron, Pacific time',
        'minute hour day month weekday',
      ),
      field('decisionModel', 'Decision model', 'text', '', 'rules, or the name of a model'),
      field(
        'monthlyModelBudgetUsd',
        'Model budget',
        'number',
        'USD per month',
        'then the rules decide; 0: no limit',
      ),
      field('paperStartBalanceCents', 'Start balance', 'money', '$', 'of the paper account'),
      field(
        'paperFill',
        'Paper fills',
        'choice',
        '',
        'touch: best price only; cross: up to five levels',
        PAPER_FILL_RULES,
      ),
    ],
  },
]
const FIELDS = LIMIT_GROUPS.flatMap(({ fields }) => fields)

/** The fields that change something, by group: those without effect are left out. */
export const groupsInEffect = (withoutEffect: readonly string[]): typeof LIMIT_GROUPS =>
  LIMIT_GROUPS.map(({ title, fields }) => ({
    title,
    fields: fields.filter(({ name }) => !withoutEffect.includes(name)),
  }))

/** A message of the service with the labels of fields in place of their names. */
export const withFieldLabels = (message: string): string =>
  message.replaceAll(
    /\b[a-z]+[A-Z]\w+\b/g,
    (name) => FIELDS.find((field) => field.name === name)?.label ?? name,
  )

export type LimitValue = PortfolioConfig[LimitName]

/** The text of a value in its form field: `200` for 20,000 cents. */
export function fieldText({ kind }: LimitField, value: LimitValue): string {
  if (kind === 'list') return (value as readonly string[]).join(', ')
  if (kind === 'flag') return value === true ? 'yes' : 'no'
  if (kind === 'money') return String(Number(value) / 100)
  return kind === 'share' ? String(Number((Number(value) * 100).toFixed(6))) : String(value)
}

/** A value for reading, with its unit. */
export function limitText(field: LimitField, value: LimitValue): string {
  const { kind, unit } = field
  if (kind === 'money') return money(Number(value))
  if (kind !== 'number' && kind !== 'share') return fieldText(field, value) || 'none'
  const text = formatNumber(kind === 'share' ? Number(value) * 100 : Number(value))
  return unit === '%' || unit === '¢' ? `${text}${unit}` : `${text} ${unit}`
}

/** The value of a form field; or what is wrong with it. */
export type ReadField = { readonly value: LimitValue } | { readonly problem: string }

export function readField(field: LimitField, text: string): ReadField {
  const { name, kind } = field
  const input = text.trim()
  if (kind === 'list') {
    return {
      value: input
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    }
  }
  if (kind === 'flag') return { value: input === 'yes' }
  if (kind === 'text' || kind === 'choice') {
    return input === '' ? { problem: 'is required' } : { value: input }
  }
  const number = typedNumber(input.replace(/^\$/, ''))
  if (number === null) return { problem: 'must be a number' }
  const value =
    kind === 'money'
      ? Number((number * 100).toFixed(6))
      : kind === 'share'
        ? Number((number / 100).toFixed(8))
        : number
  const [min, max] = INTEGER_BOUNDS[name] ?? NUMBER_BOUNDS[name] ?? [0, Infinity]
  if (value < min || value > max) {
    return { problem: `must be from ${limitText(field, min)} to ${limitText(field, max)}` }
  }
  if (INTEGER_BOUNDS[name] !== undefined && !Number.isInteger(value)) {
    return { problem: kind === 'money' ? 'must be in whole cents' : 'must be a whole number' }
  }
  return { value }
}

/** Description of a change, for the confirmation: `Max order cost $50.00 → $80.00`. */
export const changeText = (field: LimitField, before: LimitValue, after: LimitValue): string =>
  `${field.label} ${limitText(field, before)} → ${limitText(field, after)}`

/** The field of a service error, and its text with the labels of the form; null for other errors. */
export function problemOf(
  message: string,
): { readonly name: LimitName; readonly problem: string } | null {
  const [first = ''] = message.split(' ')
  const field = FIELDS.find(({ name }) => name === first)
  if (field === undefined) return null
  return { name: field.name, problem: withFieldLabels(message.slice(first.length).trim()) }
}
