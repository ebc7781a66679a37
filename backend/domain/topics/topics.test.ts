import { describe, expect, it } from 'vitest'
import { TOPIC_GROUPS, TOPICS } from './topic-rules.ts'
import {
  categoryOf,
  listTopicsOf,
  slugOf,
  themeOf,
  themeOfText,
  titleSlug,
  topicsOf,
  topicsOfText,
} from './topics.ts'
import { foldText, wordsOf } from '../text/tokens.ts'

const texts = (title: string, tags: readonly string[] = []) => ({
  title,
  eventTitle: null,
  seriesTitle: null,
  tags,
})

describe('topics', () => {
  it.each([
    ['Will FedEx beat earnings', []],
    ['Fed rate cut in September?', ['fed-rate']],
    ['FED RATE CUTS by June', ['fed-rate']],
    ['Are traders fed up with the Fed?', []],
    ['Olive oil above $10?', []],
    ['Will oil stay under $60?', ['oil']],
    ['Natural gas or crude?', ['oil']],
    ['Iranian election', []],
    ["Iran's reply", ['iran']],
    ['Bitcoins and solana', ['bitcoin']],
    ['Paid in full', []],
    ['AI: best model', ['ai-tech']],
    ['Control of the House after the midterms', ['election-2026']],
    ['Texas primary winner in 2026', ['election-2026']],
    ['Texas primary winner', []],
    ['Trump meets Xi Jinping on Taiwan', ['china', 'trump']],
    ['Will unemployment rise?', ['recession']],
    ['', []],
  ])('of “%s” are %j', (title, expected) => {
    expect(topicsOfText(title)).toEqual(expected)
  })

  it('are matched in event, series and tags too, never across two of them', () => {
    expect(topicsOf({ ...texts('Above 4%?'), eventTitle: 'Fed decision' })).toEqual(['fed-rate'])
    expect(topicsOf({ ...texts('Above 4%?'), seriesTitle: 'Tehran' })).toEqual(['iran'])
    expect(topicsOf(texts('Above 4%?', ['rate-cut']))).toEqual(['fed-rate'])
    expect(topicsOf(texts('What rate', ['cut']))).toEqual([])
  })

  it('come in root order', () => {
    const everything = 'AI Trump China Ukraine bitcoin midterm CPI FOMC oil Iran'
    expect(topicsOfText(everything)).toEqual(TOPICS)
  })

  it('add the list topics of the traded asset', () => {
    expect(listTopicsOf(texts('Will the VIX close above 30?'))).toEqual(['volatility'])
    expect(listTopicsOf(texts('S&P 500 close'))).toEqual(['equities'])
    expect(listTopicsOf(texts('EUR/USD on Friday'))).toEqual(['fx'])
    expect(listTopicsOf(texts('Uranium price'))).toEqual(['energy'])
    expect(listTopicsOf(texts('ECB interest rates'))).toEqual(['rates'])
    expect(listTopicsOf(texts('Dogecoin to $1'))).toEqual(['crypto'])
  })

  it('all belong to one group each', () => {
    expect(Object.values(TOPIC_GROUPS).flat().toSorted()).toEqual([...TOPICS].toSorted())
  })
})

describe('theme', () => {
  it('is the topic with most distinct keywords, ties by tree order', () => {
    expect(themeOfText('Trump on the Fed rate cut')).toBe('fed-rate')
    expect(themeOfText('Trump and China')).toBe('china')
    expect(themeOfText('Trump Trump Trump on oil')).toBe('oil')
  })
  it('is the category without a topic', () => {
    expect(themeOf({ ...texts('Best Picture'), category: 'culture' })).toBe('culture')
    expect(themeOfText('Best Picture')).toBeNull()
  })
})

it.each([
  ['Climate and Weather', 'weather'],
  ['Elections', 'politics'],
  ['US Politics', 'politics'],
  ['Financials', 'finance'],
  ['Science and Technology', 'technology'],
  ['Tech', 'technology'],
  ['Pop Culture', 'culture'],
  ['Crypto', 'crypto'],
  ['  Éspörts & more!! ', 'esports-more'],
  ['', 'other'],
  ['🔥', 'other'],
  [null, 'other'],
])('calls the category %j %s', (text, category) => {
  expect(categoryOf(text)).toBe(category)
})

describe('slugs', () => {
  it('join title, venue and ticker', () => {
    expect(slugOf({ title: 'Fed cut?', venue: 'venue_a', ticker: 'KXFED-26SEP-T3.00' })).toBe(
      'fed-cut-venue-a-kxfed-26sep-t3.00',
    )
    expect(slugOf({ title: '選挙', venue: 'venue_b', ticker: '0xab' })).toBe('venue-b-0xab')
  })
  it('are cut at a dash to 60 characters', () => {
    const slug = titleSlug(
      'São Paulo: Will it rain more than 12 inches in the next month of the year?',
    )
    expect(slug).toBe('sao-paulo-will-it-rain-more-than-12-inches-in-the-next-month')
    expect(titleSlug('a'.repeat(70))).toBe('a'.repeat(60))
    expect(titleSlug(`${'a'.repeat(60)} b`)).toBe('a'.repeat(60))
  })
})

describe('words', () => {
  it('fold case, accents and forms of any script', () => {
    expect(foldText('ÉLAN İstanbul ﬁve')).toBe('elan istanbul five')
    expect(wordsOf('Zürich, שלום عالم 中国 🔥 T3.00')).toEqual([
      'zurich',
      'שלום',
      'عالم',
      '中',
      '国',
      '🔥',
      't3',
      '00',
    ])
  })
})

// Quadratic work on 100 kB takes many seconds of CPU time, linear work hundredths of one.
it('stays fast on hostile texts', () => {
  const units = [
    'fed ',
    'rate ',
    '-é',
    'control of the ',
    '\u0301',
    'a',
    ' ',
    '2026 primary ',
    '🔥',
  ]
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length))
    const started = process.cpuUsage()
    expect(topicsOfText(text).length).toBeLessThanOrEqual(1)
    expect(titleSlug(text).length).toBeLessThanOrEqual(60)
    expect(categoryOf(text)).not.toBe('')
    expect(process.cpuUsage(started).user, unit).toBeLessThan(2_000_000)
  }
})
