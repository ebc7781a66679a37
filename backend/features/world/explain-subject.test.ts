import { describe, expect, it } from 'vitest'
import { NOON } from '../../testing/builders.ts'
import { HOUR, type Millis } from '../../domain/units.ts'
import type { ScoredCandidate } from '../../domain/world/salient/salient.ts'
import { explainSubject } from './explain-subject.ts'

const baseline = { at: (NOON - 12 * HOUR) as Millis, reason: 'last 12h' }
const subjectOf = (type: string, body: object) =>
  explainSubject({ type, body } as ScoredCandidate, { at: NOON, baseline })

describe('what an item asks to be explained', () => {
  it('is the gap that the trigger opened by its expected effect', () => {
    const body = {
      laggingTicker: 'B',
      triggerTicker: 'A',
      gap: -24,
      relation: 'cross_venue',
      lhs: { delta: -12 },
      rhs: { delta: 18 },
    }
    expect(subjectOf('divergence', body)).toEqual({
      ticker: 'B',
      since: NOON - 6 * HOUR,
      gap: -24,
      peers: [{ ticker: 'A', as: 'cross_venue_lead', move: -12, opened: -6 }],
    })
  })

  it('is the deviation from the peers since the baseline', () => {
    const body = { ticker: 'A', deviation: 15, basis: 'event_family', peers: [{ ticker: 'B' }] }
    expect(subjectOf('consensus_break', body)).toEqual({
      ticker: 'A',
      since: baseline.at,
      gap: 15,
      peers: [{ ticker: 'B', as: 'contagion', move: null, opened: null }],
    })
  })

  it('is the largest move of the drivers of a regime', () => {
    const drivers = [
      { ticker: 'C', delta: -9 },
      { ticker: 'B', delta: 5 },
    ]
    expect(subjectOf('regime_shift', { drivers })).toMatchObject({ ticker: 'C', gap: -9 })
    expect(subjectOf('regime_shift', { drivers: [] })).toMatchObject({ ticker: null, gap: null })
  })

  it('is the move of the market itself otherwise', () => {
    expect(subjectOf('residual', { ticker: 'A' })).toEqual({
      ticker: 'A',
      since: NOON - 24 * HOUR,
      gap: null,
      peers: [],
    })
  })
})
