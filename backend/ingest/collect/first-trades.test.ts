import { describe, expect, it } from 'vitest'
import { SECOND, type Millis } from '../../domain/units.ts'
import { traded } from '../../testing/venue-events.ts'
import { FirstTrades } from './first-trades.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const after = (seconds: number) => (NOW + seconds * SECOND) as Millis
const at = (seconds: number, tradeId: string) => traded(after(seconds), { tradeId })

describe('the first trades of a connection', () => {
  it('are missing up to the last one that the venue has and the stream did not deliver', () => {
    const first = new FirstTrades(NOW)
    expect(first.receive([], after(50))).toBe(false)
    expect(first.receive([at(60, 'c')], after(60))).toBe(true)
    expect(first.receive([at(61, 'd')], after(61))).toBe(false)
    expect(first.unreportedSpan([at(0, 'a'), at(58, 'b'), at(60, 'c'), at(61, 'd')])).toEqual({
      from: NOW,
      to: after(58) + 1,
    })
  })

  it('are complete when the stream delivered them', () => {
    const first = new FirstTrades(NOW)
    first.receive([at(2, 'c')], after(3))
    expect(first.unreportedSpan([])).toBeNull()
    expect(first.unreportedSpan([at(2, 'c')])).toBeNull()
  })

  it('are neither older nor newer than the first delivered one, whose number covers the rest', () => {
    const first = new FirstTrades(NOW)
    first.receive([at(2, 'c')], after(3))
    expect(first.unreportedSpan([at(-1, 'before'), at(3, 'later')])).toBeNull()
  })

  it('begin at the instant of the connection, whatever the order of the tape', () => {
    const first = new FirstTrades(NOW)
    first.receive([at(9, 'c')], after(9))
    expect(first.unreportedSpan([at(0, 'a')])).toEqual({ from: NOW, to: NOW + 1 })
    const newestFirst = [at(7, 'y'), at(3, 'x')]
    expect(first.unreportedSpan(newestFirst)).toEqual({ from: NOW, to: after(7) + 1 })
  })

  it('are none after the loss of the connection', () => {
    const silent = new FirstTrades(NOW)
    expect(silent.unreportedSpan([at(3, 'unknown yet')])).toBeNull()
    expect(silent.end(after(4))).toBe(true)
    expect(silent.unreportedSpan([at(3, 'b'), at(4, 'a')])).toEqual({ from: NOW, to: after(3) + 1 })
    expect(new FirstTrades(NOW).end(NOW)).toBe(false)
    const streamed = new FirstTrades(NOW)
    streamed.receive([at(5, 'c')], after(5))
    expect(streamed.end(after(9))).toBe(false)
    expect(streamed.unreportedSpan([at(4, 'a'), at(6, 'd')])).toEqual({
      from: NOW,
      to: after(4) + 1,
    })
  })
})
