import { describe, expect, it } from 'vitest'
import { factsOf, ofType, payloadsOf, POLLED } from '../../testing/venue-payloads.ts'
import { parseGammaEventsPage, parseGammaMarketsPage } from './parse.ts'
import { parseClobWinner, parseResolutions } from './resolution.ts'

const CONDITION = `0x${'ab'.repeat(32)}`
const fixture = payloadsOf('venue-b')

const market = (changes: object = {}) => ({
  id: '7',
  conditionId: CONDITION.toUpperCase().replace('0X', '0x'),
  question: 'Will it rain?',
  slug: 'will-it-rain',
  outcomes: '["Yes", "No"]',
  outcomePrices: '["0.4", "0.6"]',
  clobTokenIds: '["11", "22"]',
  active: true,
  closed: false,
  acceptingOrders: true,
  enableOrderBook: true,
  ...changes,
})
const page = (changes: object) => parseGammaMarketsPage([market(changes)], POLLED)
const oneFacts = (changes: object) => factsOf(page(changes))[0]

describe('venue_b catalogue', () => {
  it('describes markets from their event and own fields', () => {
    const parsed = parseGammaEventsPage(fixture('events'), POLLED)
    expect(factsOf(parsed)[0]).toMatchObject({
      venue: 'venue_b',
      ticker: '0xc8f1cf5d4f26e0fd9c8fe89f2a7b3263b902cf14fde7bfccef525753bb492e47',
      title: 'Will Stephen A. Smith win the 2028 Democratic presidential nomination?',
      subtitle: 'Stephen A. Smith',
      eventId: '30829',
      eventTitle: 'Democratic Presidential Nominee 2028',
      category: 'politics',
      status: 'active',
      exclusive: true,
      priceRanges: [{ start: 0, end: 10_000, step: 10 }],
      volumeUnit: 'usd',
      aliases: [
        '559657',
        'will-stephen-a-smith-win-the-2028-democratic-presidential-nomination-914',
      ],
    })
    expect(factsOf(parsed)[0]?.assetIds[0]).toMatch(/^\d{77}$/)
    expect(parsed.skipped).toEqual({})
  })

  it('trap 28: reads a closed market: winner, and a closing time that is not ISO', () => {
    const [facts] = factsOf(parseGammaMarketsPage(fixture('market-closed'), POLLED))
    expect(facts).toMatchObject({
      status: 'settled',
      result: 'yes',
      settlementPrice: 10_000,
      closeTime: Date.parse('2026-05-09T02:07:01Z'),
    })
    expect(parseClobWinner(fixture('clob-market'))).toEqual({
      result: 'yes',
      settlementPrice: 10_000,
    })
  })

  it('knows of the time before an end only the announced end', () => {
    const [closed] = ofType(
      parseGammaMarketsPage(fixture('market-closed'), POLLED),
      'market_described',
    )
    const { endDate } = fixture('market-closed') as { endDate: string }
    const end = Date.parse(endDate)
    expect(closed?.announced).toEqual({ closeTime: end, expirationTime: end })
    expect(closed?.facts.closeTime).not.toBe(end)
    const [open] = ofType(parseGammaEventsPage(fixture('events'), POLLED), 'market_described')
    expect(open).not.toHaveProperty('announced')
  })

  it('leaves the outcome open if prices prove nothing', () => {
    const [legacy] = factsOf(parseGammaMarketsPage(fixture('market-legacy'), POLLED))
    expect(legacy).toMatchObject({
      status: 'resolving',
      result: null,
      settlementPrice: null,
      category: 'crypto',
    })
  })

  it.each([
    ['trading', {}, 'active', null],
    ['its end date has passed but it trades', { endDate: '2026-01-01T00:00:00Z' }, 'active', null],
    ['not taking orders', { acceptingOrders: false }, 'paused', null],
    ['not yet active', { active: false }, 'upcoming', null],
    ['without a book', { enableOrderBook: false }, 'upcoming', null],
    ['disputed but tradable', { umaResolutionStatus: 'disputed' }, 'active', null],
    [
      'proposed and not tradable',
      { umaResolutionStatus: 'proposed', acceptingOrders: false },
      'resolving',
      null,
    ],
    [
      'closed, still near one',
      { closed: true, outcomePrices: '["0.9995","0.0005"]' },
      'resolving',
      null,
    ],
    ['closed with both at zero', { closed: true, outcomePrices: '["0","0"]' }, 'resolving', null],
    ['closed, second outcome won', { closed: true, outcomePrices: '["0","1"]' }, 'settled', 'no'],
    [
      'split evenly and confirmed',
      { closed: true, outcomePrices: '["0.5","0.5"]', umaResolutionStatus: 'resolved' },
      'settled',
      'scalar',
    ],
    [
      'split evenly, unconfirmed',
      { closed: true, outcomePrices: '["0.5","0.5"]' },
      'resolving',
      null,
    ],
  ])('%s', (_, changes, status, result) => {
    expect(oneFacts(changes)).toMatchObject({ status, result })
  })

  it.each([
    ['more than two outcomes', { outcomes: '["A","B","C"]' }, 'market without two outcomes'],
    ['outcomes that are no JSON', { outcomes: '[' }, 'market without two outcomes'],
    ['no condition id', { conditionId: '' }, 'market without a condition id'],
    [
      'an unnamed placeholder',
      { active: false, groupItemTitle: 'Person B' },
      'placeholder outcome',
    ],
  ])('refuses %s', (_, changes, reason) => {
    expect(page(changes)).toMatchObject({ events: [], skipped: { [reason]: 1 } })
  })

  it('trap 18: accepts a real array, other labels, and numbers as text', () => {
    const parsed = page({
      outcomes: ['Up', 'Down'],
      clobTokenIds: ['11', '22'],
      volumeNum: '10.5',
      bestBid: '0.505',
      bestAsk: 0.51,
    })
    expect(factsOf(parsed)[0]).toMatchObject({ ticker: CONDITION, assetIds: ['11', '22'] })
    expect(ofType(parsed, 'activity_reported')[0]).toMatchObject({
      volume: 10_500_000,
      volume24h: null,
      openInterest: null,
    })
    expect(ofType(parsed, 'quote_changed')[0]).toMatchObject({ bid: 5_050, ask: 5_100 })
  })

  it('trap 18: refuses token ids that were sent as numbers, since their digits are lost', () => {
    expect(
      oneFacts({ clobTokenIds: '[2976372528075585353, 36321425691780366613]' })?.assetIds,
    ).toEqual([])
  })

  it('reads payouts', () => {
    const body = {
      data: [
        { condition_id: 'A', status: 'resolved', payouts: ['1000000', '0'] },
        { condition_id: 'B', status: 'resolved', payouts: [500_000, 500_000] },
        { condition_id: 'C', status: 'proposed', payouts: [1_000_000, 0] },
        { condition_id: 'D', status: 'resolved', payouts: [69, 69] },
      ],
    }
    expect([...parseResolutions(body)]).toEqual([
      ['a', { result: 'yes', settlementPrice: 10_000 }],
      ['b', { result: 'scalar', settlementPrice: 5_000 }],
    ])
  })
})
