import { describe, expect, it } from 'vitest'
import type { Millis } from '../../domain/units.ts'
import type { ChangeRow } from '../../history/change-events.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { testApp } from '../../testing/test-app.ts'

interface Changes {
  readonly changes: { readonly id: string; readonly [name: string]: unknown }[]
  readonly count: number
  readonly nextCursor: string | null
  readonly hasMore: boolean
}
const bodyOf = async (response: Response): Promise<Changes> => (await response.json()) as Changes

const views = [
  marketView({ topics: ['oil'], facts: { ticker: 'KXOIL' } }),
  marketView({ facts: { ticker: '0xb', venue: 'venue_b' } }),
]
const change = (id: string, minutesAgo: number, row: Partial<ChangeRow> = {}): ChangeRow => ({
  id,
  market: views[0]?.market ?? 0,
  type: 'price_move',
  at: (NOON - minutesAgo * 60_000) as Millis,
  before: 40,
  after: 44,
  delta: 4,
  ...row,
})
const other = { market: views[1]?.market ?? 0 }
const changes = [
  change('c', 10),
  change('b', 10),
  change('a', 5, { type: 'resolved', before: 'closed', after: 'yes', delta: null, ...other }),
  change('old', 90, other),
]
const { get } = testApp({ views, changes })
const idsOf = async (query: string) =>
  (await bodyOf(await get(`/api/changes?${query}`))).changes.map(({ id }) => id)

describe('/api/changes', () => {
  // [markets.changes.since] [markets.changes.price-move]
  it('returns what happened since, newest first', async () => {
    const body = await bodyOf(await get('/api/changes'))
    expect(body).toMatchObject({
      since: '2026-11-20T13:00:00.000Z',
      to: '2026-11-20T14:00:00.000Z',
      count: 3,
      hasMore: false,
      nextCursor: null,
    })
    expect(body.changes.map(({ id }) => id)).toEqual(['a', 'b', 'c'])
    expect(body.changes[1]).toEqual({
      ticker: 'KXOIL',
      venue: 'venue_a',
      title: 'Will the test pass?',
      price: 42,
      url: 'http://augury.test/api/agent/inspect/KXOIL',
      id: 'b',
      type: 'price_move',
      before: 40,
      after: 44,
      delta: 4,
      at: '2026-11-20T13:50:00.000Z',
    })
    expect(await idsOf('since=2h')).toContain('old')
    expect(await idsOf('since=2026-11-20T13:54:00Z')).toEqual(['a'])
  })

  // [markets.changes.type]
  it('filters by kind, ticker, topic and venue', async () => {
    expect(await idsOf('type=RESOLVED,new_market')).toEqual(['a'])
    expect(await idsOf('type=')).toEqual(await idsOf(''))
    expect(await idsOf('ticker=kxoil')).toEqual(['b', 'c'])
    expect(await idsOf('topic=oil')).toEqual(['b', 'c'])
    expect(await idsOf('venue=venue_b&since=1d')).toEqual(['a', 'old'])
    expect(await idsOf('ticker=NOPE')).toEqual([])
    expect(await idsOf('ticker=kxoil&venue=venue_b')).toEqual([])
  })

  // [markets.changes.paged] [markets.changes.limit-clamped]
  it('continues by cursor, with its window and filters', async () => {
    const walked: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const cursor = next === '' ? 'since=1d' : `cursor=${next}&type=resolved`
      const page: Changes = await bodyOf(await get(`/api/changes?limit=0&${cursor}`))
      expect(page.count).toBe(1)
      walked.push(...page.changes.map(({ id }) => id))
      next = page.nextCursor
    }
    expect(walked).toEqual(['a', 'b', 'c', 'old'])
  })

  it.each([
    ['since=31d', 'since must be within 30 days'],
    ['since=soon', 'since must be a duration (<n>m|h|d) or an ISO time'],
    ['limit=many', 'limit must be an integer'],
    ['cursor=zzz', 'cursor is invalid'],
    [
      'type=price_move,luck',
      'type must be price_move, new_market, status_change, resolved, volume_spike, regime_change, spread_change or close_time_change',
    ],
  ])('refuses %s', async (query, error) => {
    const response = await get(`/api/changes?${query}`)
    expect([response.status, await response.json()]).toEqual([
      400,
      { error, code: 'VALIDATION_ERROR' },
    ])
  })
})
