import { createEventOutbox } from '../../state/event-outbox.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PriceE4 } from '../../domain/units.ts'
import { createBus } from '../../lib/bus.ts'
import { silentLogger } from '../../lib/logger.ts'
import { openState, type State } from '../../state/open.ts'
import { marketView } from '../../testing/builders.ts'
import { FakeBoard } from '../../testing/fake-board.ts'
import { FakeClock } from '../../testing/fake-clock.ts'
import { quoted } from '../../testing/venue-events.ts'
import { createPortfolio, type Portfolio, type PortfolioTopics } from './portfolio.ts'
import { addUser } from '../../testing/users.ts'

type Topics = { [K in keyof PortfolioTopics]: PortfolioTopics[K] }
const USER = 'usr_gap'
const view = marketView({ facts: { ticker: 'GAP' } })
let state: State
let portfolio: Portfolio
let isMissing: boolean
const clock = new FakeClock()
const bus = createBus<Topics>((error) => {
  throw error
})

beforeEach(async () => {
  state = await openState(':memory:')
  await addUser(state, USER)
  isMissing = false
  portfolio = createPortfolio({
    pairs: () => Promise.resolve([]),
    history: {} as never,
    state,
    board: new FakeBoard([view]),
    events: bus,
    clock,
    log: silentLogger,
    currentBook: () => null,
    isStale: () => isMissing,
    outbox: createEventOutbox(true),
    exchange: () => null,
    openHistory: () => null,
    model: () => null,
    installationKey: () => 'k'.repeat(43),
    wallClock: clock,
    urls: { baseUrl: 'http://localhost', dataUrl: '', appUrl: '', wsUrl: '' },
    theses: {
      basis: (_userId, named) => Promise.resolve(named),
      trading: () => Promise.resolve([]),
      namedSides: () => Promise.resolve([]),
      titles: () => Promise.resolve(new Map()),
    },
  })
  await portfolio.open()
})
afterEach(async () => {
  await portfolio.close()
  await state.destroy()
})

const report = async (ask: number): Promise<void> => {
  await clock.advance(1_000)
  const [at, receivedAt] = [clock.now(), clock.now()]
  const event = quoted(at, { ticker: 'GAP', bid: 1_000 as PriceE4, ask: ask as PriceE4 })
  bus.publish('quote', { market: view.market, event: { ...event, receivedAt } })
  await portfolio.waitUntilSettled()
}

it('[intents.trigger.gap] triggers nothing while its feed is missing', async () => {
  const body = {
    action: 'buy',
    marketId: 'GAP',
    direction: 'yes',
    targetQuantity: 1,
    triggerType: 'price_below',
    triggerPrice: 30,
  }
  const { id } = await portfolio.intents.create(USER, body, null)
  const status = async () => (await portfolio.intents.byId(USER, id)).status
  isMissing = true
  await report(2_000)
  expect(await status()).toBe('armed')
  isMissing = false
  expect(await status()).toBe('armed')
  await report(2_100)
  expect(await status()).toBe('triggered')
})
