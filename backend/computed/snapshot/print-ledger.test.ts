import { expect, it } from 'vitest'
import { HOUR, MINUTE, type Millis, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import { NOON } from '../../testing/builders.ts'
import { columnsOf } from '../../testing/column-rows.ts'
import { marketFacts } from '../../testing/market-facts.ts'
import { PrintLedger } from './print-ledger.ts'

/** Markets are read 400 at a time: two batches. */
const MARKETS = Array.from({ length: 401 }, (_, market) => market)

/** A trade of each market at noon, with a book before it and one after its horizon. */
const history = columnsOf(
  {
    prints: MARKETS.map((market) => ({
      market,
      tradeId: `${market}`,
      ts: NOON,
      price: 4_200 as PriceE4,
      size: 1_000_000 as SizeE6,
      takerSide: 'yes',
      isBlock: false,
    })),
    quoted: MARKETS.flatMap((market) =>
      [-1, 4, 8].map((minutes) => ({
        market,
        ts: (NOON + minutes * MINUTE + 30_000) as Millis,
        bid: 4_000 as PriceE4,
        ask: 4_200 as PriceE4,
      })),
    ),
  },
  () => marketFacts(),
)

it('counts a print once when a read of its quotes failed before', async () => {
  let reads = 0
  const ledger = new PrintLedger({
    ...history,
    quotesOf(query) {
      reads += 1
      // The second batch.
      return reads === 2 ? Promise.reject(new Error('no memory')) : history.quotesOf(query)
    },
  })
  await ledger.moveTo((NOON - HOUR) as Millis)
  expect(ledger.costsOf(0)).toEqual([])
  const later = (NOON + 15 * MINUTE) as Millis
  await expect(ledger.moveTo(later)).rejects.toThrow('no memory')
  await ledger.moveTo(later)
  expect(ledger.costsOf(0)).toHaveLength(1)
  expect(ledger.costsOf(400)).toHaveLength(1)
})
