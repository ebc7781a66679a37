import '../../testing/set-up-page.ts'
import type { Path } from '../../api/path.ts'
import { render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Market } from '../../../backend/contract/market.ts'
import { pageUnderTest } from '../../testing/page-under-test.ts'
import { marketRow } from '../../testing/rows.ts'
import PairSide from './PairSide.svelte'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => vi.useRealTimers())

it('shows bids in the bid column and asks in the ask column, level by level', () => {
  const { terminal } = pageUnderTest(() => null)
  const market = {
    ...marketRow({ title: 'Fed cuts' }),
    description: '',
    rulesUrl: null,
    bidLevels: [
      { price: 41, size: 7 },
      { price: 40, size: 8 },
    ],
    askLevels: [{ price: 44, size: 9 }],
  } as unknown as Market
  const source = terminal.live.source({
    path: '/a' as Path<object>,
    every: 5_000,
    cadence: 60_000,
    timeOf: () => null,
  })
  render(PairSide, { terminal, market, source, onopen: () => {} })
  const table = screen.getByRole('table', { name: /^Book/ })
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].map(({ textContent }) => textContent.trim()))
  expect(cells).toEqual([
    ['Size', 'Bid', 'Ask', 'Size'],
    ['7', '41.0¢', '44.0¢', '9'],
    ['8', '40.0¢', '–', '–'],
  ])
})
