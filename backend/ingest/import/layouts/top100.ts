import { RefusedRow } from '../cells.ts'
import { countersAt, marketDescribed, plainFacts, pricePoint } from '../imported-events.ts'
import { rowLayout } from '../read-rows.ts'

/** Titles of the most traded markets, known from their first snapshot. */
export const top100Markets = rowLayout({
  name: 'polymarket_top100_markets',
  venue: 'venue_b',
  columns: ['market_id', 'title', 'slug', 'close_date', 'n', 'first_at', 'last_at'],
  rank: 1,
  counted: 'market_described',
  rowsOf: () => (cells) => {
    const ticker = cells.ticker('market_id')
    const slug = cells.text('slug')
    const facts = plainFacts('venue_b', ticker, cells.needed('title'), {
      closeTime: cells.time('close_date'),
      aliases: slug === null ? [] : [slug],
    })
    return [marketDescribed(facts, cells.neededTime('first_at'))]
  },
})

const ONE_DOLLAR = 10_000
const TOLERANCE = 10

/** Snapshots of those markets: a YES price and the volume in dollars, without bid and ask. */
export const top100Snapshots = rowLayout({
  name: 'polymarket_top100_snapshots_5min',
  venue: 'venue_b',
  columns: ['market_id', 'ingested_at', 'yes_price', 'no_price', 'volume', 'liquidity'],
  rank: 3,
  counted: 'activity_reported',
  rowsOf: () => (cells) => {
    const ticker = cells.ticker('market_id')
    const at = cells.neededTime('ingested_at')
    const price = cells.neededPrice('yes_price')
    const other = cells.price('no_price')
    if (other !== null && Math.abs(price + other - ONE_DOLLAR) > TOLERANCE) {
      throw new RefusedRow('yes_price and no_price do not add up to a dollar')
    }
    return [
      countersAt('venue_b', ticker, at, { volume: cells.amount('volume') }),
      pricePoint('venue_b', ticker, at, price),
    ]
  },
})
