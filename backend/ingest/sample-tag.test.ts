import { describe, expect, it } from 'vitest'
import { isSample } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import { FakeVenue } from '../testing/fake-venue.ts'
import { bookAt, described, quoted, traded } from '../testing/venue-events.ts'
import type { VenueEvent } from '../venues/connector.ts'
import { markedAsSample } from './sample-tag.ts'

const NOW = Date.parse('2026-11-20T14:00:00Z') as Millis
const TICKER = 'KXTEST-26DEC31-A'
const { signal } = new AbortController()

const story = {
  open: [described(NOW, { tags: ['Tests'] }), quoted(NOW)],
  ended: [described(NOW, { status: 'settled' })],
  books: [bookAt(NOW)],
  trades: [traded(NOW)],
}
const unmarked = new FakeVenue('venue_a', story, 'stream')
const venue = markedAsSample(unmarked)

async function allOf(pages: AsyncIterable<readonly VenueEvent[]>): Promise<VenueEvent[]> {
  const events: VenueEvent[] = []
  for await (const page of pages) events.push(...page)
  return events
}
const samplesOf = (events: readonly VenueEvent[]): boolean[] =>
  events.filter((event) => event.type === 'market_described').map(({ facts }) => isSample(facts))

describe('markets of the demo', () => {
  it.each([
    ['the catalogue', () => allOf(venue.openMarkets(signal))],
    ['what ended', () => allOf(venue.endedMarkets(NOW, signal))],
    ['a question about them', () => venue.markets([TICKER], signal)],
  ])('are marked in %s', async (_name, read) => {
    expect(samplesOf(await read())).toEqual([true])
  })

  it('are marked in the stream, for as long as it runs', async () => {
    const received: VenueEvent[] = []
    const stream = venue.stream({
      onEvents: (events) => received.push(...events),
      onGap: () => {},
      onRecovered: () => {},
    })
    unmarked.handlers?.onEvents([described(NOW), traded(NOW)])
    expect(samplesOf(received)).toEqual([true])
    expect(received[1]).toEqual(traded(NOW))
    await stream?.close()
    expect(unmarked.isClosed).toBe(true)
  })

  it('keep the tags of their venue', async () => {
    const [event] = await allOf(venue.openMarkets(signal))
    expect(event).toMatchObject({ facts: { tags: ['Tests', 'augury-sample'] } })
    expect(story.open[0]).toMatchObject({ facts: { tags: ['Tests'] } })
  })

  it('keep everything else as stated by the venue', async () => {
    const span = { from: 0 as Millis, to: (NOW + 1) as Millis }
    const query = { tickers: [TICKER], ...span, origin: 'polled' } as const
    expect(await allOf(venue.trades(query, signal))).toEqual(story.trades)
    expect(await venue.books([TICKER], signal)).toEqual(story.books)
    expect((await allOf(venue.openMarkets(signal)))[1]).toEqual(story.open[1])
    expect(venue.health()).toEqual(unmarked.health())
    expect(await venue.checkReachable(signal)).toBe(true)
  })
})
