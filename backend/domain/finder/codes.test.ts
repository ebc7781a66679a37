import { describe, expect, it } from 'vitest'
import { codeScore, isCode, seriesPart } from './codes.ts'

describe('isCode', () => {
  it.each([
    ['KXFED', true],
    ['kxfed-26dec', true],
    ['487417784', true],
    ['0x8950', true],
    ['powell', false],
    ['fed dec cut', false],
    ['26', false],
    ['covid-19?', false],
  ])('of %s is %s', (text, expected) => {
    expect(isCode(text)).toBe(expected)
  })
})

describe('codeScore', () => {
  const market = { ticker: 'KXFED-26DEC-T4.25', eventId: 'KXFED-26DEC', seriesId: 'KXFED' }
  it.each([
    ['kxfed-26dec-t4.25', 1],
    ['KXFED-26DEC', 0.95],
    ['kxfed', 0.95],
    ['KXFED-26D', 0.9],
    ['KXFE', 0.9],
    ['26DEC', 0],
    ['KXFEDX', 0],
  ])('of %s is %s', (code, score) => {
    expect(codeScore(market, code)).toBe(score)
  })
  it('does without a series', () => {
    expect(codeScore({ ...market, seriesId: null }, 'KXFED')).toBe(0.9)
  })
})

describe('seriesPart', () => {
  it.each([
    ['kxfed-26dec', 'KXFED'],
    ['KXFED', null],
    ['a-b', null],
  ])('of %s is %s', (code, part) => {
    expect(seriesPart(code)).toBe(part)
  })
})
