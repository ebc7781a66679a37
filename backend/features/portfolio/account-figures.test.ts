import { expect, it, onTestFinished } from 'vitest'
import type { NewLedgerEntry } from '../../domain/portfolio/ledger.ts'
import { DAY, type Millis, type MoneyE6, type PriceE4, type SizeE6 } from '../../domain/units.ts'
import { openState } from '../../state/open.ts'
import { marketView, NOON } from '../../testing/builders.ts'
import { FakeBoard } from '../../testing/fake-board.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { addUser } from '../../testing/users.ts'
import { createAccountFiguresReader } from './account-figures.ts'
import { createLedgerStore } from './ledger.store.ts'
import { createPortfolioStore } from './portfolio.store.ts'

const USER = 'usr_1'

async function openReader() {
  const state = await openState(':memory:')
  onTestFinished(() => state.destroy())
  await addUser(state, USER)
  const ledger = createLedgerStore(state)
  const reader = createAccountFiguresReader({
    portfolios: createPortfolioStore(state),
    ledger,
    board: new FakeBoard([marketView({ facts: { ticker: 'KX-A' }, bid: 10, ask: 12 })]),
    exchange: () => null,
    liveOrders: { open: () => Promise.resolve([]) },
    clock: new FakeClock(NOON),
  })
  return { ledger, reader }
}

/** Ten YES contracts at 40 cents. */
const purchase = (occurredAt: Millis): NewLedgerEntry => ({
  id: 'ple_1',
  eventType: 'fill',
  mode: 'paper',
  epoch: 0,
  source: 'import_venue_a',
  occurredAt,
  venue: 'venue_a',
  ticker: 'KX-A',
  marketTitle: null,
  category: null,
  action: 'buy',
  direction: 'yes',
  size: 10_000_000 as SizeE6,
  price: 4_000 as PriceE4,
  cashDelta: -4_000_000 as MoneyE6,
  fee: 0 as MoneyE6,
  slippage: null,
  realized: null,
  result: null,
  orderId: null,
  liquidity: null,
  tickId: null,
  intentId: null,
  confidence: 'unknown',
  key: 'p:1',
  note: null,
  payload: {},
})

it('counts an imported trade of an earlier day in the equity of midnight', async () => {
  const { ledger, reader } = await openReader()
  expect((await reader.paper(USER)).dailyPnl).toBe(0)
  await ledger.book(USER, { entries: [purchase((NOON - DAY) as Millis)] }, NOON)
  const { dailyPnl, unrealized } = await reader.paper(USER)
  expect(unrealized).toBe(-3_000_000)
  expect(dailyPnl).toBe(0)
})

it('counts a trade of today in the profit of the day', async () => {
  const { ledger, reader } = await openReader()
  await ledger.book(USER, { entries: [purchase(NOON)] }, NOON)
  expect((await reader.paper(USER)).dailyPnl).toBe(-3_000_000)
})
