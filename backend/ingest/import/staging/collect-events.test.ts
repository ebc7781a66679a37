import { beforeEach, describe, expect, it } from 'vitest'
import { described, quoted, traded } from '../../../testing/venue-events.ts'
import type { FactsVersion, ImportHost } from '../import-host.ts'
import type { Reading } from '../reading.ts'
import type { CountedEvent } from '../recording.ts'
import { createTally, type Tally } from '../tally.ts'
import { createEventCollector, type EventCollector } from './collect-events.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z')

describe('the events of a file', () => {
  let tally: Tally
  let adopted: [FactsVersion[], boolean][]
  const open = (counted: CountedEvent, reading: Partial<Reading> = {}): EventCollector => {
    const host = {
      adoptFacts: (versions: FactsVersion[], isCounted = true) => {
        adopted.push([versions, isCounted])
        return Promise.resolve({ taken: versions.length, known: 0 })
      },
    } as unknown as ImportHost
    const maps = { described: new Map(), named: new Map(), assets: new Map() }
    return createEventCollector(counted, {
      ...maps,
      tally,
      host,
      dryRun: false,
      venue: null,
      signal: new AbortController().signal,
      ...reading,
    } as Reading)
  }
  beforeEach(() => {
    tally = createTally('/some.json', () => {})
    adopted = []
  })
  const reasons = () =>
    tally
      .report()
      .reasons.map(({ reason, count, firstRow }) => `${count} from ${firstRow}: ${reason}`)

  it('are counted by the first of the counted type, once, in a dry run', async () => {
    const taker = open('trade_printed', { dryRun: true, venue: 'venue_a' })
    taker.add([traded(NOW, { tradeId: 'a' }), quoted(NOW)], 1)
    taker.add([traded(NOW + 1, { tradeId: 'a' })], 2)
    taker.add([traded(NOW, { tradeId: 'b' }), quoted(NOW)], 3)
    taker.add([quoted(NOW)], 4)
    taker.add([quoted(NOW)], 5, 'no trade')
    taker.add([traded(NOW, { venue: 'venue_b' })], 6)
    // Two trades, and the quote that both rows hold.
    expect(taker.pending).toBe(3)
    await taker.finish()
    expect(taker.pending).toBe(0)
    expect(tally.report()).toMatchObject({ rowsTaken: 2, rowsRefused: 4 })
    expect(reasons()).toEqual([
      '1 from 2: another row of the same market and instant',
      '1 from 4: row holds no usable data',
      '1 from 5: no trade',
      '1 from 6: row belongs to another venue than Kalshi',
    ])
  })

  it('that describe a market are stored version by version, the first one counted', async () => {
    const taker = open('market_described')
    taker.add(
      [described(NOW, { ticker: 'A' }), described(NOW + 1, { ticker: 'A', status: 'closed' })],
      1,
    )
    taker.add([described(NOW, { ticker: 'B' })], 2)
    taker.add([described(NOW, { ticker: 'B' })], 3)
    expect(taker.pending).toBe(2)
    await taker.flush()
    expect(taker.pending).toBe(0)
    const stored = adopted.map(([versions, isCounted]) => [
      isCounted,
      versions.map(({ facts, knownAt }) => `${facts.ticker} ${facts.status} ${knownAt - NOW}`),
    ])
    expect(stored).toEqual([
      [false, ['A closed 201']],
      [true, ['A active 200', 'B active 200']],
    ])
    expect(tally.report()).toMatchObject({ rowsTaken: 2, rowsRefused: 1 })
    await taker.finish()
    expect(adopted).toHaveLength(2)
  })

  it('beside the counted ones are stored where they changed, in the order of their times', async () => {
    const taker = open('trade_printed', { dryRun: false })
    const facts = (at: number, title: string) => described(at, { ticker: 'A', title })
    // Rows without a trade store nothing.
    taker.add([facts(NOW + 9, 'Never?')], 1)
    const dry = open('trade_printed', { dryRun: true })
    for (const one of [taker, dry]) {
      one.add([traded(NOW, { tradeId: 'a' }), facts(NOW + 2, 'One?'), facts(NOW, 'One?')], 2)
      one.add([traded(NOW, { tradeId: 'b' }), facts(NOW + 3, 'Two?'), facts(NOW + 4, 'One?')], 3)
    }
    await dry.finish()
    expect(adopted).toEqual([])
    // The rows themselves go to an engine, which this test has not.
    await expect(taker.finish()).rejects.toThrow()
    expect(
      adopted.map(([versions, isCounted]) => [
        isCounted,
        versions.map((version) => [version.knownAt - NOW, version.facts.title]),
      ]),
    ).toEqual([
      [
        false,
        [
          [200, 'One?'],
          [203, 'Two?'],
          [204, 'One?'],
        ],
      ],
    ])
  })

  it('are stored a thousand markets at a time, until the import is cancelled', async () => {
    const stop = new AbortController()
    const taker = open('market_described', { signal: stop.signal })
    for (let n = 0; n < 1_001; n += 1) taker.add([described(NOW, { ticker: `M${n}` })], n + 1)
    await taker.flush()
    expect(adopted.map(([versions]) => versions.length)).toEqual([1_000, 1])
    taker.add([described(NOW + 1, { ticker: 'M0' })], 1_002)
    stop.abort()
    await expect(taker.finish()).rejects.toThrow()
    expect(adopted).toHaveLength(2)
  })
})
