import { announcedEndOf } from '../../../../domain/announced-end.ts'
import { categoryOf } from '../../../../domain/topics/topics.ts'
import {
  canonicalTicker,
  type MarketFacts,
  type Ticker,
  type Venue,
} from '../../../../domain/market.ts'
import type { Millis, PriceE4 } from '../../../../domain/units.ts'
import type { VenueEvent } from '../../../../venues/connector.ts'
import { rangesOfTick } from '../../../../venues/venue-b/parse.ts'
import { RefusedRow, type Cells } from '../../cells.ts'
import { countersAt, marketDescribed, plainFacts, quoteAt } from '../../imported-events.ts'
import { rowLayout, type TickerNamed } from '../../read-rows.ts'

const VENUES: Readonly<Record<string, Venue>> = { kalshi: 'venue_a', polymarket: 'venue_b' }
const RESULTS = {
  yes: { result: 'yes', settlementPrice: 10_000 as PriceE4 },
  no: { result: 'no', settlementPrice: 0 as PriceE4 },
  fifty_fifty: { result: 'scalar', settlementPrice: 5_000 as PriceE4 },
} as const
const CONDITION_ID = /^0x[0-9a-f]{62,64}$/i

/** Venue of a row's platform. */
export function venueOfPlatform(cells: Cells, column = 'platform'): Venue {
  const venue = VENUES[cells.needed(column).toLowerCase()]
  if (venue === undefined) throw new RefusedRow(`${column} is neither kalshi nor polymarket`)
  return venue
}

export function resultByName(resultText: string): (typeof RESULTS)[keyof typeof RESULTS] {
  if (resultText === 'yes' || resultText === 'no' || resultText === 'fifty_fifty')
    return RESULTS[resultText]
  throw new RefusedRow('result is neither yes, no nor fifty_fifty')
}

/**
 * The ticker of a market; venue_b's markets have a number that the markets file maps to a ticker.
 */
export function labTicker(cells: Cells, venue: Venue, tickerNamed: TickerNamed): Ticker {
  const id = cells.needed('platform_market_id')
  if (venue === 'venue_a') return canonicalTicker(id)
  const ticker = tickerNamed(id)
  if (ticker === null) throw new RefusedRow('market is unknown: import lab_markets with it')
  return ticker
}

/**
 * Markets of both venues with rules, result and the quote of one observation. A market counts as
 * known from its opening, else from that observation, and its end from its settlement.
 */
export const labMarkets = rowLayout({
  name: 'lab_markets',
  venue: null,
  columns: [
    'platform',
    'platform_market_id',
    'platform_event_id',
    'series_ticker',
    'title',
    'subtitle',
    'category',
    'yes_token_id',
    'no_token_id',
    'condition_id',
    'open_time',
    'close_time',
    'expected_resolution_time',
    'actual_settlement_time',
    'settlement_rules_raw',
    'status',
    'result',
    'tick_size',
    'best_yes_bid',
    'best_yes_ask',
    'volume_24h',
    'total_volume',
    'open_interest',
    'last_trade_price',
    'quote_observed_at',
  ],
  rank: 1,
  counted: 'market_described',
  rowsOf: () => (cells) => {
    const venue = venueOfPlatform(cells)
    const facts = factsOf(cells, venue)
    const seenAt = cells.time('quote_observed_at')
    const openedAt = facts.openTime ?? seenAt
    if (openedAt === null) throw new RefusedRow('open_time and quote_observed_at are missing')
    return [
      ...versionsOf(cells, facts, openedAt),
      ...(seenAt === null ? [] : quoteEvents(cells, venue, facts.ticker, seenAt)),
    ]
  },
})

function factsOf(cells: Cells, venue: Venue): MarketFacts {
  const id = cells.needed('platform_market_id')
  const condition = cells.text('condition_id')
  if (venue === 'venue_b' && (condition === null || !CONDITION_ID.test(condition))) {
    throw new RefusedRow('condition_id is missing')
  }
  const ticker = canonicalTicker(venue === 'venue_b' && condition !== null ? condition : id)
  const subtitle = cells.text('subtitle')
  const title = cells.needed('title')
  const tokens = [cells.text('yes_token_id'), cells.text('no_token_id')].filter(
    (token) => token !== null,
  )
  // venue_a's title belongs to the event: the label distinguishes its markets.
  const isShared = venue === 'venue_a' && subtitle !== null && !title.includes(subtitle)
  return plainFacts(venue, ticker, isShared ? `${title} - ${subtitle}` : title, {
    subtitle,
    description: cells.text('settlement_rules_raw') ?? '',
    eventId: cells.text('platform_event_id') ?? ticker,
    seriesId: cells.text('series_ticker'),
    category: categoryOf(cells.text('category')),
    openTime: cells.time('open_time'),
    closeTime: cells.time('close_time'),
    expirationTime: cells.time('expected_resolution_time'),
    priceRanges: rangesOfTick(cells.text('tick_size')),
    aliases: venue === 'venue_b' ? [id] : [],
    assetIds: tokens.length === 2 ? tokens : [],
  })
}

function versionsOf(cells: Cells, facts: MarketFacts, openedAt: Millis): VenueEvent[] {
  const status = cells.needed('status')
  if (status === 'open') return [marketDescribed(facts, openedAt)]
  if (status !== 'settled') throw new RefusedRow('status is neither open nor settled')
  const outcome = resultByName(cells.needed('result'))
  const settledAt = cells.time('actual_settlement_time') ?? facts.closeTime
  if (settledAt === null) throw new RefusedRow('actual_settlement_time is missing')
  const endedAt = Math.max(settledAt, openedAt + 1) as Millis
  return [
    marketDescribed({ ...facts, ...announcedEndOf(facts) }, openedAt),
    marketDescribed({ ...facts, status: 'settled', ...outcome }, endedAt),
  ]
}

function quoteEvents(cells: Cells, venue: Venue, ticker: Ticker, at: Millis): VenueEvent[] {
  const bid = cells.price('best_yes_bid')
  const ask = cells.price('best_yes_ask')
  const lastPrice = cells.price('last_trade_price')
  return [
    ...(bid === null && ask === null ? [] : [quoteAt(venue, ticker, at, { bid, ask })]),
    countersAt(venue, ticker, at, {
      volume: cells.amount('total_volume'),
      volume24h: cells.amount('volume_24h'),
      openInterest: cells.amount('open_interest'),
      // A market that never traded states 0.
      lastPrice: lastPrice === 0 ? null : lastPrice,
    }),
  ]
}
