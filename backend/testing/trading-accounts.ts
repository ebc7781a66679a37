import { onTestFinished } from 'vitest'
import type { Venue } from '../domain/market.ts'
import { systemRandom } from '../lib/random.ts'
import { parseFault } from '../simulator/faults/parse-fault.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { holdBook, type SimMarket } from '../simulator/catalogue/market.ts'
import { RequestBudget } from '../venues/request-budget.ts'
import type { VenueACredentials, VenueBCredentials } from '../venues/trading.ts'
import { VenueATrading } from '../venues/venue-a/trading/client.ts'
import { VenueBTrading } from '../venues/venue-b/trading/client.ts'
import { FakeClock } from './fake-clock.ts'
import { START } from './simulated-venues.ts'
import { simulatedAccounts, simulatedCredentials } from './trading-credentials.ts'

/** The account of each venue in the simulator of a test, with 1,000 dollars. */
export async function startTrading(clock = new FakeClock(START)) {
  const sim = await createSimulator({
    seed: 7,
    markets: 600,
    clock,
    accounts: simulatedAccounts(1_000_000_000),
  })
  onTestFinished(() => sim.close())
  const open = simulatedCredentials()
  return {
    sim,
    clock,
    /** Makes the next requests of a route of a venue fail. */
    fault: (venue: Venue, kind: string, route: string, more: object = {}): void => {
      const parsed = parseFault({ venue, kind, route, ...more })
      if (typeof parsed === 'string') throw new Error(parsed)
      sim.scheduleFaults([parsed])
    },
    /** Advances time until the work ends: lost answers and look-ups wait. */
    inTime: async <T>(work: Promise<T>, onAdvanced = (): void => {}): Promise<T> => {
      let isOver = false
      const end = (): void => void (isOver = true)
      work.then(end, end)
      const isRunning = (): boolean => !isOver
      while (isRunning()) {
        await new Promise((resolve) => setTimeout(resolve, 2))
        await clock.advance(250)
        onAdvanced()
      }
      return work
    },
    openA: (credentials: VenueACredentials = open.venue_a) =>
      new VenueATrading({ ...common(clock), baseUrl: sim.venueA.baseUrl, credentials }),
    openB: (credentials: VenueBCredentials = open.venue_b) =>
      new VenueBTrading({ ...common(clock), ...sim.venueB, credentials, assetsOf: assetsIn(sim) }),
  }
}

const common = (clock: FakeClock) => ({
  clock,
  random: systemRandom,
  budget: new RequestBudget({ ratePerSecond: 5_000, burst: 5_000, clock }),
})
const assetsIn = (sim: Simulator) => (ticker: string) =>
  Promise.resolve(sim.market('venue_b', ticker)?.tokens ?? [])

/**
 * A market of a venue that trades in whole cents, with both sides of a book, of at least this many
 * contracts each. Its book is held: how much time passes while an answer is awaited depends on the
 * speed of the machine.
 */
export function tradableMarket(sim: Simulator, venue: Venue, contracts = 1): SimMarket {
  const found = sim.markets(venue).find((market) => {
    if (market.grid !== 'linear_cent') return false
    holdBook(market)
    const { bids, asks } = sim.book(market)
    const [bid, ask] = [bids[0], asks[0]]
    if (bid === undefined || ask === undefined) return false
    return (
      bid[1] >= contracts * 100 && ask[1] >= contracts * 100 && bid[0] > 1_000 && ask[0] < 9_000
    )
  })
  if (found === undefined) throw new Error('no market has such a book')
  return found
}
