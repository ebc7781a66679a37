import { expect, it } from 'vitest'
import { marketRow } from '../../testing/rows.ts'
import { LineSearch } from './line-search.svelte.ts'
import { MarketFinder } from './market-finder.ts'
import { createMarketRanking } from './market-ranking.ts'

it('finds markets that are loaded after the line was typed [terminal.keyboard.fresh]', async () => {
  const finder = new MarketFinder(Promise.resolve(createMarketRanking()))
  const search = new LineSearch({ read: () => Promise.resolve(null) } as never, finder)
  await finder.loaded
  search.find('rave', new Map())
  expect(search.hits).toEqual([])
  finder.add([marketRow({ ticker: 'KXA', title: 'Ravens win?' })])
  expect(search.hits.map(({ ticker }) => ticker)).toEqual(['KXA'])
  finder.add([marketRow({ ticker: 'KXB', title: 'Ravens lose?' })])
  expect(search.hits).toHaveLength(1)
  search.cancel()
})
