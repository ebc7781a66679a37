import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SAMPLE_TAG, type MarketFacts } from '../../domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { silentLogger } from '../../lib/logger.ts'
import { Collecting, NOW } from '../../testing/collecting.ts'
import { FakeVenue } from '../../testing/fake-venue.ts'
import { described } from '../../testing/venue-events.ts'
import type { VenueEvent } from '../../venues/connector.ts'
import { CatalogueReader } from './catalogue-reader.ts'
import { LIVE_SETTINGS, type CollectorSettings } from './collector-settings.ts'
import { FollowedMarkets } from './followed-markets.ts'

describe('the catalogue of a venue', () => {
  let run: Collecting
  let venue: FakeVenue
  let markets: FollowedMarkets
  const { signal } = new AbortController()
  beforeEach(async () => {
    run = await Collecting.open()
    venue = new FakeVenue('venue_a')
    markets = new FollowedMarkets({ limit: 1_000, isReadByMarket: true })
  })
  afterEach(() => run.close())

  const reader = (settings: Partial<CollectorSettings> = {}): CatalogueReader => {
    const { pipeline, history, progress, clock } = run
    const deps = { connector: venue, pipeline, history, progress, markets, clock }
    return new CatalogueReader({
      ...deps,
      log: silentLogger,
      settings: { ...LIVE_SETTINGS, ...settings },
    })
  }
  const market = (
    ticker: string,
    facts: Partial<MarketFacts> = {},
  ): VenueEvent & { type: 'market_described' } => described(NOW, { ticker, ...facts })
  const statusOf = async (ticker: string): Promise<string | undefined> => {
    await run.pipeline.flush()
    const id = run.history.marketIdOf(ticker)?.market ?? -1
    const [record] = await run.history.recordsAt(run.clock.now(), [id])
    return record?.facts.status
  }
  /** The markets requested next, once all are due. */
  const requestedBy = async (catalogue: CatalogueReader): Promise<string[]> => {
    venue.requested.length = 0
    await catalogue.readResolutions(signal)
    return venue.requestedFor('markets').flatMap(({ tickers }) => tickers ?? [])
  }

  it.each([
    ['a day and an hour before a first read', null, NOW - DAY - HOUR],
    ['an hour before the last read', NOW - 5 * MINUTE, NOW - 5 * MINUTE - HOUR],
    ['an hour before now if the last read lies in the future', NOW + DAY, NOW - HOUR],
  ])('is read for ended markets from %s', async (_what, until, since) => {
    await run.progress.save('venue_a', { endedUntil: until as Millis | null })
    await reader().readNewlyEnded(signal)
    expect(venue.requestedFor('endedMarkets')).toEqual([{ what: 'endedMarkets', from: since }])
    expect((await run.progress.progressOf('venue_a')).endedUntil).toBe(NOW)
  })

  it('returns the ended markets, follows them no more and stores their end', async () => {
    venue.story = { open: [market('A'), market('B')] }
    const catalogue = reader()
    await catalogue.readOpen(signal)
    markets.settle()
    venue.story = { ended: [described(NOW, { ticker: 'A', status: 'settled', result: 'yes' })] }
    expect(await catalogue.readEnded(NOW, signal)).toEqual(new Set(['A']))
    expect(markets.mostActive()).toEqual(['B'])
    expect(await statusOf('A')).toBe('settled')
    await run.clock.advance(DAY)
    await catalogue.readOpen(signal)
    expect(await requestedBy(catalogue)).toEqual(['B'])
  })

  it('requests the markets that a listing leaves out, unless it was interrupted', async () => {
    const catalogue = reader()
    venue.story = { open: [market('A'), market('B')] }
    await catalogue.readOpen(signal)
    expect(await requestedBy(catalogue)).toEqual([])
    venue.story = { open: [market('A')] }
    await catalogue.readOpen(AbortSignal.abort())
    expect(await requestedBy(catalogue)).toEqual([])
    await catalogue.readOpen(signal)
    expect(await requestedBy(catalogue)).toEqual(['B'])
  })

  it('notes what the stream reports', async () => {
    const catalogue = reader()
    catalogue.addEvents([market('A', { closeTime: NOW })])
    await run.clock.advance(MINUTE)
    expect(await requestedBy(catalogue)).toEqual(['A'])
  })

  it('requests a hundred markets at once', async () => {
    const catalogue = reader()
    catalogue.addEvents(Array.from({ length: 101 }, (_, n) => market(`M${n}`)))
    await catalogue.readOpen(signal)
    expect(await requestedBy(catalogue)).toHaveLength(100)
    expect(await requestedBy(catalogue)).toEqual(['M100'])
    expect(await requestedBy(catalogue)).toEqual([])
    expect(venue.requested).toEqual([])
  })

  it('follows a market that opened again, and not one that settled', async () => {
    const catalogue = reader()
    const listed = ['AGAIN', 'OVER', 'CLOSED']
    venue.story = { open: listed.map((ticker) => market(ticker)) }
    await catalogue.readOpen(signal)
    markets.end('AGAIN')
    const closeTime = (NOW + DAY) as Millis
    venue.story = { open: [] }
    await catalogue.readOpen(signal)
    venue.story = {
      open: [
        market('AGAIN', { closeTime }),
        market('OVER', { status: 'settled', result: 'no' }),
        market('CLOSED', { status: 'closed' }),
      ],
    }
    expect(await requestedBy(catalogue)).toEqual(listed)
    expect(markets.mostActive()).toEqual(['AGAIN', 'CLOSED'])
    expect(await statusOf('OVER')).toBe('settled')
  })

  it('closes a market that is missing from five responses, and follows it no more', async () => {
    venue.story = { open: [market('A'), market('B')] }
    const catalogue = reader()
    await catalogue.readOpen(signal)
    venue.story = { open: [market('B')] }
    for (let response = 1; response <= 5; response += 1) {
      expect(await statusOf('A')).toBe('active')
      await catalogue.readOpen(signal)
      expect(await requestedBy(catalogue)).toEqual(['A'])
      await run.clock.advance(HOUR)
    }
    expect(await statusOf('A')).toBe('closed')
    expect(await statusOf('B')).toBe('active')
    expect(markets.mostActive()).toEqual(['B'])
  })

  it.each([
    [false, ['REAL']],
    [true, ['SAMPLE']],
  ])('resumes the unresolved markets of its venue and kind: sample %s', async (isSample, names) => {
    await run.pipeline.accept([
      market('REAL'),
      market('OVER', { status: 'settled', result: 'no' }),
      market('OTHER', { venue: 'venue_b' }),
      market('SAMPLE', { tags: [SAMPLE_TAG] }),
    ])
    await run.pipeline.flush()
    // The end of a market counts from when it was published.
    await run.clock.advance(MINUTE)
    const catalogue = reader({ isSample })
    await catalogue.resumeUnresolved()
    await catalogue.readOpen(signal)
    expect(await requestedBy(catalogue)).toEqual(names)
  })
})
