import { describe, expect, it } from 'vitest'
import type { Cents } from '../units.ts'
import { comparableMark, type MarkBasis } from './comparable-mark.ts'

const basis = (mark: number | null, last: number | null, isQuoted: boolean): MarkBasis => ({
  mark: mark as Cents | null,
  last: last as Cents | null,
  isQuoted,
})

describe('the earlier mark that compares', () => {
  it('is the mark of then when books are known at both instants, or at none', () => {
    expect(comparableMark(basis(46, 34, true), basis(40, 34, true))).toBe(40)
    expect(comparableMark(basis(34, 34, false), basis(31, 31, false))).toBe(31)
  })

  it('moves with the trades alone when a book is known at one instant only', () => {
    expect(comparableMark(basis(46, 44, true), basis(44, 44, false))).toBe(46)
    expect(comparableMark(basis(46, 44, true), basis(34, 34, false))).toBe(36)
    expect(comparableMark(basis(44, 44, false), basis(46, 34, true))).toBe(34)
  })

  it('is unknown when the only trade is far from the book', () => {
    // The book proves neither a move since the earlier instant nor that there was none.
    expect(comparableMark(basis(46, 34, true), basis(34, 34, false))).toBeNull()
    expect(comparableMark(basis(34, 34, false), basis(46, 34, true))).toBeNull()
  })

  it('stays a price, and is null when a trade is unknown', () => {
    expect(comparableMark(basis(5, 40, true), basis(20, 20, false))).toBe(0)
    expect(comparableMark(basis(46, null, true), basis(34, 34, false))).toBeNull()
    expect(comparableMark(basis(46, 34, true), basis(null, null, false))).toBeNull()
  })
})
