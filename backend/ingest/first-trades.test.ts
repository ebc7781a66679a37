import { describe, expect, it } from 'vitest'
import { SECOND, type Millis } from '../domain/units.ts'
import { traded } from '../testing/venue-events.ts'
import { FirstTrades } from './first-trades.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const at = (seconds: number, tradeId: string) => traded(NOW + seconds * SECOND, { tradeId })

describe('the first trades of a connection', () => {
  it('are missing up to the last one that the tape has and the stream did not tell', () => {
    const first = new FirstTrades(NOW)
    first.hear([at(2, 'c'), at(9, 'd')])
    expect(first.untold([at(0, 'a'), at(1, 'b'), at(2, 'c'), at(9, 'd')])).toEqual({
      from: NOW,
      to: NOW + SECOND + 1,
    })
  })

  it('are all there when the stream told them', () => {
    const first = new FirstTrades(NOW)
    first.hear([at(2, 'c')])
    expect(first.untold([])).toBeNull()
    expect(first.untold([at(2, 'c')])).toBeNull()
  })

  it('are none of before, of later, and of after the loss of the connection', () => {
    const first = new FirstTrades(NOW)
    expect(first.untold([at(-1, 'before'), at(10, 'later')])).toBeNull()
    expect(first.untold([at(4, 'a')])).not.toBeNull()
    first.end((NOW + 4 * SECOND) as Millis)
    expect(first.untold([at(4, 'a')])).toBeNull()
    expect(first.untold([at(3, 'b'), at(4, 'a')])).toEqual({ from: NOW, to: NOW + 3 * SECOND + 1 })
  })
})
