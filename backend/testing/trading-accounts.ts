import { generateKeyPairSync } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Venue } from '../domain/market.ts'
import { systemRandom } from '../lib/random.ts'
import { addressOfKey, bytesOfHex } from '../lib/eip712/typed-data.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import type { SimMarket } from '../simulator/catalogue/market.ts'
import { RequestBudget } from '../venues/request-budget.ts'
import type {
  CredentialsByVenue,
  TradingClient,
  VenueACredentials,
  VenueBCredentials,
} from '../venues/trading.ts'
import { VenueATrading } from '../venues/venue-a/trading/client.ts'
import { VenueBTrading } from '../venues/venue-b/trading/client.ts'
import { FakeClock } from './fake-clock.ts'
import { START } from './simulated-venues.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
/** The key of local development chains. */
const WALLET_KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
const WALLET = addressOfKey(bytesOfHex(WALLET_KEY))
const FUNDER = '0x1111111111111111111111111111111111111111'
const KEY_ID = 'a952bcbe-ec3b-4b5b-b8f9-11dae589608c'
const API = { key: 'api-key', secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQ=', passphrase: 'pass' }

/** Accounts of both venues in the simulator. */
export const simulatedAccounts = (cash: number) => ({
  venueA: [{ keyId: KEY_ID, publicKey, cash }],
  venueB: [
    {
      wallet: WALLET,
      funder: FUNDER,
      apiKey: API.key,
      apiSecret: API.secret,
      passphrase: API.passphrase,
      cash,
    },
  ],
})

/** What opens them. */
export const simulatedCredentials = (): CredentialsByVenue => ({
  venue_a: { keyId: KEY_ID, privateKeyPem: Buffer.from(privateKey) },
  venue_b: {
    walletAddress: WALLET,
    privateKey: Buffer.from(bytesOfHex(WALLET_KEY)),
    signatureType: 2,
    funder: FUNDER,
    apiKey: null,
    apiSecret: null,
    passphrase: null,
  },
})

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

/** A market of a venue with both sides of a book, of at least this many contracts each. */
export function tradableMarket(sim: Simulator, venue: Venue, contracts = 1): SimMarket {
  const found = sim.markets(venue).find((market) => {
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

export type Opened = {
  readonly sim: Simulator
  readonly clock: FakeClock
  readonly client: TradingClient
}
