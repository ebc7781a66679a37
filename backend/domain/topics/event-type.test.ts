import { describe, expect, it } from 'vitest'
import { eventTypeOf, observabilityOf } from './event-type.ts'
import type { EventTexts, EventTiming } from './event-type.ts'
import type { EventType, Observability } from './event-type-rules.ts'

const texts = (title: string, more: Partial<EventTexts> = {}): EventTexts => ({
  title,
  eventTitle: null,
  seriesTitle: null,
  seriesId: null,
  category: 'other',
  tags: [],
  ...more,
})
const timing = (more: Partial<EventTiming> = {}): EventTiming => ({
  tau: 30,
  daysToEvent: null,
  inPlay: false,
  ...more,
})
const read = (market: EventTexts, when = timing()): [EventType, Observability] => {
  const type = eventTypeOf(market)
  return [type, observabilityOf(market, type, when)]
}

describe('A10: event type and observability', () => {
  it.each<[string, EventType, Observability, Partial<EventTiming>]>([
    ['Bitcoin above $70,000 on Jul 31?', 'financial', 'direct', {}],
    ['Highest temperature in NYC tomorrow?', 'weather', 'direct', { tau: 1.2 }],
    ['Who will be nominated Fed chair?', 'political', 'low', {}],
    ['Fed rate cut in September?', 'data_release', 'high', {}],
    ['Will the Fed cut rates before 2027?', 'data_release', 'high', { tau: 193 }],
    ['Fed upper bound above 4.25%?', 'data_release', 'high', {}],
    ['Lakers vs. Celtics', 'sports', 'high', {}],
    ['Lakers vs. Celtics', 'sports', 'direct', { inPlay: true }],
    ['Rain in Seattle in March?', 'weather', 'high', { tau: 20 }],
    ['Ukraine ceasefire by March?', 'political', 'low', {}],
    ['Who wins the Ohio Senate race?', 'political', 'medium', {}],
    ['Kraken IPO by June?', 'financial', 'medium', {}],
    ['Will aliens be confirmed?', 'scientific', 'none', {}],
    ['FDA approval of a new vaccine?', 'scientific', 'low', {}],
    ['Taylor Swift engaged?', 'cultural', 'low', { tau: 200 }],
    ['Taylor Swift engaged?', 'cultural', 'none', { tau: 366 }],
    ['Taylor Swift engaged?', 'cultural', 'low', { tau: 366, daysToEvent: 40 }],
    ['Taylor Swift engaged?', 'cultural', 'none', { tau: null }],
    ['Opening weekend box office above $100m?', 'cultural', 'medium', {}],
  ])('%s is %s, %s', (title, type, observability, when) => {
    expect(read(texts(title), timing(when))).toEqual([type, observability])
  })

  it('matches whole words', () => {
    expect(eventTypeOf(texts('Will the train be a brainchild of warfare?'))).toBe('cultural')
    expect(eventTypeOf(texts('Most gold medals in Milan'))).toBe('cultural')
    expect(eventTypeOf(texts('Fed up with 3 concerts?'))).toBe('cultural')
  })
  it('takes the series before the category, that before the tags, those before the words', () => {
    const title = 'Bitcoin bill passes the Senate?'
    expect(eventTypeOf(texts(title))).toBe('financial')
    expect(eventTypeOf(texts(title, { tags: ['weather'] }))).toBe('weather')
    expect(eventTypeOf(texts(title, { tags: ['weather'], category: 'politics' }))).toBe('political')
    expect(eventTypeOf(texts(title, { category: 'politics', seriesId: 'KXNBA-26' }))).toBe('sports')
  })
  it('finds a scheduled figure in a broad category', () => {
    expect(eventTypeOf(texts('Fed decision in March?', { category: 'politics' }))).toBe(
      'data_release',
    )
  })
  it('uses the titles of event and series too, and the category when no word matches', () => {
    expect(eventTypeOf(texts('Above 3%', { eventTitle: 'CPI in May' }))).toBe('data_release')
    expect(eventTypeOf(texts('Above 3%', { category: 'economics' }))).toBe('data_release')
    expect(eventTypeOf(texts('GPT-6 by June?', { category: 'technology' }))).toBe('scientific')
  })
  it('uses the table of series first', () => {
    const market = texts('Fed chair nominee by the rate decision?', { seriesId: 'kxfedchairnom' })
    expect(read(market)).toEqual(['political', 'low'])
    const overrides = new Map([['KXHIGHNY', { observability: 'medium' } as const]])
    const weather = texts('High in NYC', { seriesId: 'KXHIGHNY' })
    expect(eventTypeOf(weather, overrides)).toBe('weather')
    expect(observabilityOf(weather, 'weather', timing(), overrides)).toBe('medium')
  })
  it('handles texts without words and very long ones', () => {
    expect(read(texts(''))).toEqual(['cultural', 'low'])
    expect(eventTypeOf(texts('fed '.repeat(5_000)))).toBe('cultural')
  })
})
