import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { isSample } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { HistoryStore } from '../history/history-store.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Random } from '../lib/random.ts'
import type { VenueConnector } from '../venues/connector.ts'
import { createVenueA } from '../venues/venue-a/connector.ts'
import { createVenueB } from '../venues/venue-b/connector.ts'
import { DEMO_SETTINGS, LIVE_SETTINGS, type CollectorSettings } from './collector-settings.ts'
import { startDemo, type DemoAddresses } from './demo-process.ts'
import { markedAsSample } from './sample-tag.ts'

/** What feeds this run: the word users see, and the connectors behind it. */
export interface Feeds {
  readonly source: 'live' | 'demo' | 'replay' | 'none'
  readonly connectors: readonly VenueConnector[]
  readonly settings: CollectorSettings
  close(): Promise<void>
}

interface FeedDeps {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** Longest wait for a venue's first answer when the source is chosen by itself. */
const FIRST_ANSWER = 3_000

const NOTHING: Feeds = {
  source: 'none',
  connectors: [],
  settings: LIVE_SETTINGS,
  close: () => Promise.resolve(),
}

/** Whether the history holds any market of a real venue: what a demo left there is nothing to go by. */
export async function holdsRealMarkets(
  history: Pick<HistoryStore, 'recordsAt' | 'size'>,
  now: Millis,
): Promise<boolean> {
  if ((await history.size()).markets === 0) return false
  const records = await history.recordsAt(now, null)
  return records.length === 0 || records.some(({ facts }) => !isSample(facts))
}

/** How the sources are opened; a test hands in others. */
interface Openers {
  live(config: Config, deps: FeedDeps): Promise<readonly VenueConnector[]>
  demo(config: Config, deps: FeedDeps): Promise<Feeds>
}

/**
 * Opens the source that the configuration asks for. `auto` is live when either venue answers within
 * three seconds, else what is stored, else the demo.
 * @param hasStored whether history holds any market that is no sample
 */
export async function openFeeds(
  config: Config,
  hasStored: () => Promise<boolean>,
  deps: FeedDeps,
  openers: Openers = { live: liveConnectors, demo: openDemo },
): Promise<Feeds> {
  if (config.source === 'none') return NOTHING
  if (config.source === 'demo') return openers.demo(config, deps)
  const connectors = await openers.live(config, deps)
  const live: Feeds = { ...NOTHING, source: 'live', connectors }
  if (config.source === 'live' || (await anyAnswers(connectors, deps.clock))) return live
  return (await hasStored()) ? NOTHING : openers.demo(config, deps)
}

async function anyAnswers(connectors: readonly VenueConnector[], clock: Clock): Promise<boolean> {
  const decided = new AbortController()
  const answered = connectors.map(async (connector) => {
    if (!(await connector.answers(decided.signal))) {
      throw new Error(`${connector.venue} did not answer`)
    }
  })
  const isAnswered = Promise.any(answered).then(
    () => true,
    () => false,
  )
  const isTooLate = sleepUnless(decided.signal, clock, FIRST_ANSWER).then(() => false)
  const verdict = await Promise.race([isAnswered, isTooLate])
  decided.abort()
  return verdict
}

async function liveConnectors(config: Config, deps: FeedDeps): Promise<VenueConnector[]> {
  const { venueAKeys } = config
  const keys =
    venueAKeys === null
      ? null
      : {
          keyId: venueAKeys.keyId,
          privateKey: await readFile(venueAKeys.privateKeyPath, 'utf8'),
        }
  return [createVenueA({ ...deps, keys }), createVenueB(deps)]
}

async function openDemo(config: Config, deps: FeedDeps): Promise<Feeds> {
  const { clock, logger: log } = deps
  const { seed, demoMarkets: markets } = config
  const demo = await startDemo({ seed, markets, clock, log })
  return { ...demoFeeds(demo, deps), close: () => demo.close() }
}

/** No venue is asked: stored history is told once more. */
export const REPLAY_FEEDS: Feeds = { ...NOTHING, source: 'replay' }

/** Feeds over a simulator that already runs. */
export function demoFeeds(demo: DemoAddresses, deps: FeedDeps): Feeds {
  const { privateKey } = generateKeyPairSync('ed25519')
  const keys = {
    keyId: 'demo',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const connectors = [
    createVenueA({ ...deps, ...demo.venueA, keys, budget: DEMO_BUDGET }),
    createVenueB({ ...deps, ...demo.venueB, budget: DEMO_BUDGET }),
  ].map(markedAsSample)
  return { source: 'demo', connectors, settings: DEMO_SETTINGS, close: () => Promise.resolve() }
}

/** The demo has no budget worth keeping. */
const DEMO_BUDGET = { ratePerSecond: 5_000, burst: 5_000 }
