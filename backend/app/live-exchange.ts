import {
  VENUES_EXCHANGE,
  type LiveExchange,
  type ReadLiveExchange,
} from '../features/portfolio/live/live-exchange.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { copySecrets } from '../lib/secret-buffers.ts'
import type { SimulatorAddresses } from '../venues/connectors.ts'
import { createTrading, type TradingOptions } from '../venues/open-trading.ts'
import { openSampleAccounts } from '../venues/sample-accounts.ts'
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
    const account = accounts.get(userId) ?? openSampleAccounts(userId, simulator)
    accounts.set(userId, account)
    account.catch(() => accounts.delete(userId))
    // Each caller erases its own copy.
    return copySecrets((await account)[venue])
  }
  return {
    id: `sample:${startedAt}`,
    isSample: true,
    epoch: startedAt,
    openClient: createTrading({ ...options, simulator }),
    openCredentials,
  }
}
