import { categoryOf } from '../../../domain/topics/topics.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import { countersAt, marketDescribed, plainFacts, pricePoint, quoteAt } from '../imported-events.ts'
import { venueOfPlatform } from './lab/lab-markets.ts'
import { rowLayout } from '../read-rows.ts'

/**
 * The most active markets of both venues at several instants: quotes of venue_a, prices in
 * percent, counters (contracts of venue_a, dollars of venue_b) and facts. Markets of venue_b have
 * no condition id here: a market whose number is not known uses the number as its ticker.
 */
export const activeMarkets = rowLayout({
  name: 'active_markets_both_venues',
  venue: null,
  columns: [
    'generated_at',
    'venue',
    'id',
    'title',
    'sub',
    'prob_pct',
    'vol24',
    'close_time',
    'series_or_slug',
    'category',
    'bid',
    'ask',
    'oi',
  ],
  rank: 3,
  counted: 'activity_reported',
  alias: 'id',
  rowsOf: () => (cells, tickerNamed) => {
    const venue = venueOfPlatform(cells, 'venue')
    const at = cells.neededTime('generated_at')
    const id = cells.needed('id')
    const knownTicker = venue === 'venue_b' ? tickerNamed(id) : null
    const ticker = knownTicker ?? canonicalTicker(id)
    const [bid, ask] = [cells.price('bid'), cells.price('ask')]
    const price = cells.percent('prob_pct')
    const series = cells.text('series_or_slug')
    const facts = plainFacts(venue, ticker, cells.needed('title'), {
      subtitle: cells.text('sub'),
      seriesId: venue === 'venue_a' ? series : null,
      category: categoryOf(cells.text('category')),
      closeTime: cells.time('close_time'),
      aliases: venue === 'venue_b' ? [id, series].filter((alias) => alias !== null) : [],
    })
    const volume24h = cells.amount('vol24')
    return [
      countersAt(venue, ticker, at, { volume24h, openInterest: cells.amount('oi') }),
      ...(knownTicker === null ? [marketDescribed(facts, at)] : []),
      ...(bid === null && ask === null ? [] : [quoteAt(venue, ticker, at, { bid, ask })]),
      // Where there is a quote, the percentage is its midpoint.
      ...(price === null || bid !== null ? [] : [pricePoint(venue, ticker, at, price)]),
    ]
  },
})
