import { afterEach, describe, expect, it } from 'vitest'
import { MINUTE } from '../domain/units.ts'
import { silentLogger } from '../lib/logger.ts'
import { parseFault } from '../simulator/faults/parse-fault.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { createVenueA } from './venue-a/connector.ts'
import { createVenueB } from './venue-b/connector.ts'

const signal = new AbortController().signal
let simulator: Simulator | null = null
afterEach(async () => {
  await simulator?.close()
  simulator = null
})

async function start(time: string, markets: number) {
  const clock = new FakeClock(time)
  simulator = await createSimulator({ seed: 1, markets, clock })
  const budget = { ratePerSecond: 5_000, burst: 5_000 }
  return { clock, simulator, deps: { clock, budget, random: () => 0, logger: silentLogger } }
}

/** Traps of the demo's venues, tested with the real connectors. */
describe('traps of the simulated venues', () => {
  it('trap 15: a pause of the exchange is reported while it lasts', async () => {
    const world = await start('2026-11-20T14:02:00Z', 60)
    const connector = createVenueA({ ...world.simulator.venueA, ...world.deps, keys: null })
    expect(await connector.exchangePause(signal)).toBeNull()
    const parsed = parseFault({ venue: 'venue_a', kind: 'pause', forMs: MINUTE })
    if (typeof parsed === 'string') throw new Error(parsed)
    world.simulator.scheduleFaults([parsed])
    expect(await connector.exchangePause(signal)).toEqual({ tickers: null })
    await world.clock.advance(MINUTE)
    expect(await connector.exchangePause(signal)).toBeNull()
  })

  it('trap 19: no ghost book is used in an hour in which REST returns some', async () => {
    const world = await start('2026-11-20T15:02:00Z', 1_200)
    const connector = createVenueB({ ...world.simulator.venueB, ...world.deps })
    const tickers = new Set<string>()
    for await (const page of connector.openMarkets(signal))
      for (const { ticker } of page) tickers.add(ticker)
    const events = await connector.books([...tickers], signal)
    const quotes = events.filter((event) => event.type === 'quote_changed')
    expect(quotes.length).toBeGreaterThan(0)
    expect(quotes.filter(({ bid, ask }) => bid === 100 && ask === 9_900)).toEqual([])
    expect(connector.health().skipped['book far from its midpoint']).toBeGreaterThan(0)
  })
})
