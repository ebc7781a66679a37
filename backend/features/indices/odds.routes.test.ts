import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import type { Cents } from '../../domain/units.ts'
import { marketView } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { structureApp } from '../../testing/structure-app.ts'

const market = (
  ticker: string,
  price: number | null,
  volume24h: number,
  facts: Partial<MarketFacts> = {},
  dayAgo: number | null = price,
) => {
  const view = marketView({ price, volume24h, facts: { ticker, eventId: ticker, ...facts } })
  const daily = [null, null, null, null, null, null, dayAgo as Cents | null, view.mark] as const
  return marketQuantities({ view: { ...view, liquidityScore: 'high' }, dailyMarks: [...daily] })
}

const CHAIR = {
  eventId: 'CHAIR',
  eventTitle: 'Fed chair next',
  exclusive: true,
  category: 'politics',
}
const cut = {
  title: 'Fed cut in December?',
  eventTitle: 'Fed cut December',
  category: 'economics',
}
const markets = [
  market('KXCUT', 62, 5000, cut, 60),
  market('0xcut', 42, 1250, { ...cut, venue: 'venue_b', title: 'Fed holds in December?' }, 42),
  market('KXCHAIR-A', 61, 60, { ...CHAIR, title: 'Next chair?', subtitle: 'A. Name' }, 55),
  market('KXCHAIR-B', 30, 40, { ...CHAIR, title: 'Next chair?', subtitle: 'B. Name' }),
  market('KXSUN', 90, 7, { title: 'Sun?', eventTitle: null, category: 'weather' }),
  market('KXNONE', null, 9, { title: 'Unpriced?' }),
]
const pairs = [marketPair({ a: 'KXCUT', b: '0xcut', confidence: 0.9, inverted: true })]
const snapshot = contextSnapshotOf(markets, { pairs })

interface Answer {
  readonly odds: readonly { readonly slug: string; readonly [name: string]: unknown }[]
  readonly total: number
}

describe('/api/public/odds', () => {
  const { get } = structureApp({ snapshots: [snapshot] })
  const ask = async (query: string): Promise<Answer> =>
    (await (await get(`/api/public/odds?${query}`)).json()) as Answer
  const slugs = async (query: string) => (await ask(query)).odds.map(({ slug }) => slug)

  // [odds.list.weighted] [odds.list.ordered]
  it('weights the markets of one question and names a leader instead of averaging outcomes', async () => {
    const answer = await ask('')
    expect(answer).toMatchObject({
      asOf: '2026-11-20T14:00:00.000Z',
      category: null,
      band: null,
      count: 3,
      total: 3,
    })
    // The other venue asks the opposite question: its 42 counts as 58 for the leading question.
    expect(answer.odds[0]).toMatchObject({
      slug: 'fed-cut-december',
      kind: 'binary',
      price: 60.67,
      delta24h: 1.33,
      volume24hUsd: 6250,
      venues: ['venue_a', 'venue_b'],
      tickers: ['0xcut', 'KXCUT'],
      leader: null,
    })
    expect(answer.odds[1]).toMatchObject({
      slug: 'fed-chair-next',
      kind: 'multi',
      price: 61,
      delta24h: 6,
      marketCount: 2,
      leader: { label: 'A. Name', ticker: 'KXCHAIR-A', price: 61 },
      inspectUrl: 'http://augury.test/api/agent/inspect/KXCHAIR-A',
    })
    expect(answer.odds[2]).toMatchObject({ slug: 'sun', category: 'weather' })
  })

  // [odds.list.filtered]
  it('filters by category, band, topic and limit', async () => {
    expect(await slugs('category=Weather')).toEqual(['sun'])
    expect(await slugs('band=mid')).toEqual(['fed-cut-december', 'fed-chair-next'])
    expect(await slugs('band=moving')).toEqual(['fed-chair-next'])
    expect(await slugs('topic=rates')).toEqual(['fed-cut-december', 'fed-chair-next'])
    expect(await slugs('topic=cheese')).toEqual([])
    expect(await ask('limit=0')).toMatchObject({ count: 1, total: 3 })
    expect((await get('/api/public/odds?band=low')).status).toBe(400)
  })

  // [odds.list.slugs]
  it('gives each question a unique slug', async () => {
    const LADDER = { eventId: 'OIL', eventTitle: 'Oil on Friday', category: 'economics' }
    const ladder = [
      market('OIL-1', 40, 4, { ...LADDER, title: 'Oil above 100?', subtitle: 'Above 100' }),
      market('OIL-2', 30, 3, { ...LADDER, title: 'Oil above 110?', subtitle: 'Above 110' }),
      market('TWIN-1', 20, 2, { title: 'Rain?', eventTitle: null }),
      market('TWIN-2', 20, 1, { title: 'Rain?', eventTitle: null }),
      market('WHAT', 20, 0, { title: '今天？', eventTitle: null }),
    ]
    const app = structureApp({ snapshots: [contextSnapshotOf(ladder)] })
    const answer = (await (await app.get('/api/public/odds')).json()) as Answer
    expect(answer.odds.map(({ slug }) => slug)).toEqual([
      'oil-on-friday-above-100',
      'oil-on-friday-above-110',
      'rain-twin-1',
      'rain-twin-2',
      'what',
    ])
  })

  // [conventions.as-of.before-first]
  it('is empty before the first snapshot', async () => {
    expect(await ask('asOf=2020-01-01')).toMatchObject({
      asOf: '2020-01-01T00:00:00.000Z',
      odds: [],
    })
  })
})

describe('/api/public/odds.md', () => {
  const { get } = structureApp({ snapshots: [snapshot] })

  // [odds.markdown.tables]
  it('has a table per category, categories by volume', async () => {
    const response = await get('/api/public/odds.md')
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toBe(`# Odds (2026-11-20 14:00 UTC)
3 slugs · liquidity-weighted · prices in cents

## economics
| slug | odds | 24h | vol24h |
|---|---:|---:|---:|
| fed-cut-december | 60.67¢ | +1.33¢ | $6.3k |

## politics
| slug | odds | 24h | vol24h |
|---|---:|---:|---:|
| fed-chair-next (leader: A. Name) | 61¢ | +6¢ | $100 |

## weather
| slug | odds | 24h | vol24h |
|---|---:|---:|---:|
| sun | 90¢ | 0¢ | $7 |
`)
  })

  // [odds.markdown.capped]
  it('states how many more there are', async () => {
    const text = await (await get('/api/public/odds.md?limit=1')).text()
    expect(text).toMatch(/^\| fed-cut-december .*\n\n… 2 more, use category=\n$/m)
  })
})
