import type { Filter, FilterValue, Operator, ParseProblem } from './command.ts'
import type { CommandSpec, FilterSpec } from './commands.ts'
import { nearest } from '../../../backend/domain/text/nearest.ts'
import type { Token } from './tokens.ts'

const FILTER = /^([a-z][a-z0-9_.]*)(!=|>=|<=|=|>|<)(.*)$/i
const NUMBER = /^(\d+(?:\.\d+)?)([kmc%]?)$/i
const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, c: 1, '%': 1 }
const SPAN = /^(?:0|[1-9]\d{0,5})(?:\.\d{1,4})?[smhd]$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Whether a word has the shape name, operator, value. */
export const readsAsFilter = (text: string): boolean => FILTER.test(text)

/**
 * One filter of a verb: `vol24h>1k`, `price=20..60`, `expires<2026-12-01`. Numbers accept the
 * suffixes k, m, c and %; names and values are checked against the verb's row.
 */
export function parseFilter(spec: CommandSpec, token: Token): Filter | ParseProblem {
  const [, word = '', sign = '', rest = ''] = FILTER.exec(token.text) ?? []
  const name = word.toLowerCase()
  const filter = spec.filters.find(
    (candidate) => candidate.name === name || candidate.alias === name,
  )
  const names = spec.filters.map((filter) => `${filter.name}=`)
  if (filter === undefined && spec.takesParams !== undefined)
    return paramOf(word, sign, rest, token)
  if (filter === undefined) {
    const message =
      names.length === 0 ? `${spec.verb} accepts no filters` : `${spec.verb} has no filter ${name}`
    return { at: token.at, message, expected: nearest(name, names) }
  }
  const operator = sign as Operator
  const at = token.at + word.length
  if (operator === '!=') return { at, message: '!= is not supported; use =', expected: ['='] }
  if (filter.kind !== 'number' && filter.kind !== 'date' && operator !== '=') {
    return { at, message: `${filter.name} accepts only =`, expected: ['='] }
  }
  const value = valueOf(filter, rest)
  if (value === null) {
    return {
      at: at + sign.length,
      message: `${filter.name} needs ${expectedValue(filter)}`,
      expected: nearest(rest, filter.values ?? []),
    }
  }
  if (value.kind === 'range' && operator !== '=') {
    return { at, message: 'A range accepts only =', expected: ['='] }
  }
  return { name: filter.name, operator, value }
}

/** Names of parameters belong to the strategy, and stay as typed. */
const paramOf = (name: string, sign: string, text: string, { at }: Token): Filter | ParseProblem =>
  sign === '='
    ? { name, operator: '=', value: { kind: 'text', text } }
    : { at: at + name.length, message: `${name} accepts only =`, expected: ['='] }

/** The most values of a filter that a message lists. */
const MAX_LISTED = 8
const oneOf = (values: readonly string[]): string => {
  if (values.length === 0) return 'a value'
  const ellipsis = values.length > MAX_LISTED ? ', …' : ''
  return `one of ${values.slice(0, MAX_LISTED).join(', ')}${ellipsis}`
}

const expectedValue = (filter: FilterSpec): string => {
  if (filter.kind === 'date') return 'a day such as 2026-12-01'
  if (filter.kind === 'enum') return oneOf(filter.values ?? [])
  if (filter.kind === 'text') return 'text; quote several words'
  if (filter.kind === 'span') return 'a duration such as 30s, 5m or 1h'
  const top = filter.max
  return top === undefined ? 'a number of 0 or more' : `a number from 0 to ${top}`
}

function valueOf(filter: FilterSpec, text: string): FilterValue | null {
  if (filter.kind === 'date') {
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? { kind: 'date', day: text } : null
  }
  if (filter.kind === 'text') return text.trim() === '' ? null : { kind: 'text', text }
  if (filter.kind === 'span') {
    return SPAN.test(text) ? { kind: 'text', text: text.toLowerCase() } : null
  }
  if (filter.kind === 'enum') {
    const knownValue = filter.values?.find((value) => value === text.toLowerCase())
    if (filter.values !== undefined)
      return knownValue === undefined ? null : { kind: 'text', text: knownValue }
    return text === '' ? null : { kind: 'text', text: text.toLowerCase() }
  }
  const [from = '', to, ...more] = text.split('..')
  if (more.length > 0) return null
  const low = numberOf(filter, from)
  if (low === null) return null
  if (to === undefined) return { kind: 'number', value: low }
  const high = numberOf(filter, to)
  return high === null || high < low ? null : { kind: 'range', from: low, to: high }
}

function numberOf(filter: FilterSpec, text: string): number | null {
  const [, digits = '', unit = ''] = NUMBER.exec(text) ?? []
  if (digits === '') return null
  const number = Number(digits)
  // A share of one may be written in percent.
  const isPercent = unit === '%' && filter.max === 1
  const value = isPercent ? number / 100 : number * (FACTORS[unit.toLowerCase()] ?? 1)
  return filter.max !== undefined && value > filter.max ? null : value
}
