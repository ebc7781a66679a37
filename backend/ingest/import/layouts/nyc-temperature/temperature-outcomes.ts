import { canonicalTicker } from '../../../../domain/market.ts'
import { MINUTE, type Millis, type PriceE4 } from '../../../../domain/units.ts'
import { RefusedRow } from '../../cells.ts'
import { marketDescribed, plainFacts, pricePoint } from '../../imported-events.ts'
import { rowLayout } from '../../read-rows.ts'
import { eventTitlesOf } from './temperature-titles.ts'

/**
 * Settled daily temperature markets: facts, result and one price. The source does not state at
 * which instant before the close the price was observed, so it counts as known at the close.
 */
export const temperatureOutcomes = rowLayout({
  name: 'kalshi_temp_settled_outcomes',
  venue: 'venue_a',
  columns: [
    'ticker',
    'series_ticker',
    'market_open_time',
    'market_close_time',
    'outcome',
    'mid_price_at_T',
  ],
  rank: 1,
  counted: 'market_described',
  async rowsOf(_table, reading) {
    const titles = await eventTitlesOf(reading)
    return (cells) => {
      const ticker = canonicalTicker(cells.needed('ticker'))
      const openTime = cells.neededTime('market_open_time')
      const closeTime = cells.neededTime('market_close_time')
      if (closeTime < openTime) throw new RefusedRow('market_close_time is before market_open_time')
      const outcome = cells.flag('outcome')
      if (outcome === null) throw new RefusedRow('outcome is missing')
      const price = cells.price('mid_price_at_T')
      const [, eventId = ticker, strike = null] = /^(.*)-([^-]+)$/.exec(ticker) ?? []
      const event = titles.get(eventId) ?? null
      const facts = plainFacts(
        'venue_a',
        ticker,
        [event?.title ?? eventId, ...(strike === null ? [] : [strike])].join(' - '),
        {
          subtitle: strike,
          eventId,
          eventTitle: event?.title ?? null,
          seriesId: cells.text('series_ticker'),
          category: 'weather',
          openTime,
          closeTime,
          exclusive: event?.exclusive === true,
        },
      )
      const settlementPrice = (outcome ? 10_000 : 0) as PriceE4
      const result = outcome ? 'yes' : 'no'
      return [
        marketDescribed(facts, openTime),
        marketDescribed({ ...facts, status: 'settled', result, settlementPrice }, closeTime),
        ...(price === null
          ? []
          : [pricePoint('venue_a', ticker, (closeTime - MINUTE) as Millis, price)]),
      ]
    }
  },
})
