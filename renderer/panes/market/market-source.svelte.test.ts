import '../../testing/set-up-page.ts'
import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { PaneMarket } from './market-source.svelte.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

const market = (price: number, updatedAt: string) => ({
  ticker: 'KX',
  venue: 'venue_a',
  price,
  bestBid: price - 1,
  bestAsk: price + 1,
  lastPrice: price,
  updatedAt,
})

/** The market of a pane that shows KX, now or at a past instant. */
async function shown(asOf: string | null) {
  const page = pageUnderTest((path) =>
    path.includes('asOf') ? market(20, '2026-11-01T00:00:00Z') : market(41, '2026-11-20T10:00:00Z'),
  )
  const pane = page.paneOf('KX BOOK')
  page.terminal.instants[pane.link] = asOf
  const record = vi.spyOn(page.terminal.health, 'record')
  let paneMarket: PaneMarket | undefined
  const stop = $effect.root(() => {
    const shownMarket = new PaneMarket(() => ({ terminal: page.terminal, pane }))
    paneMarket = shownMarket
    $effect(() => {
      if (shownMarket.source !== null) return page.terminal.live.subscribe(shownMarket.source)
    })
  })
  await vi.advanceTimersByTimeAsync(1_000)
  flushSync()
  if (paneMarket === undefined) throw new Error('no market')
  return { ...page, paneMarket, record, end: () => (stop(), page.stop()) }
}

it('follows the topic of a present market and reports its price to the page', async () => {
  const { paneMarket, record, end } = await shown(null)
  expect(paneMarket.detail).toMatchObject({ price: 41 })
  expect(paneMarket.topic).not.toBeNull()
  expect(record).toHaveBeenCalledWith(expect.objectContaining({ price: 41 }))
  end()
})

it('neither follows nor reports the price of a past instant', async () => {
  const { paneMarket, record, end } = await shown('2026-11-01T00:00:00Z')
  expect(paneMarket.detail).toMatchObject({ price: 20 })
  expect([paneMarket.topic, paneMarket.freshness]).toEqual([null, 'fresh'])
  expect(record).not.toHaveBeenCalled()
  end()
})
