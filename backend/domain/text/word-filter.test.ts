import { expect, it } from 'vitest'
import { containsAll, haystackOf, termsOfFilter } from './word-filter.ts'

const haystack = haystackOf({
  title: 'Will Zürich win?',
  subtitle: 'Above 70%',
  eventTitle: 'Swiss Cup',
  ticker: 'KXCUP-26',
})

it.each([
  ['zurich', true],
  ['ZÜRICH cup', true],
  ['kxcup-26 above', true],
  ['70%', true],
  ['win swiss lose', false],
  ['win?above', false],
  ['', true],
  ['   ', true],
])('“%s” matches: %s', (query, expected) => {
  expect(containsAll(haystack, termsOfFilter(query))).toBe(expected)
})

it('reads absent texts as empty', () => {
  const bare = haystackOf({ title: 'a', subtitle: null, eventTitle: null, ticker: 'T' })
  expect(containsAll(bare, ['null'])).toBe(false)
})
