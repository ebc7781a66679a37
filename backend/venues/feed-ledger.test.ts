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

  it('counts requests, failures and refused rows, and lists the hosts that pause', () => {
    const ledger = new FeedLedger('venue_b')
    expect(ledger.health('polling')).toEqual({
      venue: 'venue_b',
      mode: 'polling',
      lastMessageAt: null,
      requests: 0,
      failures: 0,
      skipped: {},
      lastError: null,
      pausedHosts: [],
    })
    for (let request = 0; request < 3; request += 1) ledger.recordRequest()
    ledger.recordMessage(NOON)
    ledger.recordFailure('no error')
    ledger.skip('bad price')
    ledger.skip('bad price', 2)
    expect(
      ledger.accept({ events: [], skipped: { 'bad price': 4, 'no ticker': 1 }, cursor: null }),
    ).toEqual([])
    const pause = { host: 'api', since: NOON, reason: 'connection refused' }
    expect(ledger.health('stream', [null, pause])).toEqual({
      venue: 'venue_b',
      mode: 'stream',
      lastMessageAt: NOON,
      requests: 3,
      failures: 1,
      skipped: { 'bad price': 7, 'no ticker': 1 },
      lastError: 'unknown failure',
      pausedHosts: [pause],
    })
  })
})
