import { describe, expect, it } from 'vitest'
import { NOON } from '../testing/builders.ts'
import { FeedLedger } from './feed-ledger.ts'

describe('the health of a feed', () => {
  it('is down if there were only failures since it last delivered', () => {
    const ledger = new FeedLedger('venue_a')
    ledger.received(NOON)
    ledger.failed(new Error('connection refused'))
    ledger.failed(new Error('connection refused'))
    expect(ledger.health('polling').mode).toBe('polling')
    ledger.failed(new Error('connection refused'))
    expect(ledger.health('polling')).toMatchObject({
      mode: 'down',
      failures: 3,
      lastError: 'connection refused',
    })
    expect(ledger.health('stream').mode).toBe('stream')
    ledger.received(NOON)
    expect(ledger.health('polling').mode).toBe('polling')
  })
})
