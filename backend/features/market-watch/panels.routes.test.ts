import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  every,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type MarketWatchService,
  type Reader,
} from '../../testing/market-watch-service.ts'

const STARTED = '2026-11-20T14:00:00.000Z'

describe('panels', () => {
  let service: MarketWatchService
  let ann: Reader
  let ben: Reader

  beforeEach(async () => {
    service = await marketWatchService()
    ann = await service.user('pro')
    ben = await service.user('pro')
  })
  afterEach(() => service.close())

  // [market-watch.create.head] [market-watch.panel.floor]
  it('are added at the end and described by their first lines', async () => {
    const first = await ann.send('POST', PANELS, { title: '  Feeds  ', spec: presetSpec() })
    expect(first.status).toBe(201)
    expect(first.headers['cache-control']).toBe('no-store')
    const { id } = first.body['panel'] as { id: string }
    expect(id).toMatch(/^pnl_[0-9a-z]{20}$/)
    expect(first.body).toEqual({
      panel: {
        id,
        title: 'Feeds',
        kind: 'preset',
        status: 'active',
        sortIdx: 0,
        refreshFloorSeconds: 15,
      },
    })
    const second = await ann.send('POST', PANELS, { spec: screenSpec() })
    expect(second.body['panel']).toMatchObject({ kind: 'screen', sortIdx: 1 })
    await ann.send('PATCH', `${PANELS}/${id}`, { sortIdx: 7 })
    const third = await ann.send('POST', PANELS, { spec: presetSpec() })
    expect(third.body['panel']).toMatchObject({ sortIdx: 8 })
    // The numbers are per user.
    const other = await ben.send('POST', PANELS, { spec: presetSpec() })
    expect(other.body['panel']).toMatchObject({ sortIdx: 0 })
  })

  // [market-watch.presets.eight]
  it.each([
    ['sf_index_24h', 'Index, 24 h'],
    ['liquidity_by_theme', 'Liquidity by theme'],
    ['regime_attention', 'Regime attention'],
    ['cross_venue_contagion', 'Cross-venue contagion'],
    ['movers_volume_z', 'Movers by volume'],
    ['data_health', 'Data health'],
    ['calendar_catalysts', 'Catalysts'],
    ['watchlist_microstructure', 'Watchlist'],
  ])('are titled by their preset by default: %s', async (preset, label) => {
    const own = await ann.send('POST', PANELS, { spec: presetSpec(preset) })
    expect(own.body['panel']).toMatchObject({ title: label })
    const spec = presetSpec(preset, { title: 'Of the spec' })
    const ofSpec = await ann.send('POST', PANELS, { spec })
    expect(ofSpec.body['panel']).toMatchObject({ title: 'Of the spec' })
    const ofBody = await ann.send('POST', PANELS, { title: 'Of the body', spec })
    expect(ofBody.body['panel']).toMatchObject({ title: 'Of the body' })
  })

  // [market-watch.panel.spec]
  it('store their spec as sent, without unknown fields', async () => {
    const id = await ann.add(
      screenSpec('latest_market_prices', {
        version: undefined,
        title: ' Rates ',
        colour: 'red',
        preset: { id: 'data_health' },
        display: { visualization: 'bar', stacked: true },
        filters: {
          probability: { min: 0.1, mean: 0.5 },
          window: '7d',
          venue: 'venue_a',
          tickers: ['kxfed-1', 'KXFED-1', `pm:0x${'A'.repeat(64)}`],
        },
        schedule: { mode: 'interval', cadenceMinutes: 50_000, jitter: 1 },
      }),
    )
    const [panel] = await ann.panels()
    expect(panel).toMatchObject({ id })
    expect(panel?.['spec']).toEqual({
      version: 1,
      kind: 'screen',
      title: 'Rates',
      sources: ['latest_market_prices'],
      filters: {
        probability: { min: 0.1 },
        window: '7d',
        tickers: ['KXFED-1', `0x${'a'.repeat(64)}`],
      },
      display: { visualization: 'bar' },
      schedule: { mode: 'interval', cadenceMinutes: 43_200 },
    })
  })

  // [market-watch.change.subset]
  it('can change title, spec, status and place, or nothing', async () => {
    const id = await ann.add(presetSpec(), 'Feeds')
    await service.clock.advance(60_000)
    const path = `${PANELS}/${id}`
    const nothing = await ann.send('PATCH', path, { colour: 'red' })
    expect(nothing.status).toBe(200)
    expect(nothing.body).toEqual({
      panel: {
        id,
        title: 'Feeds',
        kind: 'preset',
        status: 'active',
        sortIdx: 0,
        refreshFloorSeconds: 15,
        spec: presetSpec(),
      },
    })
    expect((await ann.panels())[0]).toMatchObject({ createdAt: STARTED, updatedAt: STARTED })
    const changes = [
      [{ title: ' Venues ' }, { title: 'Venues' }],
      [{ status: 'paused' }, { status: 'paused' }],
      [{ sortIdx: 3 }, { sortIdx: 3 }],
      [{ spec: presetSpec('sf_index_24h') }, { kind: 'preset', title: 'Venues' }],
      [
        { title: 'All', status: 'active', sortIdx: 0, spec: screenSpec() },
        { title: 'All', status: 'active', sortIdx: 0, kind: 'screen' },
      ],
    ] as const
    for (const [change, expected] of changes) {
      const { status, body } = await ann.send('PATCH', path, change)
      expect(status).toBe(200)
      expect(body['panel']).toMatchObject(expected)
    }
    expect((await ann.panels())[0]).toMatchObject({
      title: 'All',
      createdAt: STARTED,
      updatedAt: '2026-11-20T14:01:00.000Z',
    })
  })

  // [market-watch.change.order]
  it('report the first error of a change, and are not changed', async () => {
    const id = await ann.add(presetSpec(), 'Feeds')
    const before = await ann.panels()
    const faults: readonly (readonly [body: unknown, status: number, reason: string])[] = [
      ['[]', 400, 'invalid_json_body'],
      [{ title: '', status: 'gone' }, 400, 'title_invalid'],
      [{ title: 'New', spec: { title: 7 }, status: 'gone' }, 400, 'title_invalid'],
      [{ title: 'New', status: 'gone', sortIdx: -1 }, 400, 'status_invalid'],
      [{ title: 'New', status: null }, 400, 'status_invalid'],
      [{ title: 'New', status: 'paused', sortIdx: -1, spec: null }, 400, 'sort_idx_invalid'],
      [{ title: 'New', sortIdx: 0.5 }, 400, 'sort_idx_invalid'],
      [{ title: 'New', sortIdx: 100_001 }, 400, 'sort_idx_invalid'],
      [{ title: 'New', sortIdx: '1' }, 400, 'sort_idx_invalid'],
      [{ title: 'New', spec: null }, 400, 'spec_required'],
      [{ title: 'New', spec: {} }, 400, 'kind_unknown'],
      [
        { title: 'New', spec: { kind: 'preset', preset: { id: 'data_health' } } },
        400,
        'display_missing',
      ],
      [
        { title: 'New', spec: presetSpec('data_health', every(5)) },
        400,
        'schedule_cadence_below_tier_floor',
      ],
    ]
    for (const [body, status, reason] of faults) {
      const answer = await ann.send('PATCH', `${PANELS}/${id}`, body)
      expect([body, answer.status, answer.body['reason']]).toEqual([body, status, reason])
    }
    expect(await ann.panels()).toEqual(before)
    // For panels that do not exist only the error of the body is returned.
    const unknown = await ann.send('PATCH', `${PANELS}/nope`, { title: '', status: 'gone' })
    expect([unknown.status, unknown.body['reason']]).toEqual([404, 'panel_not_found_or_not_owned'])
    const broken = await ann.send('PATCH', `${PANELS}/nope`, '{')
    expect([broken.status, broken.body['reason']]).toEqual([400, 'invalid_json_body'])
  })

  // [market-watch.remove.gone]
  it('are removed, and the others keep their order', async () => {
    const ids = [await ann.add(presetSpec()), await ann.add(screenSpec())]
    const { status, body } = await ann.send('DELETE', `${PANELS}/${ids[0]}`)
    expect([status, body]).toEqual([200, { ok: true }])
    expect(await ann.panels()).toMatchObject([{ id: ids[1], sortIdx: 1 }])
    const again = await ann.send('DELETE', `${PANELS}/${ids[0]}`)
    expect([again.status, again.body]).toEqual([
      404,
      { reason: 'panel_not_found_or_not_owned', error: 'You have no such panel' },
    ])
  })

  // [market-watch.reorder.all]
  it('are reordered as a whole', async () => {
    const ids: string[] = []
    for (let i = 0; i < 3; i += 1) {
      ids.push(await ann.add(presetSpec()))
      await service.clock.advance(1)
    }
    const [a = '', b = '', c = ''] = ids
    const { status, body } = await ann.send('POST', `${PANELS}/reorder`, {
      order: [{ id: c, sortIdx: 0 }],
    })
    expect(status).toBe(200)
    // Equal places are ordered by age, and unnamed panels keep theirs.
    expect(body).toEqual({
      ok: true,
      order: [
        { id: a, sortIdx: 0 },
        { id: c, sortIdx: 0 },
        { id: b, sortIdx: 1 },
      ],
    })
    expect((await ann.panels()).map(({ id }) => id)).toEqual([a, c, b])
    const faults = [
      ['{', 'invalid_json_body'],
      [{}, 'order_invalid'],
      [{ order: [] }, 'order_invalid'],
      [{ order: { id: a, sortIdx: 0 } }, 'order_invalid'],
      [
        {
          order: [
            { id: a, sortIdx: 0 },
            { id: a, sortIdx: 1 },
          ],
        },
        'order_invalid',
      ],
      [{ order: [{ id: a, sortIdx: -1 }] }, 'order_invalid'],
      [{ order: [{ id: a, sortIdx: 0.5 }] }, 'order_invalid'],
      [{ order: [{ id: a, sortIdx: 100_001 }] }, 'order_invalid'],
      [{ order: [{ id: 7, sortIdx: 0 }] }, 'order_invalid'],
      [{ order: [{ id: a }] }, 'order_invalid'],
      [
        { order: Array.from({ length: 201 }, (_, i) => ({ id: `x${i}`, sortIdx: i })) },
        'order_invalid',
      ],
    ] as const
    for (const [sent, reason] of faults) {
      const answer = await ann.send('POST', `${PANELS}/reorder`, sent)
      expect([sent, answer.status, answer.body['reason']]).toEqual([sent, 400, reason])
    }
    expect((await ann.panels()).map(({ id }) => id)).toEqual([a, c, b])
  })
})
