import { describe, expect, it } from 'vitest'
import type { WorldSnapshot } from '../../computed/context-engine.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { DAY } from '../../domain/units.ts'
import { regionOf } from '../../domain/world/regions/region.ts'
import { buildWorld, candidatesIn, defaultBaseline } from '../../domain/world/world.ts'
import { at, marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf, marketPair } from '../../testing/snapshot-builders.ts'
import { questionApp } from '../../testing/question-app.ts'
import { NOON_ISH, worldMarket } from '../../testing/world-markets.ts'

const view = (ticker: string, fields: Parameters<typeof marketView>[0] = {}) =>
  marketView({ ...fields, facts: { ticker, eventId: `${ticker}-E`, ...fields.facts } })

const IRAN = view('KXCEASE', {
  price: 52,
  change24h: 8,
  volume24h: 18_400,
  liquidityScore: 'high',
  topics: ['iran'],
  facts: { title: 'Will the ceasefire hold to January?', eventTitle: 'Ceasefire holds' },
})
const OTHER = view('KXHORMUZ', {
  price: 20,
  change24h: -1,
  volume24h: 900,
  topics: ['iran'],
  facts: { title: 'Hormuz closed?', eventTitle: 'Hormuz' },
})
const OIL = view('KXOIL', { topics: ['oil'], facts: { title: 'Oil above 80?', eventTitle: 'Oil' } })
const VIEWS = [IRAN, OTHER, OIL]
const reading = (fields: object) => ({
  value: 30,
  disagreement: 42,
  geoRisk: 65,
  breadth: 0.13,
  activity: 29,
  components: {},
  dataNote: null,
  measuredDisagreement: null,
  ...fields,
})
const QUARTER_HOUR = contextSnapshotOf(
  VIEWS.map((market) => marketQuantities({ view: market })),
  { indices: new Map([['iran', reading({}) as never]]) },
)
const json = async (response: Response) => (await response.json()) as Record<string, never>

describe('/api/public/topic', () => {
  // [topics.page.body]
  it('shows markets by dollars, movers, dates and the gauges of the topic', async () => {
    const app = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR] })
    const body = await json(await app.get('/api/public/topic/iran'))
    expect(body).toMatchObject({
      slug: 'iran',
      label: 'Iran',
      gauges: { geoRisk: 65 },
      regimeLabel: 'Geopolitical stress — risk contracts repricing toward worse outcomes',
      markets: [{ ticker: 'KXCEASE' }, { ticker: 'KXHORMUZ' }],
      movers: [{ ticker: 'KXCEASE', delta: 8, from: 44 }],
      theses: [],
      ideas: [],
      legislation: [],
    })
    expect(body['calendar']).toHaveLength(2)
    const group = await json(await app.get('/api/public/topic/GEOPOLITICS'))
    expect(group['markets']).toHaveLength(2)
    expect(group['gauges']).toEqual({
      disagreement: null,
      geoRisk: null,
      breadth: null,
      activity: null,
    })
  })

  // [topics.page.unknown]
  it('has ten topics and six groups, and no others', async () => {
    const { get } = await questionApp({ views: VIEWS })
    for (const slug of ['weather', 'iran%2Fkxcease', 'x'.repeat(200)]) {
      const response = await get(`/api/public/topic/${slug}`)
      expect(await response.json()).toEqual({ error: 'Topic not found', code: 'NOT_FOUND' })
    }
    const markdown = await (await get('/api/public/topic/iran?format=markdown')).text()
    expect(markdown).toContain('# Iran (2026-11-20 14:00 UTC)')
    expect(markdown).toContain('- 52¢ Will the ceasefire hold to January? (KXCEASE)')
  })

  // [editorial.pages.as-of]
  it('is empty before the first record and refuses the future', async () => {
    const { get } = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR] })
    const early = await json(await get('/api/public/topic/iran?asOf=2020-01-01'))
    expect(early).toMatchObject({ markets: [], movers: [], calendar: [] })
    expect((await get('/api/public/topic/iran?asOf=2999-01-01')).status).toBe(400)
    expect((await get('/api/public/answer/ceasefire-holds?asOf=2020-01-01')).status).toBe(404)
  })
})

describe('/api/public/answer', () => {
  // [answers.page.body]
  it('answers the question of an odds slug over its markets', async () => {
    const b = view(`0x${'b'.repeat(64)}`, {
      price: 49,
      facts: { venue: 'venue_b', title: 'Ceasefire to January' },
    })
    const week = [44, 44, 45, 46, 46, 48, 50, 52].map((mark) => mark as Cents) as never
    const snapshot = contextSnapshotOf(
      [marketQuantities({ view: IRAN, dailyMarks: week }), marketQuantities({ view: b })],
      {
        pairs: [marketPair({ a: 'KXCEASE', b: b.facts.ticker })],
      },
    )
    const { get } = await questionApp({ views: [IRAN, b], snapshots: [snapshot] })
    const body = await json(await get('/api/public/answer/ceasefire-holds'))
    expect(body).toMatchObject({
      slug: 'ceasefire-holds',
      leader: null,
      delta7d: 8,
      markets: [{ ticker: 'KXCEASE' }, { ticker: b.facts.ticker }],
    })
    expect(body['answer']).toContain('Polymarket shows 49 (gap 3¢)')
    expect(body['sources']).toHaveLength(2)
    expect((await get('/api/public/answer/nothing')).status).toBe(404)
    const text = await (await get('/api/public/answer/ceasefire-holds?format=markdown')).text()
    expect(text).toMatch(/^# Will the ceasefire hold to January\?/)
  })
})

describe('/api/public/briefing', () => {
  const reference = {
    dayBefore: (asOf: Millis) =>
      Promise.resolve(new Map([[IRAN.market, (asOf === NOON ? 44 : 30) as Cents]])),
    dayBeforeOfThese: (markets: readonly number[]) =>
      Promise.resolve(new Map(markets.map((market) => [market, 30 as Cents]))),
  }
  const settled = view('KXDONE', {
    topics: ['iran'],
    status: 'settled',
    facts: { title: 'Talks by Friday?', status: 'settled', result: 'yes' },
  })
  const changes = [
    {
      id: 'c1',
      market: settled.market,
      type: 'resolved' as const,
      delta: null,
      at: at('2026-11-20T10:00:00Z'),
      before: null,
      after: 'yes',
    },
  ]

  // [briefing.read.sections]
  it('lists gauges, movers, results and dates in that order, without empty parts', async () => {
    const app = await questionApp({
      views: [...VIEWS, settled],
      snapshots: [QUARTER_HOUR],
      changes,
      reference,
    })
    const body = (await (await app.get('/api/public/briefing?topic=iran')).json()) as {
      sections: { key: string; lines: string[] }[]
      markdown: string
      headline: string
    }
    expect(body.sections.map(({ key }) => key)).toEqual([
      'gauges',
      'movers',
      'resolved',
      'upcoming',
    ])
    expect(body.sections[1]?.lines).toEqual([
      '44¢ → 52¢ Will the ceasefire hold to January? (KXCEASE)',
    ])
    expect(body.sections[2]?.lines).toEqual([
      'Talks by Friday? resolved yes, surprise 70¢ (KXDONE)',
    ])
    expect(body.markdown).toMatch(/^# Briefing: Iran, 24h to 2026-11-20 14:00 UTC\n/)
    expect(body.markdown).toContain('\n\n## Movers\n- 44¢ → 52¢')
    const bullets = body.markdown.split('\n').filter((line) => line.startsWith('- '))
    expect(bullets.every((line) => / · http\S+$/.test(line))).toBe(true)
    expect(body.markdown).toContain('it states no causes and is not advice')
    expect(body.markdown.split('44¢ → 52¢')).toHaveLength(2)
    const markdown = await app.get('/api/public/briefing?topic=iran&format=markdown')
    expect(await markdown.text()).toBe(body.markdown)
  })

  it('counts every settlement and lists an event once, by the outcome that came true', async () => {
    const outcome = (ticker: string, result: 'yes' | 'no') =>
      view(ticker, {
        topics: ['iran'],
        status: 'settled',
        facts: { title: `Winner? - ${ticker}`, eventId: 'KXWINNER', status: 'settled', result },
      })
    const outcomes = [outcome('KXW-A', 'no'), outcome('KXW-B', 'yes'), outcome('KXW-C', 'no')]
    const [row] = changes
    const { get } = await questionApp({
      views: [...VIEWS, ...outcomes],
      snapshots: [QUARTER_HOUR],
      changes: outcomes.map(({ market, facts }) => ({ ...row!, id: facts.ticker, market })),
      reference,
    })
    const body = await json(await get('/api/public/briefing?topic=iran'))
    expect(body['summary']).toContain('3 settled')
    const sections = body['sections'] as unknown as { key: string; lines: string[] }[]
    expect(sections.find(({ key }) => key === 'resolved')?.lines).toEqual([
      'Winner? - KXW-B resolved yes, surprise 70¢ (KXW-B)',
    ])
  })

  it('lists the settlements of its topic after any number of others', async () => {
    const [row] = changes
    const others = Array.from({ length: 400 }, (_, i) => ({
      ...row!,
      id: `other-${i}`,
      market: 9_999,
      at: at('2026-11-20T12:00:00Z'),
    }))
    const { get } = await questionApp({
      views: [...VIEWS, settled],
      snapshots: [QUARTER_HOUR],
      changes: [...changes, ...others],
      reference,
    })
    const body = await json(await get('/api/public/briefing?topic=iran'))
    expect(body['summary']).toContain('1 settled')
  })

  // [briefing.read.window]
  it('replaces an unknown window by a day', async () => {
    const { get } = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR], reference })
    expect(await json(await get('/api/public/briefing?window=9h'))).toMatchObject({
      window: '24h',
      from: '2026-11-19T14:00:00.000Z',
      topic: null,
      generatedBy: 'template',
    })
    const week = await json(await get('/api/public/briefing?window=7D'))
    expect(week).toMatchObject({ window: '7d', movers: [{ from: 30, delta: 22 }] })
    expect((await get(`/api/public/briefing?topic=${'a/'.repeat(7)}b`)).status).toBe(400)
    expect(await json(await get('/api/public/briefing?topic=zzz'))).toMatchObject({
      sections: [],
      movers: [],
    })
  })

  // [briefing.read.compact]
  it('limits each section to three rows when compact', async () => {
    const many = Array.from({ length: 6 }, (_, i) => view(`KXM${i}`, { topics: ['oil'] }))
    const { get } = await questionApp({ views: many, snapshots: [QUARTER_HOUR] })
    const body = (await (await get('/api/public/briefing?topic=oil&compact=1')).json()) as {
      sections: { key: string; lines: string[] }[]
    }
    expect(body.sections.find(({ key }) => key === 'upcoming')?.lines).toHaveLength(3)
  })
})

describe('/api/public/technicals', () => {
  /** Hourly quotes of a month that rise from 40 to 52. */
  const slots = () => {
    const hours = 720
    const marks = Array.from({ length: hours }, (_, hour) => 40 + Math.floor((hour / hours) * 13))
    const price = (cents: number) => cents * 100
    return Promise.resolve({
      market: new Int32Array(hours).fill(IRAN.market),
      slot: Int32Array.from(marks.keys()),
      last: Int32Array.from(marks, price),
      isQuoted: new Uint8Array(hours).fill(1),
      bid: Int32Array.from(marks, (mark) => price(mark - 1)),
      ask: Int32Array.from(marks, (mark) => price(mark + 1)),
      trades: new Int32Array(hours).fill(1),
      usd: new Float64Array(hours).fill(10),
    })
  }

  // [technicals.list.rows]
  it('lists the most traded markets, strongest first', async () => {
    const { get } = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR], slots })
    const body = (await (await get('/api/public/technicals')).json()) as {
      technicals: { ticker: string; trend: string; strength: number }[]
      total: number
    }
    expect(body.total).toBe(3)
    expect(body.technicals[0]).toMatchObject({ ticker: 'KXCEASE', trend: 'up' })
    const strengths = body.technicals.map(({ strength }) => strength)
    expect(strengths).toEqual([...strengths].sort((a, b) => b - a))
    expect(await json(await get('/api/public/technicals?topic=oil'))).toMatchObject({ total: 1 })
    expect(await json(await get('/api/public/technicals?venue=venue_b'))).toMatchObject({
      total: 0,
    })
  })

  // [technicals.get.page]
  it('shows levels, days and indicators of one market', async () => {
    const { get } = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR], slots })
    const body = (await (await get(`/api/public/technicals/${IRAN.slug}`)).json()) as {
      series: { date: string; price: number; volume: number }[]
      indicators: { cri: number }
      trend: string
    }
    expect(body.series).toHaveLength(30)
    expect(body.series.at(-1)).toEqual({ date: '2026-11-20', price: 52, volume: 240 })
    expect(body.indicators.cri).toBe(1.083)
    expect(body.trend).toBe('up')
    expect((await get('/api/public/technicals/nothing')).status).toBe(404)
  })
})

describe('opinions and the index of texts', () => {
  const item = worldMarket({
    ticker: 'KXCEASE',
    topics: ['iran'],
    theme: 'iran',
    residualVr: 12,
    vr: 12,
    title: IRAN.facts.title,
    firstSeenAt: NOON - 40 * DAY,
  })
  const worldSnapshot = (): WorldSnapshot => ({
    world: buildWorld({
      at: NOON_ISH,
      baseline: defaultBaseline(NOON_ISH),
      markets: [item],
      duplicates: [],
      divergences: [],
      pairs: new Map(),
      thematic: new Map(),
      gauges: [],
      memory: new Map(),
    }),
    snapshot: QUARTER_HOUR,
    valueDayAgo: () => Promise.resolve(null),
    readingAtBaseline: () => Promise.resolve(null),
  })

  // [opinions.list.rows]
  it('writes one per topic and day, from facts, and stores it for past instants', async () => {
    const app = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR] })
    const { world } = worldSnapshot()
    const region = regionOf(['iran'], world.series)
    expect(region === null ? [] : candidatesIn(world, region)).not.toEqual([])
    await app.clock.advance(world.at - app.clock.now())
    await app.indexer.publish(worldSnapshot())
    await app.indexer.publish(worldSnapshot())
    const body = (await (await app.get('/api/public/opinions?topic=geopolitics')).json()) as {
      opinions: { slug: string; tickers: string[]; stance: string; generatedBy: string }[]
    }
    expect(body.opinions).toHaveLength(1)
    expect(body.opinions[0]).toMatchObject({
      tickers: ['KXCEASE'],
      stance: 'neutral',
      generatedBy: 'rule',
    })
    const page = await app.get(`/api/public/opinions/${body.opinions[0]?.slug ?? ''}`)
    expect(((await page.json()) as { body: string }).body).toMatch(
      /^## Facts\n[\s\S]*\[Source\]\(http\S+\)[\s\S]*## What would change it\n[\s\S]*It is no forecast/,
    )
    const before = new Date(world.at - 1).toISOString()
    expect(await json(await app.get(`/api/public/opinions?asOf=${before}`))).toMatchObject({
      total: 0,
    })
    expect(await json(await app.get('/api/public/opinions?ticker=kxoil'))).toMatchObject({
      total: 0,
    })
    for (const topic of ['constructor', '__proto__']) {
      const none = await app.get(`/api/public/opinions?topic=${topic}`)
      expect([none.status, await json(none)]).toMatchObject([200, { total: 0 }])
    }
  })

  // [search.site.types]
  it('are searched together with the markets, each kind by its type', async () => {
    const app = await questionApp({ views: VIEWS, snapshots: [QUARTER_HOUR] })
    await app.indexer.open()
    await app.clock.advance(worldSnapshot().world.at - app.clock.now())
    await app.indexer.publish(worldSnapshot())
    const types = async (query: string) =>
      (
        (await (await app.get(`/api/public/search?${query}`)).json()) as {
          results: { type: string; href: string }[]
        }
      ).results.map(({ type }) => type)
    expect(await types('q=hormuz')).toEqual(
      expect.arrayContaining(['market', 'topic', 'technical']),
    )
    expect(new Set(await types('q=cliff%20ratio&type=glossary'))).toEqual(new Set(['glossary']))
    expect(await types('q=morning%20brief&type=skill,topic')).toContain('skill')
    const query = (await (await app.get('/api/public/query?q=cliff%20ratio&mode=raw')).json()) as {
      content: { id: string }[]
    }
    expect(query.content[0]?.id).toBe('glossary:cliff-ratio')
  })
})
