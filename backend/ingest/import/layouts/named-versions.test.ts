import { describe, expect, it } from 'vitest'
import type { Millis } from '../../../domain/units.ts'
import type { MarketRecord } from '../../../history/market-rows.ts'
import { plainFacts } from '../imported-events.ts'
import { namedVersions } from './named-versions.ts'

const version = (market: number, knownAt: number, overrides = {}): MarketRecord => ({
  market,
  firstSeenAt: knownAt as Millis,
  knownAt: knownAt as Millis,
  facts: plainFacts('venue_a', `KX-${market}`, `KX-${market}`, {
    eventId: 'E',
    subtitle: `label ${market}`,
    ...overrides,
  }),
})
const event = {
  eventId: 'E',
  title: 'Who?',
  category: 'Sports',
  exclusive: true,
  seriesId: 'S',
}
const series = {
  seriesId: 'S',
  title: 'Races',
  category: null,
  tags: ['race'],
  rulesUrl: 'https://r.test',
}

describe('namedVersions', () => {
  it('names each version of a market a millisecond later, by the event’s title and its own label', () => {
    const versions = [version(1, 10), version(1, 50, { status: 'settled' }), version(2, 20)]
    const { rows, statuses } = namedVersions(versions, { events: [event], series: [] })
    expect(rows.map(({ market, knownAt, facts }) => [market, knownAt, facts.title])).toEqual([
      [1, 11, 'Who? - label 1'],
      [1, 51, 'Who? - label 1'],
      [2, 21, 'Who? - label 2'],
    ])
    expect(rows[1]?.facts).toMatchObject({
      status: 'settled',
      eventTitle: 'Who?',
      category: 'sports',
      exclusive: true,
      seriesId: 'S',
    })
    expect(statuses.events).toEqual(['taken'])
  })

  it('names nothing twice, and skips titled markets', () => {
    const titles = { events: [event], series: [] }
    const first = version(1, 10)
    const [row] = namedVersions([first], titles).rows
    if (row === undefined) throw new Error('nothing was named')
    const again = namedVersions([first, { ...first, ...row }], titles)
    expect([again.rows, again.statuses.events]).toEqual([[], ['known']])
  })

  it('finds the series of a market through its event, and lists unknown markets', () => {
    const other = { ...event, eventId: 'F' }
    const { rows, statuses } = namedVersions([version(1, 10)], {
      events: [event, other],
      series: [series, { ...series, seriesId: 'T' }],
    })
    expect(rows[0]?.facts).toMatchObject({ seriesTitle: 'Races', tags: ['race'] })
    expect(statuses).toEqual({
      events: ['taken', 'no such market'],
      series: ['taken', 'no such market'],
    })
  })

  it('keeps a stored title', () => {
    const titled = version(1, 10, { eventTitle: 'Which?' })
    const { rows, statuses } = namedVersions([titled], { events: [event], series: [] })
    expect([rows, statuses.events]).toEqual([[], ['known']])
  })
})
