import { HOUR } from '../../../domain/units.ts'
import { RefusedRow } from '../cells.ts'
import { marketDescribed, plainFacts, priceBar } from '../imported-events.ts'
import { rowLayout } from '../read-rows.ts'

/**
 * Hourly bars of weekly share markets, YES prices without a volume. `ts` is treated as the start
 * of the bar, so that no bar is known before its hour has ended.
 */
export const equityBars = rowLayout({
  name: 'polymarket_equity_weekly_bars_1h',
  venue: 'venue_b',
  columns: ['ts', 'market_id', 'open', 'high', 'low', 'close'],
  rank: 3,
  counted: 'candle_published',
  alias: 'market_id',
  rowsOf: () => (cells, tickerNamed) => {
    const ticker = tickerNamed(cells.needed('market_id'))
    if (ticker === null) {
      throw new RefusedRow('market is unknown: import polymarket_equity_weekly_markets with it')
    }
    const start = cells.neededTime('ts')
    if (start % HOUR !== 0) throw new RefusedRow('ts is not on the hour')
    const [open, high] = [cells.neededPrice('open'), cells.neededPrice('high')]
    const [low, close] = [cells.neededPrice('low'), cells.neededPrice('close')]
    if (high < Math.max(open, close, low) || low > Math.min(open, close)) {
      throw new RefusedRow('open or close is outside low to high')
    }
    return [priceBar('venue_b', ticker, start, HOUR, { open, high, low, close })]
  },
})

const EXACT_TOKEN = /^\d{20,}$/

/**
 * The markets of those bars. `derived_outcome` is inferred from the last price and is no result:
 * the markets count as closed after their last bar, not as settled.
 */
export const equityMarkets = rowLayout({
  name: 'polymarket_equity_weekly_markets',
  venue: 'venue_b',
  columns: [
    'event_id',
    'event_title',
    'market_id',
    'condition_id',
    'market_slug',
    'market_question',
    'week_monday',
    'resolution_time_utc',
    'yes_token_id',
    'no_token_id',
    'closed',
    'last_bar_ts',
    'derived_outcome',
  ],
  rank: 1,
  counted: 'market_described',
  rowsOf: () => (cells) => {
    const condition = cells.ticker('condition_id')
    if (!condition.startsWith('0x')) throw new RefusedRow('condition_id is not a condition id')
    const openTime = cells.neededTime('week_monday')
    const closeTime = cells.time('resolution_time_utc')
    const tokens = ['yes_token_id', 'no_token_id']
      .map((column) => cells.text(column))
      .filter((token) => token !== null && EXACT_TOKEN.test(token))
      .filter((token) => token !== null)
    const facts = plainFacts('venue_b', condition, cells.needed('market_question'), {
      eventId: cells.text('event_id') ?? condition,
      eventTitle: cells.text('event_title'),
      category: 'finance',
      closeTime,
      expirationTime: closeTime,
      aliases: [cells.needed('market_id'), cells.text('market_slug')].filter(
        (alias) => alias !== null,
      ),
      assetIds: tokens.length === 2 ? tokens : [],
    })
    const lastBar = cells.time('last_bar_ts')
    const endedAt = closeTime ?? lastBar
    const isClosed = cells.flag('closed') === true && endedAt !== null && endedAt > openTime
    return [
      marketDescribed(facts, openTime),
      ...(isClosed ? [marketDescribed({ ...facts, status: 'closed' }, endedAt)] : []),
    ]
  },
})
