import { describe, expect, it } from 'vitest'
import { DAY, HOUR, type Cents, type Millis } from '../../units.ts'
import { decisionTime, resolutionsAhead, type ResolvingMarket } from './resolutions.ts'

const NOW = Date.parse('2026-06-01T12:00:00Z') as Millis
const at = (ms: number): Millis => (NOW + ms) as Millis

const marketOf = (ticker: string, more: Partial<ResolvingMarket> = {}): ResolvingMarket => ({
  venue: 'venue_a',
  ticker,
  title: `${ticker}?`,
  eventId: `E-${ticker}`,
  eventTitle: null,
  category: 'politics',
  closeTime: at(DAY),
  expirationTime: null,
  mark: 50 as Cents,
  liquidity: 'high',
  volume24hUsd: null,
  ...more,
})
const onB = (ticker: string, more: Partial<ResolvingMarket> = {}): ResolvingMarket =>
  marketOf(ticker, { venue: 'venue_b', ...more })
/** The tickers of each entry. */
const groupsOf = (...args: Parameters<typeof resolutionsAhead<ResolvingMarket>>) =>
  resolutionsAhead(...args).map(({ markets }) => markets.map(({ ticker }) => ticker))

describe('the time at which a market is decided', () => {
  it.each([
    [DAY, null, DAY],
    [DAY, DAY - 1, DAY - 1],
    [DAY, DAY + 1, DAY],
    [DAY, 0, DAY],
    [DAY, -1, DAY],
    [null, DAY, DAY],
    [null, 0, null],
    [null, null, null],
  ])('closes at %j, expected at %j: at %j', (close, expected, decided) => {
    const timeOf = (ms: number | null) => (ms === null ? null : at(ms))
    const market = { closeTime: timeOf(close), expirationTime: timeOf(expected) }
    expect(decisionTime(market, NOW)).toBe(timeOf(decided))
  })
})

describe('upcoming resolutions', () => {
  it('are those after the present, or from an instant on', () => {
    const markets = [0 - DAY, 0, 1, DAY].map((ms, index) =>
      marketOf(`M${index}`, { closeTime: at(ms), title: `Question ${'abcd'[index]}` }),
    )
    expect(groupsOf(markets, NOW)).toEqual([['M2'], ['M3']])
    expect(groupsOf(markets, NOW, at(0))).toEqual([['M1'], ['M2'], ['M3']])
    expect(groupsOf(markets, NOW, at(0 - DAY))).toEqual([['M0'], ['M1'], ['M2'], ['M3']])
    expect(groupsOf(markets, NOW, at(1))).toEqual([['M2'], ['M3']])
    expect(groupsOf([marketOf('A', { closeTime: null })], NOW)).toEqual([])
  })

  it('hold the markets of one event and time, most traded first', () => {
    const event = { eventId: 'E', eventTitle: 'The event' }
    const markets = [
      marketOf('B', { ...event, volume24hUsd: 5 }),
      marketOf('A', { ...event, volume24hUsd: 5 }),
      marketOf('C', { ...event, volume24hUsd: 9 }),
      marketOf('D', event),
      marketOf('E', { ...event, closeTime: at(2 * DAY) }),
    ]
    const [first, second] = resolutionsAhead(markets, NOW)
    expect(first).toMatchObject({
      id: `resolution:venue_a:E:${at(DAY)}`,
      at: at(DAY),
      title: 'The event',
      category: 'politics',
      venue: 'venue_a',
    })
    expect(first?.markets.map(({ ticker }) => ticker)).toEqual(['C', 'A', 'B', 'D'])
    expect(second).toMatchObject({ at: at(2 * DAY), title: 'E?' })
  })

  it('name the market that is least decided, weighted by liquidity', () => {
    const contestedOf = (...marks: readonly [number | null, ResolvingMarket['liquidity']][]) =>
      resolutionsAhead(
        marks.map(([mark, liquidity], index) =>
          marketOf(`M${index}`, { eventId: 'E', mark: mark as Cents | null, liquidity }),
        ),
        NOW,
      )[0]?.contested.ticker
    expect(contestedOf([90, 'high'], [60, 'high'], [5, 'high'])).toBe('M1')
    expect(contestedOf([50, 'low'], [80, 'high'])).toBe('M1')
    expect(contestedOf([50, 'low'], [95, 'high'])).toBe('M0')
    expect(contestedOf([null, 'high'], [99, 'low'])).toBe('M1')
  })

  it('have an importance by thirds of the dollars of the next thirty days', () => {
    const dollars = [1, 2, 3, 4, 5, 6]
    const markets = [
      ...dollars.map((volume24hUsd) =>
        marketOf(`M${volume24hUsd}`, {
          volume24hUsd,
          title: `Question ${'abcdef'[volume24hUsd - 1]}`,
        }),
      ),
      marketOf('NONE', { title: 'Question nothing' }),
      marketOf('EDGE', { title: 'Question edge', volume24hUsd: 100, closeTime: at(30 * DAY + 1) }),
    ]
    const found = new Map(
      resolutionsAhead(markets, NOW).map(({ markets: [first], importance }) => [
        first?.ticker,
        importance,
      ]),
    )
    expect(Object.fromEntries(found)).toEqual({
      M1: 'low',
      M2: 'low',
      M3: 'medium',
      M4: 'medium',
      M5: 'high',
      M6: 'high',
      NONE: 'low',
      EDGE: 'high',
    })
    expect(resolutionsAhead([marketOf('A')], NOW)[0]?.importance).toBe('low')
  })

  it('are one for an event that two venues list within a day', () => {
    const twins = [{ a: 'A', b: 'B', confidence: 0.9 }]
    const pair = (ms: number) => [
      marketOf('A', { title: 'First thing' }),
      onB('B', { title: 'Other matter', closeTime: at(DAY + ms) }),
    ]
    expect(groupsOf(pair(HOUR), NOW, null, twins)).toEqual([['A', 'B']])
    expect(groupsOf(pair(DAY - 1), NOW, null, twins)).toEqual([['A', 'B']])
    expect(groupsOf(pair(DAY), NOW, null, twins)).toEqual([['A'], ['B']])
    expect(groupsOf(pair(HOUR), NOW)).toEqual([['A'], ['B']])
    const weak = [{ a: 'A', b: 'B', confidence: 0.74 }]
    expect(groupsOf(pair(HOUR), NOW, null, weak)).toEqual([['A'], ['B']])
  })

  it.each([
    ['Will the Fed cut rates in June 2026?', 'Fed cut rates by Jun 17', true],
    ['Fed cut rates deeply', 'Fed cut rates twice', true],
    ['Fed cut rates deeply', 'Fed cut rates twice again', false],
    ['Fed cut rates', 'Fed cut rates twice', true],
    // Titles that name nothing have nothing in common.
    ['Who will win?', 'The winner 2026', false],
    ['Rain in Paris', 'Snow in Oslo', false],
  ])('are one for titles with most words in common: “%s” and “%s”: %s', (one, other, isSame) => {
    const markets = [marketOf('A', { title: one }), onB('B', { title: other })]
    expect(groupsOf(markets, NOW)).toEqual(isSame ? [['A', 'B']] : [['A'], ['B']])
    // Only at one instant, and not on one venue.
    const later = [
      marketOf('A', { title: one }),
      onB('B', { title: other, closeTime: at(DAY + 1) }),
    ]
    expect(groupsOf(later, NOW)).toEqual([['A'], ['B']])
    const sameVenue = [marketOf('A', { title: one }), marketOf('B', { title: other })]
    expect(groupsOf(sameVenue, NOW)).toEqual([['A'], ['B']])
  })
})
