import type { ThesisStrategy } from '../../../../backend/contract/theses/holdings.ts'
import type { ServedThesis } from '../../../../backend/contract/theses/thesis.ts'
import { strategyProblem } from '../../../../backend/domain/theses/holdings.ts'
import { formatCents, formatNumber } from '../../../lib/format.ts'
import {
  numberOrText,
  textOrNull,
  type RowProblem,
  type RowField,
  type Values,
} from '../../portfolio/notes/row-form.ts'

const PRICES = ['entryBelow', 'entryAbove', 'stopLoss', 'takeProfit'] as const
const COUNTS = ['perOrderQuantity', 'maxQuantity', 'priority'] as const

const MARKET_FIELDS: readonly RowField[] = [
  { name: 'marketId', label: 'Market', kind: 'line', maxLength: 200, placeholder: 'KXFED-26DEC' },
  { name: 'direction', label: 'Side', kind: 'choice', choices: ['yes', 'no'] },
]
const RULE_FIELDS: readonly RowField[] = [
  { name: 'entryBelow', label: 'Buy at or below, ¢ of the side', kind: 'line', placeholder: '60' },
  { name: 'entryAbove', label: 'Or at or above, ¢ (optional)', kind: 'line' },
  { name: 'stopLoss', label: 'Stop, ¢ (optional)', kind: 'line' },
  { name: 'takeProfit', label: 'Target, ¢ (optional)', kind: 'line' },
  { name: 'perOrderQuantity', label: 'Contracts per order', kind: 'line', maxLength: 7 },
  { name: 'maxQuantity', label: 'Contracts in total', kind: 'line', maxLength: 7 },
  { name: 'priority', label: 'Priority, 0 to 100, high first', kind: 'line', maxLength: 3 },
  { name: 'horizon', label: 'Horizon', kind: 'choice', choices: ['short', 'medium', 'long'] },
  {
    name: 'softConditions',
    label: 'Wait for (optional): ticks buy nothing until you clear it',
    kind: 'text',
    maxLength: 2_000,
  },
  { name: 'rationale', label: 'Why (optional)', kind: 'text', maxLength: 2_000 },
]
/** Fields of the form; the market and the side of a strategy cannot change. */
export const fieldsOf = (row: ThesisStrategy | null): readonly RowField[] =>
  row === null ? [...MARKET_FIELDS, ...RULE_FIELDS] : RULE_FIELDS

const fieldText = (value: number | null): string => (value === null ? '' : String(value))

/** The values of a strategy; a new one starts at the largest edge of its thesis. */
export function valuesOf(row: ThesisStrategy | null, thesis: ServedThesis): Values {
  const [edge] = thesis.edgeAnalysis?.edges.filter(({ settled }) => !settled) ?? []
  if (row === null) {
    return {
      marketId: edge?.marketId ?? '',
      direction: edge?.direction ?? 'yes',
      entryBelow: '',
      entryAbove: '',
      stopLoss: '',
      takeProfit: '',
      perOrderQuantity: '50',
      maxQuantity: '500',
      priority: '50',
      horizon: 'medium',
      softConditions: '',
      rationale: '',
    }
  }
  return {
    entryBelow: fieldText(row.entryBelow),
    entryAbove: fieldText(row.entryAbove),
    stopLoss: fieldText(row.stopLoss),
    takeProfit: fieldText(row.takeProfit),
    perOrderQuantity: String(row.perOrderQuantity),
    maxQuantity: String(row.maxQuantity),
    priority: String(row.priority),
    horizon: row.horizon,
    softConditions: row.softConditions ?? '',
    rationale: row.rationale ?? '',
  }
}

/** A typed price in cents: null for an empty text, undefined for an invalid one. */
function typedPrice(text: string): number | null | undefined {
  if (text.trim() === '') return null
  const cents = /^\d+(\.\d{1,4})?$/.test(text.trim()) ? Number(text) : Number.NaN
  return cents > 0 && cents < 100 ? cents : undefined
}
const textIn = (values: Values, name: string): string => values[name] ?? ''

/** The request for the values. */
export const bodyOf = (values: Values): Readonly<Record<string, unknown>> => ({
  ...(values['marketId'] !== undefined && {
    marketId: values['marketId'].trim(),
    direction: values['direction'],
    createdBy: 'terminal',
  }),
  ...Object.fromEntries(PRICES.map((name) => [name, typedPrice(textIn(values, name))])),
  ...Object.fromEntries(COUNTS.map((name) => [name, numberOrText(textIn(values, name))])),
  horizon: values['horizon'],
  softConditions: textOrNull(textIn(values, 'softConditions')),
  rationale: textOrNull(textIn(values, 'rationale')),
})

/** The first wrong value by the rules of the service; null when the request can be sent. */
export function problemOf(values: Values): RowProblem | null {
  if (values['marketId']?.trim() === '') {
    return { field: 'marketId', text: 'Enter the ticker of a market.' }
  }
  for (const name of PRICES) {
    if (typedPrice(textIn(values, name)) === undefined) {
      return { field: name, text: 'Enter cents above 0 and below 100, such as 42 or 42.5.' }
    }
  }
  for (const name of COUNTS) {
    const count = numberOrText(textIn(values, name))
    const min = name === 'priority' ? 0 : 1
    const max = name === 'priority' ? 100 : 1_000_000
    if (typeof count === 'string' || count < min || count > max) {
      return {
        field: name,
        text: `Enter a whole number from ${min} to ${formatNumber(max, 0)}.`,
      }
    }
  }
  const problem = strategyProblem(typedRule(values))
  if (problem === null) return null
  const [name = ''] = /^\w+/.exec(problem) ?? []
  return { field: name, text: PROBLEM_TEXTS[name] ?? `${problem}.` }
}
const PROBLEM_TEXTS: Readonly<Record<string, string>> = {
  entryBelow: 'Enter the price at which the strategy buys, here or in the next field.',
  perOrderQuantity: 'An order cannot be larger than the contracts in total.',
  stopLoss: 'The stop must be below the price at which the strategy buys.',
  takeProfit: 'The target must be above the price at which the strategy buys.',
}

const typedRule = (values: Values) => ({
  entryBelow: typedPrice(textIn(values, 'entryBelow')) ?? null,
  entryAbove: typedPrice(textIn(values, 'entryAbove')) ?? null,
  stopLoss: typedPrice(textIn(values, 'stopLoss')) ?? null,
  takeProfit: typedPrice(textIn(values, 'takeProfit')) ?? null,
  perOrderQuantity: Number(textIn(values, 'perOrderQuantity')),
  maxQuantity: Number(textIn(values, 'maxQuantity')),
})

/** Effect of these values on ticks, shown before they are saved. */
export function sentenceOf(
  values: Values,
  row: ThesisStrategy | null,
  thesis: ServedThesis,
): string {
  const { entryBelow, entryAbove, stopLoss, takeProfit, perOrderQuantity, maxQuantity } =
    typedRule(values)
  const ticker = row?.marketId ?? textIn(values, 'marketId').trim()
  const edge = thesis.edgeAnalysis?.edges.find(({ marketId }) => marketId === ticker)
  const side = (row?.direction ?? textIn(values, 'direction')).toUpperCase()
  const entries = [
    ...(entryBelow === null ? [] : [`at or below ${formatCents(entryBelow)}`]),
    ...(entryAbove === null ? [] : [`at or above ${formatCents(entryAbove)}`]),
  ].join(' or ')
  const exits = [
    ...(stopLoss === null ? [] : [`at ${formatCents(stopLoss)} or less`]),
    ...(takeProfit === null ? [] : [`at ${formatCents(takeProfit)} or more`]),
  ].join(' and ')
  const sizes = `${formatNumber(perOrderQuantity, 0)} contracts per order and ${formatNumber(maxQuantity, 0)} in total`
  const waits =
    textIn(values, 'softConditions').trim() === ''
      ? ''
      : ' It buys nothing until “Wait for” is cleared.'
  const isTraded = thesis.status === 'active' && (row === null || row.status === 'active')
  const from = isTraded ? '' : ' once the thesis and the strategy are active'
  const verb = row === null ? 'Adds a strategy' : 'Changes the strategy'
  return `${verb}: ticks buy ${side} of “${row?.market ?? edge?.marketTitle ?? ticker}” ${entries}, ${sizes}${from}${
    exits === '' ? '' : `; they sell ${exits}`
  }. Within your limits.${waits}`
}

/** State as the table shows it: a strategy that ticks do not follow is paused. */
export const stateOf = ({ status }: Pick<ThesisStrategy, 'status'>): string =>
  status === 'watching' ? 'paused' : status
