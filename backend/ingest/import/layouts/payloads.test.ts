import { describe, expect, it } from 'vitest'
import { HOUR, MINUTE, SECOND, type Millis } from '../../../domain/units.ts'
import { RememberedCatalogue } from '../../../venues/venue-a/catalogue.ts'
import type { VenueEvent } from '../../../venues/connector.ts'
import { NO_NOTES, type Context, type Recording, type RecordingNotes } from '../recording.ts'
import { linesOf, nearestLayout, recordingOf, tableLayoutOf } from './layouts.ts'
import { gammaOfClob } from './venue-b-messages.ts'

/** What small payloads of the venues are, and what each of their rows states. */
const RECEIVED = Date.parse('2026-03-01T12:00:00Z') as Millis
const AT = Date.parse('2026-03-01T10:00:00Z')
const CONDITION = `0x${'ab'.repeat(32)}`
/** Assets 1 and 2 are the outcomes of the condition. */
const outcomeOf = (_ticker: string, asset: string): 0 | 1 | null =>
  asset === '1' ? 0 : asset === '2' ? 1 : null

const found = (body: unknown, notes: Partial<RecordingNotes> = {}): Recording | Context => {
  const recording = recordingOf(body, { ...NO_NOTES, ...notes })
  if (recording === null) throw new Error('the payload was not detected')
  return recording
}
const recordingIn = (body: unknown, notes: Partial<RecordingNotes> = {}): Recording => {
  const recording = found(body, notes)
  if ('ids' in recording) throw new Error(`${recording.layout} has no rows`)
  return recording
}
/** A row's events, or why it has none. */
const rowsOf = ({ rows }: Recording): (readonly VenueEvent[] | string)[] => {
  const catalogue = new RememberedCatalogue()
  return rows.map((row) => {
    const { events, skipped } = row(
      { origin: 'imported', receivedAt: RECEIVED },
      catalogue,
      outcomeOf,
    )
    return events.length > 0 ? events : (Object.keys(skipped)[0] ?? 'nothing')
  })
}
const layoutOf = (body: unknown): string | null => recordingOf(body)?.layout ?? null

describe('messages of the order book service', () => {
  const message = (type: string, more: object = {}) => ({
    event_type: type,
    market: CONDITION,
    asset_id: '1',
    timestamp: String(AT),
    ...more,
  })

  it('are quotes of both outcomes, each in terms of YES', () => {
    const recording = recordingIn([
      message('best_bid_ask', { best_bid: '0.4', best_ask: '0.45' }),
      message('best_bid_ask', { best_bid: '0.4', best_ask: '0.45', asset_id: '2' }),
      message('best_bid_ask', { best_bid: '0.4', best_ask: '1', asset_id: '2' }),
      message('best_bid_ask', { best_bid: '0', best_ask: '0.45' }),
      message('best_bid_ask', { best_bid: '0.4' }),
      message('best_bid_ask', { best_ask: '0.4' }),
      message('best_bid_ask'),
      message('best_bid_ask', { best_bid: '0.4', asset_id: '3' }),
      message('best_bid_ask', { best_bid: '0.4', timestamp: null }),
      message('best_bid_ask', { best_bid: '0.4', market: '' }),
    ])
    expect(recording).toMatchObject({
      layout: 'venue_b_ws_quotes',
      venue: 'venue_b',
      rank: 3,
      counted: 'quote_changed',
    })
    expect(recording.assets?.slice(0, 3)).toEqual(['1', '2', '2'])
    const quotes = rowsOf(recording).map((row) =>
      typeof row === 'string'
        ? row
        : row.map((event) =>
            event.type === 'quote_changed' ? [event.bid, event.ask] : event.type,
          ),
    )
    expect(quotes).toEqual([
      [[4_000, 4_500]],
      [[5_500, 6_000]],
      [[null, 6_000]],
      [[null, 4_500]],
      [[4_000, null]],
      [[null, 4_000]],
      'change of one level: no quote can be derived without its book',
      'price of an unknown outcome: import its market with it',
      'price without a market or a time',
      'price without a market or a time',
    ])
    expect(rowsOf(recording)[0]).toMatchObject([{ at: AT, receivedAt: AT + 5 * SECOND }])
  })

  it('are one row per change of a price', () => {
    const changes = [
      { asset_id: '1', best_bid: '0.4', best_ask: '0.5' },
      { asset_id: '2', best_bid: '0.5', best_ask: '0.6' },
      null,
    ]
    const recording = recordingIn(
      message('price_change', { asset_id: undefined, price_changes: changes }),
    )
    expect(recording.assets).toEqual(['1', '2'])
    expect(rowsOf(recording)).toMatchObject([
      [{ bid: 4_000, ask: 5_000 }],
      [{ bid: 4_000, ask: 5_000 }],
      'price without a market or a time',
    ])
  })

  it('are trades and books of named outcomes', () => {
    const trade = {
      price: '0.4',
      size: '3',
      side: 'BUY',
      transaction_hash: '0x1',
      fee_rate_bps: '0',
    }
    const trades = recordingIn([
      message('last_trade_price', trade),
      message('last_trade_price', { ...trade, asset_id: '2' }),
      message('last_trade_price', { ...trade, asset_id: '3' }),
      null,
    ])
    expect(trades).toMatchObject({ layout: 'venue_b_ws_trades', rank: 3, counted: 'trade_printed' })
    expect(rowsOf(trades)).toMatchObject([
      [{ price: 4_000, size: 3_000_000, takerSide: 'yes' }],
      [{ price: 6_000, size: 3_000_000, takerSide: 'no' }],
      'trade of an unknown outcome',
      'trade without a market',
    ])

    const book = (asset: string) => ({
      market: CONDITION,
      asset_id: asset,
      timestamp: String(AT),
      bids: [{ price: '0.4', size: '3' }],
      asks: [{ price: '0.5', size: '2' }],
    })
    const crossed = { ...book('1'), bids: [{ price: '0.6', size: '3' }] }
    const books = recordingIn([book('1'), book('3'), crossed])
    expect(books).toMatchObject({ layout: 'venue_b_books', rank: 3, counted: 'book_changed' })
    const [first, second, third] = rowsOf(books)
    expect(first).toMatchObject([{ bid: 4_000, ask: 5_000 }, { type: 'book_changed' }])
    expect(second).toBe('book of an unknown outcome: import its market with it')
    // The reason of the parser stays where the outcome is known.
    expect(third).not.toBe(second)
    expect(typeof third).toBe('string')
  })

  it('are outcomes from the delay of the venue on', () => {
    const resolved = (more: object) =>
      message('market_resolved', { assets_ids: ['1', '2'], winning_asset_id: '1', ...more })
    const recording = recordingIn([
      resolved({}),
      resolved({ winning_asset_id: '2' }),
      resolved({ winning_asset_id: '3' }),
      resolved({ market: null }),
      resolved({ timestamp: 'soon' }),
    ])
    expect(recording).toMatchObject({ layout: 'venue_b_ws_resolutions', rank: 2, rows: [] })
    const outcome = { venue: 'venue_b', ticker: CONDITION, knownAt: AT + 5 * SECOND }
    expect(recording.outcomes).toEqual([
      { ...outcome, result: 'yes', settlementPrice: 10_000 },
      { ...outcome, result: 'no', settlementPrice: 0 },
      null,
      null,
      null,
    ])
  })

  it('are known but empty, or nothing', () => {
    expect(found(message('tick_size_change'))).toMatchObject({
      layout: 'venue_b_without_history',
      ids: [],
    })
    expect(layoutOf(message('new_kind'))).toBeNull()
    expect(layoutOf([])).toBeNull()
    expect(layoutOf(7)).toBeNull()
  })
})

describe('markets of the order book service', () => {
  const token = (outcome: string, id: string, winner: boolean) => ({
    outcome,
    token_id: id,
    winner,
  })
  const wire = {
    market_slug: 'rain',
    end_date_iso: '2026-12-01T00:00:00Z',
    minimum_tick_size: 0.01,
    accepting_orders: true,
    accepting_order_timestamp: '2026-01-01T00:00:00Z',
  }

  it('have the names of the catalogue, and the prices that one winner proves', () => {
    expect(
      gammaOfClob({ ...wire, tokens: [token('Yes', '1', false), token('No', '2', true)] }),
    ).toMatchObject({
      outcomes: ['Yes', 'No'],
      clobTokenIds: ['1', '2'],
      outcomePrices: ['0', '1'],
      endDate: wire.end_date_iso,
      slug: 'rain',
      orderPriceMinTickSize: 0.01,
      acceptingOrders: true,
      acceptingOrdersTimestamp: wire.accepting_order_timestamp,
    })
    for (const winner of [true, false]) {
      const tokens = [token('Yes', '1', winner), token('No', '2', winner)]
      expect(gammaOfClob({ ...wire, tokens })).not.toHaveProperty('outcomePrices')
    }
  })

  it('stay as they are where they have these names or no assets', () => {
    const named = { outcomes: '["Yes","No"]', tokens: [token('Yes', '1', true)] }
    expect(gammaOfClob(named)).toBe(named)
    const bare = { question: 'Rain?' }
    expect(gammaOfClob(bare)).toBe(bare)
  })
})

describe('responses of Kalshi', () => {
  const market = { ticker: 'KXA', event_ticker: 'KXE', title: 'A?', status: 'active' }
  const trade = { trade_id: 't', ticker: 'KXA' }
  const event = { event_ticker: 'KXE', title: 'E?' }

  it.each([
    ['a page of markets', { markets: [market] }, 'venue_a_markets'],
    ['one market', { market }, 'venue_a_markets'],
    ['a list of markets', [market], 'venue_a_markets'],
    ['a page of events', { events: [event] }, 'venue_a_events'],
    ['one event', { event, markets: [market] }, 'venue_a_events'],
    ['a list of events', [event], 'venue_a_events'],
    ['a page of series', { series: [{ ticker: 'KX' }] }, 'venue_a_series'],
    ['one series', { series: { ticker: 'KX' } }, 'venue_a_series'],
    ['a page of trades', { trades: [trade] }, 'venue_a_trades'],
    ['a book', { orderbook: {} }, 'venue_a_orderbooks'],
    ['a book in dollars', { orderbook_fp: {} }, 'venue_a_orderbooks'],
    ['books', { orderbooks: [{ orderbook: {} }] }, 'venue_a_orderbooks'],
    ['bars', { ticker: 'KXA', candlesticks: [] }, 'venue_a_candlesticks'],
    ['a market without its event', { markets: [{ ticker: 'KXA' }] }, null],
    ['a trade without its market', { trades: [{ trade_id: 't' }] }, null],
    ['an empty page', { markets: [] }, null],
  ])('are detected: %s', (_what, body, layout) => {
    expect(layoutOf(body)).toBe(layout)
  })

  it('count an event by its markets, or as the name of other markets', () => {
    const nested = recordingIn({ event, markets: [market, { ...market, ticker: 'KXB' }] })
    expect(nested.rows).toHaveLength(2)
    expect(rowsOf(nested)).toMatchObject([
      [{ facts: { ticker: 'KXA', eventTitle: 'E?' } }],
      [{ facts: { ticker: 'KXB', eventTitle: 'E?' } }],
    ])
    const named = found([event, { event_ticker: 'KXF' }, { title: 'No id' }])
    expect(named).toMatchObject({
      rank: 4,
      contextKind: 'event',
      ids: ['KXE', 'KXF', null],
      titles: { events: [{ eventId: 'KXE', title: 'E?' }], series: [] },
    })
  })

  const bar = (end: number) => ({
    end_period_ts: end,
    yes_bid: { close_dollars: '0.4' },
    yes_ask: { close_dollars: '0.5' },
    price: {},
    volume_fp: '1',
  })
  const ends = AT / SECOND
  const widthsOf = (bars: readonly unknown[], notes: Partial<RecordingNotes> = {}) =>
    rowsOf(recordingIn({ ticker: 'KXA', candlesticks: bars }, notes)).map((row) =>
      typeof row === 'string'
        ? row
        : row.map((one) => (one.type === 'candle_published' ? one.width : one.type)),
    )

  it.each([
    ['a minute', [ends, ends + 60, ends + 240], {}, MINUTE],
    ['an hour, in any order', [ends + 7_200, ends, ends + 3_600, ends], {}, HOUR],
    ['a day', [ends, ends + 86_400], {}, 24 * HOUR],
    ['as noted', [ends], { periodMinutes: 60 }, HOUR],
  ])('have bars of %s', (_what, times, notes, width) => {
    expect(widthsOf(times.map(bar), notes)).toEqual(times.map(() => [width]))
  })

  it.each([
    ['one bar', [ends]],
    ['bars of one time', [ends, ends]],
    ['another distance', [ends, ends + 61]],
  ])('have bars of unknown length: %s', (_what, times) => {
    expect(widthsOf(times.map(bar))).toEqual(times.map(() => 'bar of unknown length'))
  })

  it.each([
    [
      'of a batch',
      { market_tickers: ['KXA', 'KXB'], market_candlesticks: [[bar(ends)], [bar(ends)]] },
    ],
    [
      'of markets',
      {
        markets: [
          { market_ticker: 'KXA', candlesticks: [bar(ends)] },
          { market_ticker: 'KXC' },
          { market_ticker: 'KXB', candlesticks: [bar(ends)] },
        ],
      },
    ],
  ])('have bars %s', (_what, body) => {
    const rows = rowsOf(recordingIn(body, { periodMinutes: 1 }))
    expect(rows).toMatchObject([[{ ticker: 'KXA' }], [{ ticker: 'KXB' }]])
  })

  it('have the market that the collector noted where they name none', () => {
    const notes = { periodMinutes: 1, ticker: 'KXN' }
    expect(rowsOf(recordingIn({ candlesticks: [bar(ends)] }, notes))).toMatchObject([
      [{ ticker: 'KXN' }],
    ])
  })
})

describe('dumps of the client library', () => {
  it('are detected by their keys, without the underscores', () => {
    expect(layoutOf([{ _event_ticker: 'KXE', _title: 'E?' }])).toBe('kalshi_2024-07_event_data')
    const history = recordingIn([
      {
        KXA: [
          { _ts: AT / SECOND, _yes_bid: 40, _yes_ask: 45, _no_bid: 55, _no_ask: 60 },
          { _ts: null },
        ],
      },
    ])
    expect(history).toMatchObject({ layout: 'kalshi_2024-07_market_history', rank: 3 })
    expect(rowsOf(history)).toMatchObject([
      [{ ticker: 'KXA', at: AT, bid: 4_000, ask: 4_500 }],
      'point without a time',
    ])
    const books = recordingIn([{ KXA: { _yes: [[40, 3]], _no: [[55, 2]] } }])
    expect(books).toMatchObject({ layout: 'kalshi_2024-07_orderbook_data', rank: 3 })
    expect(rowsOf(books)[0]).toMatchObject([{ bid: 4_000, ask: 4_500 }, { ticker: 'KXA' }])
    const markets = recordingIn([{ KXE: [{ _ticker: 'KXA', _event_ticker: 'KXE', _title: 'A?' }] }])
    expect(markets).toMatchObject({ layout: 'kalshi_2024-07_market_data', rank: 1 })
    expect(markets.rows).toHaveLength(1)
    expect(layoutOf([{ KXA: { _yes: [] } }])).toBeNull()
  })
})

describe('responses of Polymarket', () => {
  const market = { conditionId: CONDITION, question: 'Rain?', outcomes: '["Yes","No"]' }
  const event = { id: '1', slug: 'rain', title: 'Weather', markets: [market] }
  const trade = { conditionId: CONDITION, side: 'BUY', price: 0.4 }

  it.each([
    ['a list of markets', [market], 'venue_b_markets', 1],
    ['one market', market, 'venue_b_markets', 1],
    ['a page of markets', { markets: [market] }, 'venue_b_markets', 1],
    ['a page of data', { data: [market, market] }, 'venue_b_markets', 2],
    ['a list of events', [event], 'venue_b_events', 1],
    ['one event', event, 'venue_b_events', 1],
    ['a page of events', { events: [event, event] }, 'venue_b_events', 2],
    ['a list of trades', [trade, trade], 'venue_b_trades', 2],
  ])('are detected: %s', (_what, body, layout, rows) => {
    const recording = recordingIn(body)
    expect([recording.layout, recording.rows.length]).toEqual([layout, rows])
    expect(recording.rank).toBe(layout === 'venue_b_trades' ? 3 : 1)
  })

  it.each([
    ['a trade without a price', [{ ...trade, price: undefined }]],
    ['a market without a question', [{ conditionId: CONDITION }]],
    ['an event without markets', [{ id: '1', slug: 'rain' }]],
  ])('are not %s', (_what, body) => {
    expect(layoutOf(body)).toBeNull()
  })

  it('may be lines of JSON with the entry of the catalogue', () => {
    const line = { raw: { ...market, id: '5', active: true } }
    const recording = linesOf(line, [JSON.stringify(line), '{"raw":7}', '{'])
    expect(recording).toMatchObject({ layout: 'btc_5m_markets', rank: 1 })
    expect(recording && rowsOf(recording)).toMatchObject([
      [{ facts: { title: 'Rain?' } }],
      'line is not JSON with a market in raw',
      'line is not JSON with a market in raw',
    ])
    expect(linesOf({ raw: { id: 5 } }, [])).toBeNull()
    expect(linesOf({}, [])).toBeNull()
  })
})

describe('the layout of a table', () => {
  const columnsOf = (name: string): readonly string[] => {
    const near = nearestLayout(new Set(['slug', 'y', 'source']))
    if (near?.name !== name) throw new Error(`${name} is not the nearest layout`)
    return [...near.present, ...near.missing]
  }

  it('has all of its columns, and perhaps more', () => {
    const columns = columnsOf('pmus_labels')
    expect(tableLayoutOf(new Set(columns))?.name).toBe('pmus_labels')
    expect(tableLayoutOf(new Set([...columns, 'more']))?.name).toBe('pmus_labels')
    expect(tableLayoutOf(new Set(columns.slice(1)))).toBeNull()
  })

  it('is near with two columns that are at least a third of it', () => {
    expect(nearestLayout(new Set(['ts', 'slug', 'bid']))).toEqual({
      name: 'pmus_quotes',
      present: ['ts', 'slug', 'bid'],
      missing: ['ask', 'mid', 'spread', 'segment'],
    })
    expect(nearestLayout(new Set(['ts']))).toBeNull()
    expect(nearestLayout(new Set(['slug', 'none']))).toBeNull()
    expect(nearestLayout(new Set())).toBeNull()
  })
})
