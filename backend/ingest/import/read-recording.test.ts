import { beforeEach, describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { RememberedCatalogue } from '../../venues/venue-a/catalogue.ts'
import type { FactsVersion, ImportHost, Outcome, OutcomeStatus } from './import-host.ts'
import type { TitleStatus } from './layouts/titles.ts'
import { countTitle, readContext, readRecording } from './read-recording.ts'
import type { Reading } from './reading.ts'
import type { Context, Recording } from './recording.ts'
import { adoptMarkets } from './staging/describe-markets.ts'
import { createTally, type Tally } from './tally.ts'

const NOW = 1_000 as Millis

describe('a recorded payload', () => {
  let tally: Tally
  let statuses: OutcomeStatus[]
  let adopted: [number, boolean | undefined][]
  let assetRequests: (readonly string[])[]
  beforeEach(() => {
    tally = createTally('/some.json', () => {})
    statuses = []
    adopted = []
    assetRequests = []
  })
  const readingOf = (more: Partial<Reading> = {}): Reading => {
    const host = {
      settle: () => Promise.resolve(statuses),
      adoptFacts: (versions: readonly FactsVersion[], isCounted?: boolean) => {
        adopted.push([versions.length, isCounted])
        return Promise.resolve({ taken: versions.length - 1, known: 1 })
      },
      assetsById: (ids: readonly string[]) => {
        assetRequests.push(ids)
        return Promise.resolve([{ ticker: 'A', asset: '2', outcome: 1 }])
      },
    } as unknown as ImportHost
    const parts = {
      tally,
      host,
      dryRun: true,
      venue: null,
      signal: new AbortController().signal,
      described: new Map(),
      named: new Map(),
      assets: new Map(),
      assetsToResolve: new Set(),
      titles: { statuses: () => Promise.resolve(new Map<string, TitleStatus>()) },
    }
    return { ...parts, ...more } as unknown as Reading
  }
  const reasons = () =>
    tally
      .report()
      .reasons.map(({ reason, count, firstRow }) => `${count} from ${firstRow}: ${reason}`)
  const recordingOf = (more: Partial<Recording>): Recording => ({
    layout: 'some',
    venue: 'venue_b',
    rank: 3,
    counted: 'trade_printed',
    rows: [],
    ...more,
  })
  const read = (recording: Recording, reading: Reading) =>
    readRecording(recording, NOW, new RememberedCatalogue(), reading)

  it('looks up the assets of all files once, and refuses rows with the reason of their parser', async () => {
    const reading = readingOf({ assetsToResolve: new Set(['1', '2']) })
    const outcomes: unknown[] = []
    const rows: Recording['rows'] = [
      (context, _catalogue, outcomeOf) => {
        outcomes.push(outcomeOf('A', '2'), outcomeOf('A', '1'), context)
        return { events: [], skipped: { 'bad price': 1 }, cursor: null }
      },
    ]
    await read(recordingOf({ rows, assets: ['2'] }), reading)
    await read(recordingOf({ rows: [], assets: ['2'] }), reading)
    await read(recordingOf({ rows: [] }), reading)
    expect(assetRequests).toEqual([['1', '2']])
    expect(outcomes).toEqual([1, null, { origin: 'imported', receivedAt: NOW }])
    expect(reasons()).toEqual(['1 from 1: bad price'])
  })

  describe('of outcomes', () => {
    const outcome = (ticker: string): Outcome =>
      ({ venue: 'venue_b', ticker, result: 'yes', knownAt: NOW }) as Outcome

    it('counts each by its status', async () => {
      statuses = [
        'taken',
        'known',
        'taken before',
        'no such market',
        'no end on file',
        'other result',
      ]
      const outcomes = [null, ...['A', 'B', 'C', 'D', 'E', 'F'].map(outcome)]
      await read(recordingOf({ outcomes }), readingOf({ dryRun: false }))
      expect(tally.report()).toMatchObject({ rowsTaken: 2, rowsTakenBefore: 1, rowsKnown: 1 })
      expect(reasons()).toEqual([
        '1 from 1: winning outcome is not stated',
        '1 from 5: market is unknown: import its description with it',
        '1 from 6: market has not ended',
        '1 from 7: another result is stored',
      ])
    })

    it.each([
      ['no such market', true, true, 1],
      ['no end on file', true, true, 1],
      ['other result', true, true, 0],
      ['no such market', true, false, 0],
      ['no such market', false, true, 0],
    ] as const)(
      '%s, in a dry run %s of a market described here %s: %i',
      async (status, dryRun, isHere, taken) => {
        statuses = [status]
        const named = new Map(isHere ? [['venue_b A', 'A']] : [])
        await read(recordingOf({ outcomes: [outcome('A')] }), readingOf({ dryRun, named }))
        expect(tally.report()).toMatchObject({ rowsTaken: taken, rowsRefused: 1 - taken })
      },
    )
  })

  describe('of titles', () => {
    const contextOf = (more: Partial<Context>): Context => ({
      layout: 'some_events',
      venue: 'venue_a',
      rank: 4,
      contextKind: 'event',
      ids: [],
      titles: { events: [], series: [] },
      addTo: () => {},
      ...more,
    })

    it('counts each by the markets that it names', async () => {
      const found = new Map<string, TitleStatus>([
        ['event T', 'taken'],
        ['event K', 'known'],
        ['series N', 'taken'],
      ])
      const titles = { ...readingOf().titles, statuses: () => Promise.resolve(found) }
      const context = contextOf({ ids: ['T', 'K', 'N', null] })
      await readContext(context, readingOf({ titles }))
      expect(tally.report()).toMatchObject({ rowsTaken: 1, rowsKnown: 1 })
      expect(reasons()).toEqual([
        '1 from 3: no market of this event is known: import its markets first',
        '1 from 4: event without a ticker',
      ])
    })

    it('refuses a file without data', async () => {
      await readContext(contextOf({ contextKind: null }), readingOf())
      expect(reasons()).toEqual(['1 from 1: some_events contains no market data'])
    })

    it.each([
      ['taken', 'no such market', 1, 0],
      ['known', 'taken', 1, 0],
      ['known', 'no such market', 0, 1],
      [undefined, 'known', 0, 1],
      [undefined, 'no such market', 0, 0],
    ] as const)(
      'described here %s, in the history %s: %i taken, %i known',
      (here, status, taken, known) => {
        const described = new Map(here === undefined ? [] : [['series S', here] as const])
        countTitle('series', 'S', status, 1, readingOf({ described }))
        expect(tally.report()).toMatchObject({ rowsTaken: taken, rowsKnown: known })
        expect(tally.report().rowsRefused).toBe(1 - taken - known)
      },
    )
  })

  it('of markets names them, their assets, events and series, the later versions first', async () => {
    const facts = (ticker: string, more: object = {}) => ({
      knownAt: NOW,
      facts: marketFacts({ ticker, eventId: `E-${ticker}`, seriesId: null, ...more }),
    })
    const reading = readingOf({ dryRun: false })
    await adoptMarkets(
      [
        [facts('A', { assetIds: ['1', '2'], aliases: ['x'], seriesId: 'S' }), facts('A')],
        [facts('B', { assetIds: ['3'] })],
      ],
      reading,
    )
    expect(adopted).toEqual([
      [1, false],
      [2, undefined],
    ])
    expect(Object.fromEntries(reading.named)).toEqual({
      'venue_a A': 'A',
      'venue_a x': 'A',
      'venue_a B': 'B',
    })
    expect(Object.fromEntries(reading.assets)).toEqual({ 'A 1': 0, 'A 2': 1, 'B 3': 0 })
    expect(Object.fromEntries(reading.described)).toEqual({
      'event E-A': 'taken',
      'series S': 'taken',
      'event E-B': 'taken',
    })
    expect(tally.report()).toMatchObject({ rowsTaken: 1, rowsKnown: 1 })
    adopted = []
    const dry = readingOf()
    await adoptMarkets([[facts('C'), facts('C')]], dry)
    expect(adopted).toEqual([])
    expect(dry.described.get('event E-C')).toBe('taken')
    const known = readingOf({ dryRun: false })
    await adoptMarkets([[facts('D')]], known)
    expect(adopted).toEqual([[1, undefined]])
    expect(known.described.get('event E-D')).toBe('known')
  })
})
