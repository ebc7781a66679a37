import { generateKeyPair, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import {
  VENUES_EXCHANGE,
  type LiveExchange,
  type ReadLiveExchange,
} from '../features/portfolio/live/live-exchange.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { addressOfKey } from '../lib/eip712/typed-data.ts'
import type { SimulatorAddresses } from '../venues/connectors.ts'
import { createTrading, type TradingOptions } from '../venues/open-trading.ts'
import type { CredentialsByVenue, OpenCredentials } from '../venues/trading.ts'

type ExchangeOptions = Pick<TradingOptions, 'clock' | 'random' | 'assetsOf'>

/**
 * Where live orders go: the venues while the data is theirs, the simulated exchange in a demo, and
 * nowhere in a replay.
 */
export function createLiveExchange(
  options: ExchangeOptions,
  feeds: () => Feeds | null,
): ReadLiveExchange {
  const venues: LiveExchange = {
    id: VENUES_EXCHANGE,
    isSample: false,
    epoch: 0,
    openClient: createTrading({ ...options, simulator: null }),
    openCredentials: null,
  }
  let sample: { simulator: SimulatorAddresses; exchange: LiveExchange } | null = null
  return () => {
    const open = feeds()
    if (open?.source === 'live') return venues
    const simulator = open?.simulator ?? null
    if (simulator === null) return null
    if (sample?.simulator !== simulator) {
      sample = { simulator, exchange: sampleExchange(options, simulator) }
    }
    return sample.exchange
  }
}

/**
 * The simulated exchange of a demo. It begins with the demo, so a confirmation and a ledger
 * account are of one run. Each user gets an account whose keys are made here; stored credentials
 * are not opened.
 */
function sampleExchange(options: ExchangeOptions, simulator: SimulatorAddresses): LiveExchange {
  const startedAt = options.clock.now()
  const accounts = new Map<string, Promise<CredentialsByVenue>>()
  const openCredentials: OpenCredentials = async (userId, venue) => {
    const known = accounts.get(userId) ?? openSampleAccount(userId, simulator)
    accounts.set(userId, known)
    known.catch(() => accounts.delete(userId))
    // Each caller erases its own copy.
    const { venue_a: a, venue_b: b } = await known
    const copies: CredentialsByVenue = {
      venue_a: { ...a, privateKeyPem: Buffer.from(a.privateKeyPem) },
      venue_b: { ...b, privateKey: Buffer.from(b.privateKey) },
    }
    return copies[venue]
  }
  return {
    id: `sample:${startedAt}`,
    isSample: true,
    epoch: startedAt,
    openClient: createTrading({ ...options, simulator }),
    openCredentials,
  }
}

/** Makes keys of both venues and opens an account of the simulator for each. */
async function openSampleAccount(
  userId: string,
  { venueA }: SimulatorAddresses,
): Promise<CredentialsByVenue> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const walletKey = randomBytes(32)
  const wallet = addressOfKey(walletKey)
  const keyId = `sample-${userId}`
  const register = async (path: string, body: object): Promise<void> => {
    const url = new URL(path, venueA.baseUrl).href
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
    await response.body?.cancel()
    if (!response.ok) throw new Error(`credentials for the sample were refused: ${response.status}`)
  }
  await register('/control/accounts', { keyId, publicKey, isNew: true })
  await register('/control/wallets', {
    wallet,
    funder: wallet,
    apiKey: `sample-${userId}`,
    apiSecret: randomBytes(24).toString('base64'),
    passphrase: randomBytes(12).toString('hex'),
  })
  return {
    venue_a: { keyId, privateKeyPem: Buffer.from(privateKey) },
    venue_b: {
      walletAddress: wallet,
      privateKey: walletKey,
      signatureType: 0,
      funder: null,
      apiKey: null,
      apiSecret: null,
      passphrase: null,
    },
  }
}
