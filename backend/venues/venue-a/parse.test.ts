import { describe, expect, it } from 'vitest'
import { factsOf, NOW, ofType, payloadsOf, POLLED } from '../../testing/venue-payloads.ts'
import { parseEventContext, parseSeriesPage, RememberedCatalogue } from './catalogue.ts'
import { applyLifecycle } from './lifecycle.ts'
import { parseEventsPage, parseMarketsPage } from './parse.ts'

const fixture = payloadsOf('venue-a')

/** One market as the venue sends it now, with some fields changed. */
const market = (changes: object = {}) => ({
  ticker: 'KXTEST-26-A',
  event_ticker: 'KXTEST-26',
  status: 'active',
  yes_sub_title: 'Above 3',
  title: 'Will it be above 3?',
  yes_bid_dollars: '0.4200',
  yes_ask_dollars: '0.4400',
  yes_bid_size_fp: '13.00',
  yes_ask_size_fp: '20.50',
  ...changes,
})
const quoteOf = (changes: object) =>
  ofType(parseMarketsPage({ markets: [market(changes)] }, POLLED), 'quote_changed')[0]

describe('venue_a catalogue', () => {
  it('describes markets from their event, series and own fields', () => {
    const catalogue = new RememberedCatalogue()
    catalogue.addSeries([{ ...parseSeriesPage(fixture('series'))[0]!, seriesId: 'KXELONMARS' }])
    const parsed = parseEventsPage(fixture('events'), POLLED, catalogue)
    const [mars, secretary] = factsOf(parsed)
    expect(mars).toMatchObject({
      ticker: 'KXELONMARS-99',
      title: 'Will Elon Musk visit Mars in his lifetime?',
      subtitle: 'Mars',
      seriesTitle: 'Bitcoin price Above/below',
      category: 'crypto',
      tags: ['Hourly', 'BTC'],
      rulesUrl: 'https://assets.kalshi.com/contract_terms/BTC.pdf',
      status: 'active',
      result: null,
      exclusive: false,
      openTime: Date.parse('2025-08-28T20:45:00Z'),
      expirationTime: Date.parse('2099-08-01T15:00:00Z'),
      priceRanges: [{ start: 0, end: 10_000, step: 100 }],
      volumeUnit: 'contracts',
    })
    expect(secretary?.title).toBe(`${secretary?.eventTitle} - ${secretary?.subtitle}`)
    expect(secretary).toMatchObject({ category: 'politics', tags: [], exclusive: true })
    expect(ofType(parsed, 'activity_reported')[0]).toMatchObject({
      volume: 114_461_590_000,
      volume24h: 45_250_000,
      openInterest: 40_009_970_000,
    })
    expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({
      bid: 1_200,
      ask: 1_300,
      askSize: 1_823_310_000,
      at: NOW,
      receivedAt: NOW,
    })
    expect(parsed.cursor).toMatch(/^CgYI/)
  })

  it('trap 9: reads how markets were settled: a scalar value, yes, no', () => {
    const parsed = parseMarketsPage(fixture('markets-settled'), POLLED)
    expect(
      factsOf(parsed).map(({ status, result, settlementPrice }) => [
        status,
        result,
        settlementPrice,
      ]),
    ).toEqual([
      ['settled', 'scalar', 2_900],
      ['settled', 'yes', 10_000],
      ['settled', 'no', 0],
    ])
    expect(ofType(parsed, 'quote_changed')).toEqual([])
    expect(parsed.cursor).toBeNull()
  })

  it.each([
    ['initialized', 'upcoming'],
    ['active', 'active'],
    ['inactive', 'paused'],
    ['closed', 'closed'],
    ['determined', 'resolving'],
    ['disputed', 'resolving'],
    ['amended', 'resolving'],
    ['finalized', 'settled'],
  ])('maps the state %s to %s', (status, expected) => {
    expect(factsOf(parseMarketsPage({ markets: [market({ status })] }, POLLED))[0]?.status).toBe(
      expected,
    )
  })

  const SCHEDULED = '2026-03-01T15:00:00Z'
  const EARLY = '2026-03-01T03:06:25Z'
  it.each([
    ['the expected expiration after an early close', { close_time: EARLY }, SCHEDULED],
    ['a scheduled close as stated', { close_time: '2026-02-01T15:00:00Z' }, '2026-02-01T15:00:00Z'],
    [
      'the latest expiration when the expected one is before the early close',
      { close_time: EARLY, expected_expiration_time: '2026-02-01T05:00:00Z' },
      '2026-03-08T15:00:00Z',
    ],
    ['no close when every expiration is before it', { close_time: '2026-04-01T03:06:25Z' }, null],
    ['the stated close of a market that cannot close early', { can_close_early: false }, EARLY],
  ])('knows of the time before an end: %s', (_, changes, announced) => {
    const ended = market({
      status: 'finalized',
      close_time: EARLY,
      expected_expiration_time: SCHEDULED,
      latest_expiration_time: '2026-03-08T15:00:00Z',
      can_close_early: true,
      ...changes,
    })
    const [event] = ofType(parseMarketsPage({ markets: [ended] }, POLLED), 'market_described')
    expect(event?.announced?.closeTime).toBe(announced === null ? null : Date.parse(announced))
  })

  it('states nothing of the time before without a statement about early closes', () => {
    const ended = market({ status: 'finalized', close_time: EARLY })
    const [event] = ofType(parseMarketsPage({ markets: [ended] }, POLLED), 'market_described')
    expect(event).not.toHaveProperty('announced')
  })

  it.each([
    ['a void returns cost', { status: 'finalized', result: 'void' }, 'void', null],
    ['no result before determination', { status: 'closed', result: 'yes' }, null, null],
    [
      'a stated value wins over the word',
      { status: 'determined', result: 'yes', settlement_value_dollars: '0.9500' },
      'yes',
      9_500,
    ],
    ['an empty result', { status: 'finalized', result: '' }, null, null],
  ])('%s', (_, changes, result, settlementPrice) => {
    const [facts] = factsOf(parseMarketsPage({ markets: [market(changes)] }, POLLED))
    expect(facts).toMatchObject({ result, settlementPrice })
  })

  it.each([
    ['an empty bid is shown as 0', { yes_bid_dollars: '0.0000' }, null, 4_400],
    ['an empty ask is shown as 1', { yes_ask_dollars: '1.0000' }, 4_200, null],
    ['tenths of a cent', { yes_bid_dollars: '0.9985', yes_ask_dollars: '0.9990' }, 9_985, 9_990],
    [
      'cents where only cents exist',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: 42, yes_ask: 44 },
      4_200,
      4_400,
    ],
    [
      'one cent is distinguished from one dollar by the other leg',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: 0, yes_ask: 1, no_bid: 99 },
      null,
      100,
    ],
    [
      'dollars under the old names',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: 0.1, yes_ask: 0.11, no_bid: 0.89 },
      1_000,
      1_100,
    ],
    [
      'dollar text under the old names',
      { yes_bid_dollars: null, yes_ask_dollars: null, yes_bid: '0.42', yes_ask: '0.44' },
      4_200,
      4_400,
    ],
  ])('quotes: %s', (_, changes, bid, ask) => {
    expect(quoteOf(changes)).toMatchObject({ bid, ask })
  })

  it('makes no quote without prices, and counts a crossed one', () => {
    expect(quoteOf({ yes_bid_dollars: null, yes_ask_dollars: null })).toBeUndefined()
    const crossed = parseMarketsPage({ markets: [market({ yes_bid_dollars: '0.4400' })] }, POLLED)
    expect(crossed.skipped).toEqual({ 'crossed quote': 1 })
    expect(factsOf(crossed)).toHaveLength(1)
  })

  it('keeps an unknown counter unknown', () => {
    const parsed = parseMarketsPage({ markets: [market({ volume_fp: '12.50' })] }, POLLED)
    expect(ofType(parsed, 'activity_reported')[0]).toMatchObject({
      volume: 12_500_000,
      volume24h: null,
      openInterest: null,
    })
  })

  it('counts unusable rows and reads the others', () => {
    const rows = [
      null,
      { ...market(), ticker: '' },
      market({ status: 'liquidated' }),
      market({ ticker: 'KXMVESPORTS-S1-2' }),
      market({ mve_collection_ticker: 'KXMVE' }),
      market({ ticker: 'KXBTC-26-T3.00' }),
    ]
    const parsed = parseMarketsPage({ markets: rows, cursor: '' }, POLLED)
    expect(factsOf(parsed).map(({ ticker }) => ticker)).toEqual(['KXBTC-26-T3.00'])
    expect(parsed.skipped).toEqual({
      'market is not an object': 1,
      'market without a ticker': 1,
      'unknown market status': 1,
      'combo market': 2,
    })
  })

  it('keeps the largest number of markets seen in an event, so that titles are stable', () => {
    const catalogue = new RememberedCatalogue()
    const context = (markets: unknown[]) =>
      parseEventContext({ event_ticker: 'E', title: 'T', markets })!
    catalogue.addEvent(context([1, 2]))
    expect(catalogue.addEvent(context([1])).marketCount).toBe(2)
  })

  it('applies lifecycle messages to known facts', () => {
    const [facts] = factsOf(parseMarketsPage({ markets: [market()] }, POLLED))
    expect(
      applyLifecycle(facts!, { event_type: 'deactivated', is_deactivated: true })?.status,
    ).toBe('paused')
    expect(
      applyLifecycle(facts!, { event_type: 'close_date_updated', close_ts: 1_780_000_000 })
        ?.closeTime,
    ).toBe(1_780_000_000_000)
    expect(
      applyLifecycle(facts!, {
        event_type: 'determined',
        result: 'scalar',
        settlement_value: '0.2900',
      }),
    ).toMatchObject({ status: 'resolving', result: 'scalar', settlementPrice: 2_900 })
    expect(applyLifecycle({ ...facts!, result: 'yes' }, { event_type: 'settled' })).toMatchObject({
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000,
    })
    expect(applyLifecycle(facts!, { event_type: 'created' })).toBeNull()
  })
})
