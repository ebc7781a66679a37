import type { SizeE6 } from '../../../../domain/units.ts'
import { RefusedRow } from '../../cells.ts'
import { importFields } from '../../imported-events.ts'
import { venueOfPlatform } from './lab-markets.ts'
import { rowLayout } from '../../read-rows.ts'

/**
 * Single trades of both venues. Those of venue_b state buy or sell and a price, but not which of
 * the two outcomes (adjacent rows have prices of 0.009 and 0.992), so their YES price is unknown.
 */
export const labTrades = rowLayout({
  name: 'lab_trades',
  venue: null,
  columns: [
    'platform',
    'platform_trade_id',
    'platform_market_id',
    'traded_at',
    'price',
    'size',
    'taker_side',
  ],
  rank: 3,
  counted: 'trade_printed',
  rowsOf: () => (cells) => {
    const venue = venueOfPlatform(cells)
    const tradeId = cells.needed('platform_trade_id')
    const ticker = cells.ticker('platform_market_id')
    const at = cells.neededTime('traded_at')
    const price = cells.neededPrice('price')
    const size = cells.amount('size')
    if (size === null || size === 0) throw new RefusedRow('size is missing')
    const takerSide = cells.text('taker_side')
    if (venue === 'venue_b' || (takerSide !== null && takerSide !== 'yes' && takerSide !== 'no')) {
      throw new RefusedRow('trade of an unknown outcome: the row does not state what was bought')
    }
    return [
      {
        type: 'trade_printed',
        ...importFields(venue, ticker, at),
        tradeId,
        price,
        size: size as SizeE6,
        takerSide,
        isBlock: false,
      },
    ]
  },
})
