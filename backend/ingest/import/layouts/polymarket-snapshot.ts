import { categoryOf } from '../../../domain/topics/topics.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import { textOf } from '../../../venues/fields.ts'
import { UnreadableFile } from '../file-format.ts'
import { RefusedRow } from '../cells.ts'
import { countersAt, marketDescribed, plainFacts, quoteAt } from '../imported-events.ts'
import { rowLayout } from '../read-rows.ts'
import { endOfRecordingName } from '../recorded-at.ts'

/**
 * Markets of venue_b at one instant, given only by the file's name: everything counts as known at
 * the end of that day or month. There are no condition ids: a market whose number is not known
 * uses the number as its ticker.
 */
export const polymarketSnapshot = rowLayout({
  name: 'polymarket_markets_snapshot',
  venue: 'venue_b',
  columns: [
    'market_id',
    'question',
    'category',
    'volume',
    'volume_24h',
    'liquidity',
    'end_date',
    'created_date',
    'outcomes',
    'best_bid',
    'best_ask',
    'last_trade_price',
    'active',
  ],
  rank: 2,
  counted: 'activity_reported',
  alias: 'market_id',
  rowsOf(table) {
    const at = endOfRecordingName(table.path)
    if (at === null) {
      throw new UnreadableFile(
        'the time of the recording is not stated: put the date into the name of the file',
      )
    }
    return (cells, tickerNamed) => {
      const id = cells.needed('market_id')
      if (!/^\d+$/.test(id)) throw new RefusedRow('market_id is not a number')
      const knownTicker = tickerNamed(id)
      const ticker = knownTicker ?? canonicalTicker(id)
      const [bid, ask] = [cells.price('best_bid'), cells.price('best_ask')]
      const isOpen = cells.flag('active') === true
      const title = cells.needed('question')
      const facts = plainFacts('venue_b', ticker, title, {
        category: categoryOf(textOf(cells.text('category'))),
        status: isOpen ? 'active' : 'closed',
        openTime: cells.time('created_date'),
        closeTime: cells.time('end_date'),
        aliases: [id],
      })
      const counters = countersAt('venue_b', ticker, at, {
        volume: cells.amount('volume'),
        volume24h: cells.amount('volume_24h'),
        lastPrice: cells.price('last_trade_price'),
      })
      return [
        counters,
        ...(knownTicker === null ? [marketDescribed(facts, at)] : []),
        // The quote of an ended market is only the rest of its book.
        ...(isOpen && (bid !== null || ask !== null)
          ? [quoteAt('venue_b', ticker, at, { bid, ask })]
          : []),
      ]
    }
  },
})
