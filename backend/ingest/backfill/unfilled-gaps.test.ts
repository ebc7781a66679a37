import { beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { UnfilledGaps, type Span } from './unfilled-gaps.ts'

const span = (from: number, to: number): Span => ({ from: from as Millis, to: to as Millis })

describe('gaps that are not filled', () => {
  let gaps: UnfilledGaps
  beforeEach(() => {
    gaps = new UnfilledGaps()
  })

  it.each([
    ['exactly', [span(10, 20)], true],
    ['with more around', [span(5, 25)], true],
    ['in two parts that touch', [span(10, 15), span(15, 20)], true],
    ['in two parts, the later one first', [span(15, 20), span(10, 15)], true],
    ['in parts that overlap', [span(5, 18), span(12, 25), span(6, 7)], true],
    ['in two parts after another read', [span(0, 5), span(10, 15), span(12, 20)], true],
    ['in two parts with a hole', [span(10, 14), span(15, 20)], false],
    ['without its beginning', [span(11, 20)], false],
    ['without its end', [span(10, 19)], false],
    ['not at all', [], false],
  ])('are filled by reads of them: %s', (_what, reads, isFilled) => {
    for (const read of reads) gaps.recordRead(read)
    gaps.add(span(10, 20))
    expect(gaps.drainFilled()).toEqual(isFilled ? [span(10, 20)] : [])
    expect(gaps.all).toEqual(isFilled ? [] : [span(10, 20)])
    expect(gaps.drainFilled()).toEqual([])
  })

  it('are filled by no read that was forgotten', () => {
    gaps.recordRead(span(0, 100))
    gaps.clearReads()
    gaps.add(span(10, 20))
    expect(gaps.drainFilled()).toEqual([])
    gaps.recordRead(span(0, 100))
    expect(gaps.drainFilled()).toEqual([span(10, 20)])
  })

  it('are those of an earlier run, and others that do not lie inside of them, by their begin', () => {
    gaps.resume([span(10, 20), span(40, 50)])
    gaps.addGaps([span(10, 20), span(12, 18), span(30, 35), span(9, 20), span(10, 21)])
    expect(gaps.all).toEqual([span(9, 20), span(10, 20), span(10, 21), span(30, 35), span(40, 50)])
  })

  it('are matched with the newest hundred reads', () => {
    for (let read = 0; read <= 100; read += 1) gaps.recordRead(span(read * 10, read * 10 + 5))
    gaps.resume([span(0, 5), span(10, 15), span(1_000, 1_005)])
    expect(gaps.drainFilled()).toEqual([span(10, 15), span(1_000, 1_005)])
  })
})
