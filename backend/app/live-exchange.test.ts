import { expect, it, onTestFinished } from 'vitest'
import type { PriceE4, SizeE6 } from '../domain/units.ts'
import { withLiveClients } from '../features/portfolio/live/live-accounts.ts'
import { demoFeeds, type Feeds } from '../ingest/collect/feeds.ts'
import { silentLogger } from '../lib/logger.ts'
import { systemRandom } from '../lib/random.ts'
import { createSimulator } from '../simulator/simulator.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { START } from '../testing/simulated-venues.ts'
import { tradableMarket } from '../testing/trading-accounts.ts'
import { createLiveExchange } from './live-exchange.ts'

const SIGNAL = AbortSignal.timeout(60_000)

it('[portfolio.live.sample] a demo trades at the simulated exchange, with an account and keys for each user', async () => {
  const clock = new FakeClock(START)
  const sim = await createSimulator({ seed: 7, markets: 600, clock })
  onTestFinished(() => sim.close())
  const markets = (['venue_a', 'venue_b'] as const).map((venue) => tradableMarket(sim, venue))
  const tools = { clock, random: systemRandom, logger: silentLogger }
  let feeds: Feeds | null = null
  const exchangeNow = createLiveExchange(
    {
      ...tools,
      assetsOf: (ticker) => Promise.resolve(markets.find(({ id }) => id === ticker)?.tokens ?? []),
    },
    () => feeds,
  )
  expect(exchangeNow()).toBeNull()
  feeds = demoFeeds(sim, tools)
  const exchange = exchangeNow()
  if (exchange === null || exchange.openCredentials === null) throw new Error('no exchange')
  expect(exchange).toMatchObject({ isSample: true, id: `sample:${START}`, epoch: START })
  const deps = { openCredentials: exchange.openCredentials, openClient: exchange.openClient }
  const cashOf = (userId: string) =>
    withLiveClients(userId, deps, ({ clients }) =>
      Promise.all(clients.map((client) => client.balance(SIGNAL))),
    )
  expect(await cashOf('usr_1')).toEqual([1_000_000_000, 1_000_000_000])
  const answers = await withLiveClients('usr_1', deps, ({ clients, failures }) => {
    expect(failures).toEqual({})
    return Promise.all(
      clients.map(async (client, n) => {
        const market = markets[n]
        if (market === undefined) throw new Error('no market')
        const [ask = 0] = sim.book(market).asks[0] ?? []
        const order = {
          clientOrderId: `svc-pt_1-${n}`,
          ticker: market.id,
          action: 'buy',
          direction: 'yes',
          size: 5_000_000 as SizeE6,
          limit: ask as PriceE4,
          timeInForce: 'ioc',
        } as const
        return client.placeOrder(await client.prepareOrder(order, SIGNAL), SIGNAL)
      }),
    )
  })
  expect(answers).toMatchObject([{ kind: 'accepted' }, { kind: 'accepted' }])
  // The keys were erased after the work, and open the same accounts again.
  for (const cash of await cashOf('usr_1')) expect(cash).toBeLessThan(1_000_000_000)
  expect(await cashOf('usr_2')).toEqual([1_000_000_000, 1_000_000_000])
  feeds = { ...feeds, source: 'replay', simulator: null }
  expect(exchangeNow()).toBeNull()
})
