import { describe, expect, it } from 'vitest'
import { at, marketView } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { questionApp } from '../../testing/question-app.ts'
import type { QueryAnswer } from '../../contract/query.ts'

const named = (ticker: string, view: Parameters<typeof marketView>[0] = {}) =>
  marketView({ ...view, facts: { ticker, ...view.facts } })

const VIEWS = [
  named('KXFED-26SEP', {
    price: 31,
    change24h: -4,
    volume24h: 52_000,
    liquidityScore: 'high',
    facts: { title: 'Fed rate cut in September?' },
  }),
  named(`0x${'a'.repeat(64)}`, {
    price: 33,
    facts: { venue: 'venue_b', title: 'Will the Fed cut in September?' },
  }),
  named('KXRAIN', { facts: { title: 'Rain in NYC tomorrow?' } }),
]
const bodyOf = async (response: Response) => (await response.json()) as QueryAnswer

describe('/api/public/query', () => {
  // [query.answer.q-required]
  it('requires two characters and accepts 500', async () => {
    const { get } = await questionApp({ views: VIEWS })
    for (const sent of ['', '?q=', '?q=%20a%20']) {
      const response = await get(`/api/public/query${sent}`)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({
        error: 'q required (min 2 chars)',
        code: 'VALIDATION_ERROR',
      })
    }
    expect((await get(`/api/public/query?q=${'a'.repeat(501)}`)).status).toBe(400)
    expect((await get(`/api/public/query?q=${'a'.repeat(500)}`)).status).toBe(200)
  })

  // [query.answer.template] [query.answer.sources-present]
  it('answers from facts only when no model is configured', async () => {
    const body = await bodyOf(
      await (await questionApp({ views: VIEWS })).get('/api/public/query?q=fed%20cut%20september'),
    )
    expect(body.answer).toBe(
      'Fed rate cut in September? 31% (Kalshi), -4¢ in 24h, $52k traded. Closes 2026-11-30.',
    )
    expect(body.venue_a?.map(({ ticker }) => ticker)).toEqual(['KXFED-26SEP'])
    expect(body.venue_b).toHaveLength(1)
    expect(Object.keys(body)).not.toContain('content')
    expect(body.contextSuggestion).toBe('fed-rate')
    expect(body.meta).toMatchObject({
      sources: ['venue_a', 'venue_b'],
      mode: 'full',
      model: null,
      queryUnderstanding: 'deterministic',
      synthesis: 'template',
      unavailable: ['social', 'traditional'],
    })
    expect(body.nextActions?.inspect.map(({ description }) => description)).toEqual([
      'Fed rate cut in September? @ 31¢',
      'Will the Fed cut in September? @ 33¢',
    ])
  })

  // [query.answer.context]
  it('adds the other venue and factors when available', async () => {
    const [a, b] = VIEWS
    if (a === undefined || b === undefined) throw new Error('no markets')
    const pair = marketPair({ a: a.facts.ticker, b: b.facts.ticker })
    const surprise = { vr: 3.24, expectedVr: null, residualVr: null }
    const snapshot = contextSnapshotOf(
      [marketQuantities({ view: a, surprise }), marketQuantities({ view: b })],
      {
        pairs: [pair],
      },
    )
    const app = await questionApp({ views: VIEWS, snapshots: [snapshot] })
    const body = await bodyOf(await app.get('/api/public/query?q=fed%20cut%20september'))
    expect(body.answer).toContain('$52k traded. Polymarket shows 33 (gap 2¢). Closes')
    expect(body.keyFactors).toContainEqual(
      expect.stringContaining('? volume 3.2σ above usual (KXFED-26SEP, vr)'),
    )
    expect(body.keyFactors.some((factor) => factor.includes('crossVenue.gap'))).toBe(true)
  })

  // [query.answer.raw]
  it('leaves out the answer in raw mode, and sources that were not requested', async () => {
    const body = await bodyOf(
      await (
        await questionApp({ views: VIEWS })
      ).get('/api/public/query?q=fed%20cut&mode=RAW&sources=venue_b&nextActions=off'),
    )
    expect(body).not.toHaveProperty('answer')
    expect(body).not.toHaveProperty('venue_a')
    expect(body).not.toHaveProperty('nextActions')
    expect(body.keyFactors).toEqual([])
    expect(body.meta).toMatchObject({ synthesis: 'none', sources: ['venue_b'], unavailable: [] })
  })

  // [query.answer.no-match]
  it('lists the nearest topics when no market matches', async () => {
    const body = await bodyOf(
      await (await questionApp({ views: VIEWS })).get('/api/public/query?q=tehran%20airport'),
    )
    expect(body.answer).toBe(
      'No open market matches “tehran airport”. Nearest topics: Iran, Oil & Energy, Fed & Rates.',
    )
    expect(body.meta.sources).toEqual([])
  })

  // [query.answer.nearest]
  it('lists the nearest markets with their differences when none matches the question', async () => {
    const { get } = await questionApp({ views: VIEWS })
    const london = await bodyOf(await get('/api/public/query?q=will%20it%20rain%20in%20london'))
    expect(london.answer).toBe(
      'No open market asks “will it rain in london”. Nearest: “Rain in NYC tomorrow?” – other place: New York.',
    )
    expect(london.nearest).toMatchObject([
      { ticker: 'KXRAIN', venue: 'venue_a', differs: ['other place: New York'] },
    ])
    expect(london).not.toHaveProperty('venue_a')
    const december = await bodyOf(
      await get('/api/public/query?q=will%20the%20fed%20cut%20rates%20in%20december&mode=raw'),
    )
    expect(december.nearest?.[0]?.differs).toEqual(['other date: 2026-09-30'])
    const will = await bodyOf(await get('/api/public/query?q=will'))
    expect(will.answer).toBe('“will” has no subject. Name a person, place, event, date or number.')
  })

  // [query.answer.combined]
  it('adds the outcomes of an exclusive event that the question combines', async () => {
    const outcome = (ticker: string, subtitle: string, price: number) =>
      named(ticker, {
        price,
        facts: {
          eventId: 'KXFEDDECISION-26DEC',
          eventTitle: 'Fed decision in December?',
          title: `Will the Federal Reserve ${subtitle} at the December meeting?`,
          subtitle,
          exclusive: true,
          closeTime: at('2026-12-09T19:00:00Z'),
        },
      })
    const views = [
      outcome('CUT25', 'Cut 25bps', 86),
      outcome('CUT50', 'Cut more', 5),
      outcome('HOLD', 'Maintain rate', 8),
      outcome('HIKE', 'Hike 25bps', 1),
    ]
    const { get } = await questionApp({ views })
    const answered = async (q: string) =>
      (await bodyOf(await get(`/api/public/query?q=${encodeURIComponent(q)}`))).answer
    expect(await answered('will the fed cut rates in december')).toContain(
      'Fed decision in December? 91% = 86% Cut 25bps + 5% Cut more (Kalshi).',
    )
    expect(await answered('fed december')).not.toContain(' = ')
    expect(await answered('will the fed hike in december')).not.toContain(' = ')
  })

  // [query.answer.tiers]
  it('reserves expensive models for callers with credentials', async () => {
    const response = await (
      await questionApp({ views: VIEWS })
    ).get('/api/public/query?q=fed&model=heavy')
    expect(response.status).toBe(401)
    expect(await response.json()).toEqual({
      error: 'custom model tier requires a valid key',
      code: 'AUTH_REQUIRED',
    })
  })

  // [query.answer.parameters]
  it('clamps the limit and refuses unknown words', async () => {
    const many = Array.from({ length: 30 }, (_, i) =>
      named(`M${i}`, { facts: { title: 'rain', eventId: `E${i}` } }),
    )
    const { get } = await questionApp({ views: many })
    expect((await bodyOf(await get('/api/public/query?q=rain&limit=99'))).venue_a).toHaveLength(20)
    expect((await bodyOf(await get('/api/public/query?q=rain&limit=0'))).venue_a).toHaveLength(1)
    for (const sent of ['sources=weather', 'mode=half', 'model=huge', 'limit=x']) {
      expect((await get(`/api/public/query?q=rain&${sent}`)).status).toBe(400)
    }
    const future = await get('/api/public/query?q=rain&asOf=2999-01-01')
    expect(await future.json()).toMatchObject({ error: 'asOf is in the future' })
  })

  it('lists the markets of a venue after any number of better ones of the other', async () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      named(`M${i}`, { volume24h: 9_000, facts: { title: 'rain', eventId: `E${i}` } }),
    )
    const other = named('0xb', { volume24h: 1, facts: { title: 'rain', venue: 'venue_b' } })
    const { get } = await questionApp({ views: [...many, other] })
    const { venue_a, venue_b } = await bodyOf(await get('/api/public/query?q=rain'))
    expect([venue_a?.length, venue_b?.length]).toEqual([10, 1])
  })

  // [query.answer.depth]
  it('includes book levels of the first three markets of venue_a', async () => {
    const many = Array.from({ length: 5 }, (_, i) =>
      named(`M${i}`, { facts: { title: 'rain', eventId: `E${i}` } }),
    )
    const body = await bodyOf(
      await (await questionApp({ views: many })).get('/api/public/query?q=rain&depth=1'),
    )
    expect(body.venue_a?.map((market) => 'bidLevels' in market)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ])
  })

  // [query.answer.cached]
  it('returns the cached answer for the same question in another case', async () => {
    const app = await questionApp({ views: VIEWS })
    const first = await bodyOf(await app.get('/api/public/query?q=Fed%20cut'))
    await app.clock.advance(200_000)
    app.board.now = app.clock.now()
    const again = await bodyOf(await app.get('/api/public/query?q=%20fed%20%20CUT%20'))
    expect(again.meta.ts).toBe(first.meta.ts)
    await app.clock.advance(100_001)
    const later = await bodyOf(await app.get('/api/public/query?q=fed%20cut'))
    expect(later.meta.ts).not.toBe(first.meta.ts)
  })

  // [query.answer.limited]
  it('limits questions to ten a minute, without cached ones', async () => {
    const { listen } = await questionApp({ views: VIEWS })
    const server = await listen()
    try {
      const ask = (q: string) => fetch(`${server.url}/api/public/query?q=${q}`)
      const statuses: number[] = []
      for (let i = 0; i < 11; i++) statuses.push((await ask(`rain${i}`)).status)
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429])
      expect((await ask('RAIN3')).status).toBe(200)
      const refused = await ask('snow')
      expect(refused.headers.get('retry-after')).not.toBeNull()
    } finally {
      await server.close()
    }
  })

  // [query.answer.bad-input]
  it.each(['ファイル', 'هل ستهطل الأمطار', '💥💥', "'; drop table markets; --", '<script>'])(
    'answers %s without a match',
    async (q) => {
      const response = await (
        await questionApp({ views: VIEWS })
      ).get(`/api/public/query?q=${encodeURIComponent(q)}`)
      expect(response.status).toBe(200)
      expect((await bodyOf(response)).query).toBe(q)
    },
  )
})
