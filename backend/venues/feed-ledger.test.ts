import { describe, expect, it } from 'vitest'
import { NOON } from '../testing/builders.ts'
import { FeedLedger } from './feed-ledger.ts'

describe('the health of a feed', () => {
  it('is down if there were only failures since it last delivered', () => {
    const ledger = new FeedLedger('venue_a')
    ledger.recordMessage(NOON)
    ledger.recordFailure(new Error('connection refused'))
    ledger.recordFailure(new Error('connection refused'))
    expect(ledger.health('polling').mode).toBe('polling')
    ledger.recordFailure(new Error('connection refused'))
    expect(ledger.health('polling')).toMatchObject({
      mode: 'down',
      failures: 3,
      lastError: 'connection refused',
    })
    expect(ledger.health('stream').mode).toBe('stream')
    ledger.recordMessage(NOON)
    expect(ledger.health('polling').mode).toBe('polling')
  })
})
