import { expect, it } from 'vitest'
import { worldMarket } from '../../testing/world-markets.ts'
import { driversOf } from './opinion-writer.ts'

it('the facts of a gauge are the markets that moved most, each with its source', () => {
  const moved = (ticker: string, price: number | null, priceDayAgo: number | null) =>
    worldMarket({ ticker, title: `Will ${ticker} happen?`, price, priceDayAgo })
  const markets = [
    moved('KXA', 52.9, 50),
    moved('KXB', 40, 50),
    moved('KXC', 53, 50),
    moved('KXD', 90, 50),
    moved('KXE', null, 50),
    moved('KXF', 46, 50),
  ]
  expect(driversOf(markets, { baseUrl: 'http://here' })).toEqual([
    'Will KXD happen? +40¢ in 24h to 90¢ [Source](http://here/api/agent/inspect/KXD)',
    'Will KXB happen? -10¢ in 24h to 40¢ [Source](http://here/api/agent/inspect/KXB)',
    'Will KXF happen? -4¢ in 24h to 46¢ [Source](http://here/api/agent/inspect/KXF)',
  ])
  expect(driversOf(markets.slice(0, 1), { baseUrl: 'http://here' })).toEqual([])
})
