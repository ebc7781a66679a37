import { describe, expect, it } from 'vitest'
import type { MarketFacts } from '../../domain/market.ts'
import { DAY, HOUR } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { marketQuantities, contextSnapshotOf } from '../../testing/snapshot-builders.ts'
import { structureApp } from '../../testing/structure-app.ts'

const inHours = (hours: number): Millis => (NOON + hours * HOUR) as Millis

/** A market that closes this many hours after noon; `usd` decides its importance. */
const closing = (
  ticker: string,
  hours: number,
  usd: number,
  facts: Partial<MarketFacts> = {},
  topics: readonly string[] = [],
) =>
  marketView({
    volume24hUsd: usd,
    topics,
    tau: hours > 0 ? hours / 24 : null,
    facts: {
      ticker,
      eventId: `E-${ticker}`,
      title: `Question of ${ticker}`,
      closeTime: inHours(hours),
      ...facts,
    },
  })

const shared = { eventId: 'E-RATE', eventTitle: 'Rate decision', category: 'economy' }
const views = [
  closing('KXR1', 30, 50, shared),
  closing('KXR2', 30, 900, shared),
  closing('KXOIL', 30, 200, {}, ['oil']),
  closing('KXSOON', 2, 0),
  closing('KXEARLY', 500, 3000, { expirationTime: inHours(240) }),
  closing('KXFAR', 24 * 45, 9000),
  closing('0xb', 60, 100, { venue: 'venue_b' }),
  marketView({ tau: null, facts: { ticker: 'KXNEVER', eventId: 'E-NEVER', closeTime: null } }),
]
const ended = closing('KXPAST', -20, 10, { status: 'settled', result: 'yes' })
const app = structureApp({
  snapshots: [contextSnapshotOf(views.map((view) => marketQuantities({ view })))],
  views: [ended],
})

interface Answer {
  readonly from: string
  readonly to: string
  readonly events: readonly { readonly title: string; readonly [name: string]: unknown }[]
  readonly count: number
}
const ask = async (query = ''): Promise<Answer> =>
  (await (await app.get(`/api/public/calendar?${query}`)).json()) as Answer
const titlesOf = async (query: string) => (await ask(query)).events.map(({ title }) => title)

describe('/api/public/calendar', () => {
  // [calendar.events.order] [calendar.events.row]
  it('lists decisions, soonest first, more important ones first at one time', async () => {
    const answer = await ask()
    expect(answer).toMatchObject({
      from: '2026-11-20T14:00:00.000Z',
      to: '2026-12-20T14:00:00.000Z',
      generatedAt: '2026-11-20T14:00:00.000Z',
      count: 5,
    })
    expect(answer.events.map(({ title }) => title)).toEqual([
      'Question of KXSOON',
      'Rate decision',
      'Question of KXOIL',
      'Question of 0xb',
      'Question of KXEARLY',
    ])
    expect(answer.events[1]).toEqual({
      id: expect.stringMatching(/^resolution:venue_a:E-RATE:/) as string,
      kind: 'resolution',
      title: 'Rate decision',
      name: 'Rate decision',
      at: '2026-11-21T20:00:00.000Z',
      start: '2026-11-21T20:00:00.000Z',
      date: '2026-11-21',
      timeKnown: true,
      category: 'economy',
      tickers: ['KXR2', 'KXR1'],
      importance: 'high',
      source: 'venue_a',
      market: {
        ticker: 'KXR1',
        venue: 'venue_a',
        title: 'Question of KXR1',
        price: 42,
        url: 'http://augury.test/api/agent/inspect/KXR1',
        tauDays: 1,
        volume24h: 1000,
      },
    })
  })

  // [calendar.events.importance]
  it('ranks by thirds of the dollars of the next 30 days, whatever the filter', async () => {
    const importances = (answer: Answer) =>
      answer.events.map(({ title, importance }) => [title, importance])
    expect(importances(await ask())).toEqual([
      ['Question of KXSOON', 'low'],
      ['Rate decision', 'high'],
      ['Question of KXOIL', 'medium'],
      ['Question of 0xb', 'low'],
      ['Question of KXEARLY', 'high'],
    ])
    expect(importances(await ask('topic=oil'))).toEqual([['Question of KXOIL', 'medium']])
  })

  // [calendar.events.expected]
  it('uses the expected resolution if it is before the close', async () => {
    const [early] = (await ask('ticker=kxearly')).events
    expect(early?.['at']).toBe('2026-11-30T14:00:00.000Z')
  })

  // [calendar.events.window]
  it('covers a number of days, or from and to', async () => {
    expect(await titlesOf('days=1')).toEqual(['Question of KXSOON'])
    expect(await titlesOf('days=0')).toEqual(await titlesOf('days=1'))
    expect((await ask('days=9999')).to).toBe('2027-11-20T14:00:00.000Z')
    expect(await titlesOf('days=60')).toContain('Question of KXFAR')
    const to = '2026-11-21T20:00:00Z'
    expect(await titlesOf(`to=${to}&days=300`)).toHaveLength(3)
    expect(await titlesOf(`from=${to}&to=${to}`)).toEqual(['Rate decision', 'Question of KXOIL'])
    expect(await titlesOf('from=2026-11-19T14:00:00Z&days=2')).toEqual([
      'Question of KXPAST',
      'Question of KXSOON',
    ])
    expect(await titlesOf('from=2026-12-25T00:00:00Z')).toEqual(['Question of KXFAR'])
  })

  // [calendar.events.filtered] [calendar.events.unconfigured]
  it('filters by category, kind, ticker, topic and limit', async () => {
    expect(await titlesOf('category=ECONOMY')).toEqual(['Rate decision'])
    expect(await titlesOf('category=none')).toEqual([])
    expect(await titlesOf('ticker=kxr1')).toEqual(['Rate decision'])
    expect(await titlesOf('ticker=NOPE')).toEqual([])
    expect(await titlesOf('kind=Resolution')).toHaveLength(5)
    expect(await titlesOf('kind=econ_release')).toEqual([])
    expect(await titlesOf('limit=0')).toEqual(['Question of KXSOON'])
  })

  // [calendar.events.as-of]
  it('returns for a past instant only what was known then', async () => {
    const late = closing('KXLATE', 5, 10)
    const dayAgo = (NOON - DAY) as Millis
    const past = structureApp({
      snapshots: [
        contextSnapshotOf([marketQuantities({ view: views[3] ?? late })], { at: dayAgo }),
        contextSnapshotOf([marketQuantities({ view: late })]),
      ],
    })
    const body = (await (
      await past.get('/api/public/calendar?asOf=2026-11-19T15:00:00Z')
    ).json()) as Answer
    expect(body).toMatchObject({ from: '2026-11-19T15:00:00.000Z', count: 1 })
    expect(body.events[0]?.title).toBe('Question of KXSOON')
    const before = await past.get('/api/public/calendar?asOf=2020-01-01T00:00:00Z')
    expect(await before.json()).toMatchObject({ events: [], count: 0 })
  })

  it.each([
    ['from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z', 'from must not be after to'],
    ['to=2026-11-01T00:00:00Z', 'to must not be before from'],
    ['from=soon', 'from must be an ISO 8601 time'],
    ['days=many', 'days must be an integer'],
    [
      'kind=luck',
      'kind must be resolution, econ_release, gov_action, election, fed_meeting or custom',
    ],
    ['asOf=2030-01-01T00:00:00Z', 'asOf is in the future'],
  ])('refuses %s', async (query, error) => {
    const response = await app.get(`/api/public/calendar?${query}`)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error, code: 'VALIDATION_ERROR' },
    ])
  })

  // [structure.reads.cached]
  it('is cached for a minute', () => {
    const route = app.app.routes.find(({ path }) => path === '/api/public/calendar')
    expect(route?.hooks).toMatchObject({ auth: 'optional', cache: 60 })
  })
})
