import { describe, expect, it } from 'vitest'
import { DEFAULT_CONFIG } from '../../../backend/domain/portfolio/config.ts'
import {
  changeText,
  problemOf,
  fieldText,
  groupsInEffect,
  limitText,
  LIMIT_GROUPS,
  readField,
  type LimitField,
  type LimitName,
} from './limit-fields.ts'

const FIELDS = LIMIT_GROUPS.flatMap(({ fields }) => fields)
const fieldOf = (name: LimitName): LimitField => {
  const found = FIELDS.find((field) => field.name === name)
  if (found === undefined) throw new Error(`no field ${name}`)
  return found
}
const read = (name: LimitName, text: string) => readField(fieldOf(name), text)

describe('fields of the limits [terminal.portfolio.limits]', () => {
  it('are all of a configuration but its switches', () => {
    const switches = ['enabled', 'executionMode', 'tickIntervalMinutes']
    expect(FIELDS.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(DEFAULT_CONFIG)
        .filter((name) => !switches.includes(name))
        .toSorted(),
    )
    const names = groupsInEffect(['decisionModel']).flatMap(({ fields }) => fields)
    expect(names.map(({ name }) => name)).not.toContain('decisionModel')
  })

  it.each(FIELDS)('$name is written as it is read', (field) => {
    const value = DEFAULT_CONFIG[field.name]
    expect(readField(field, fieldText(field, value))).toEqual({ value })
  })

  it.each<[LimitName, string, unknown]>([
    ['maxSingleOrderCents', '$1,234.56', 123_456],
    ['maxSingleOrderCents', '0.29', 29],
    ['maxSingleOrderCents', '0,5', 50],
    ['maxLas', '0,5', 0.5],
    ['minThesisConfidence', '70', 0.7],
    ['excludeCategories', ' sports,, crypto ', ['sports', 'crypto']],
    ['excludeCategories', '', []],
  ])('%s %s', (name, text, value) => {
    expect(read(name, text)).toEqual({ value })
  })

  it.each<[LimitName, string, string]>([
    ['maxSingleOrderCents', 'much', 'must be a number'],
    ['maxSingleOrderCents', '', 'must be a number'],
    ['maxSingleOrderCents', '1.005', 'must be in whole cents'],
    ['drawdownWarnCents', '0', 'must be from $0.01 to $1,000,000,000.00'],
    ['maxOrdersPerTick', '101', 'must be from 0 orders to 100 orders'],
    ['maxOrdersPerTick', '2.5', 'must be a whole number'],
    ['minThesisConfidence', '101', 'must be from 0% to 100%'],
    ['minEdgeCents', '-1', 'must be from 0¢ to 100¢'],
    ['cronExpression', ' ', 'is required'],
  ])('%s %s: %s', (name, text, problem) => {
    expect(read(name, text)).toEqual({ problem })
  })

  it('a change is stated with its units', () => {
    expect(changeText(fieldOf('maxSingleOrderCents'), 5_000, 8_000)).toBe(
      'Max order cost $50.00 → $80.00',
    )
    expect(changeText(fieldOf('excludeCategories'), ['sports'], [])).toBe(
      'Excluded categories sports → none',
    )
    expect(limitText(fieldOf('minThesisConfidence'), 0.655)).toBe('65.5%')
  })

  it('an error of the service belongs to its field, in the words of the form', () => {
    expect(problemOf('drawdownWarnCents must be at most maxDrawdownHaltCents')).toEqual({
      name: 'drawdownWarnCents',
      problem: 'must be at most Drawdown halt',
    })
    expect(problemOf('The service is not reachable')).toBeNull()
  })
})
