import { describe, expect, it } from 'vitest'
import { outcomeInSlug, titleOfSlug } from './slug-outcome.ts'

describe('a slug', () => {
  it.each([
    ['will-iran-close-hormuz', 'Will Iran Close Hormuz'],
    ['a_b--c-', 'A B C'],
    ['', ''],
  ])('%j has the title %j', (slug, title) => {
    expect(titleOfSlug(slug)).toBe(title)
  })

  it.each([
    // The only market of its question.
    ['rain-may', 'rain-may', 'rain-may', null],
    // Bounds with and without a unit.
    ['temp-gte76lt77f', 'temp-gte76lt77f', 'temp-lt70f', '76 to 77°F'],
    ['temp-gte76lte77c', 'temp-gte76lte77c', 'temp-lt70c', '76 to 77°C'],
    ['rate-gte3pt5', 'rate-gte3pt5', 'rate-lt3', '3.5 or more'],
    ['rate-gt3', 'rate-gt3', 'rate-lt3', 'more than 3'],
    ['rate-lte3pct', 'rate-gt3', 'rate-lte3pct', '3% or less'],
    ['rate-lt3', 'rate-gt3', 'rate-lt3', 'less than 3'],
    ['gdp-neg-1pt5', 'gdp-neg-1pt5', 'gdp-pos-1pt5', '-1.5'],
    ['gdp-pos-1pt5', 'gdp-neg-1pt5', 'gdp-pos-1pt5', '+1.5'],
    ['price-100k', 'price-100k', 'price-90k', '100k'],
    ['price-2m', 'price-1b', 'price-2m', '2m'],
    ['price-1b', 'price-1b', 'price-2m', '1b'],
    ['seats-218seats', 'seats-218seats', 'seats-230seats', '218 seats'],
    ['seats-218', 'seats-218', 'seats-230', '218'],
    // Words before the bound.
    ['gdp-us-neg-1', 'gdp-eu-neg-1', 'gdp-us-neg-1', 'Us -1'],
    ['temp-nyc-lt70f', 'temp-la-lt70f', 'temp-nyc-lt70f', 'Nyc less than 70°F'],
    // Codes and other words.
    ['race-dem', 'race-dem', 'race-rep', 'Democratic'],
    ['race-rep', 'race-dem', 'race-rep', 'Republican'],
    ['race-gop', 'race-dem', 'race-gop', 'Republican'],
    ['race-ind', 'race-dem', 'race-ind', 'Independent'],
    ['fed-nochng', 'fed-cut', 'fed-nochng', 'No change'],
    ['race-jane-doe', 'race-jane-doe', 'race-john-roe', 'Jane Doe'],
    // Whole parts are shared, not letters.
    ['race-jane', 'race-jane', 'race-john', 'Jane'],
    // The slug that is the start of the others.
    ['race', 'race', 'race-john', 'Race'],
    // Days, in either order, with the code that they do not share.
    ['kc-det-2026-07-23', 'kc-det-2026-07-23', 'kc-det-2026-07-26', '2026-07-23'],
    ['kc-det-23-07-2026', 'kc-det-23-07-2026', 'kc-det-26-07-2026', '23-07-2026'],
    ['a-2026-07-23-dem', 'a-2026-07-23-dem', 'a-2026-07-26-dem', '2026-07-23'],
    ['a-2026-07-23-dem', 'a-2026-07-23-dem', 'a-2026-07-26-rep', '2026-07-23 Democratic'],
    ['a-2026-07-24-rep', 'a-2026-07-23-dem', 'a-2026-07-26-dem', '2026-07-24 Republican'],
    // One day: the code alone.
    ['a-2026-07-23-dem', 'a-2026-07-23-dem', 'a-2026-07-23-rep', 'Democratic'],
  ])('%s between %s and %s adds %j', (slug, first, last, outcome) => {
    expect(outcomeInSlug(slug, first, last)).toBe(outcome)
  })
})
