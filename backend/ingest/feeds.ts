import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import type { Random } from '../lib/random.ts'
import type { VenueConnector } from '../venues/connector.ts'
import { createVenueA } from '../venues/venue-a/connector.ts'
import { createVenueB } from '../venues/venue-b/connector.ts'
import { DEMO_SETTINGS, LIVE_SETTINGS, type CollectorSettings } from './collector.ts'
import { startDemo, type DemoAddresses } from './demo-process.ts'
import { markedAsSample } from './sample-tag.ts'

/** What feeds this run: the word users see, and the connectors behind it. */
export interface Feeds {
  readonly source: 'live' | 'demo' | 'none'
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

/**
 * Opens the source that the configuration asks for. `auto` is live when either venue answers within
 * three seconds, else what is stored, else the demo.
 * @param hasStored whether history holds any market
 */
export async function openFeeds(
  config: Config,
  hasStored: () => Promise<boolean>,
  deps: FeedDeps,
): Promise<Feeds> {
  if (config.source === 'none') return NOTHING
  if (config.source === 'demo') return openDemo(config, deps)
  const connectors = await liveConnectors(config, deps)
  const live: Feeds = { ...NOTHING, source: 'live', connectors }
  if (config.source === 'live' || (await anyAnswers(connectors))) return live
  return (await hasStored()) ? NOTHING : openDemo(config, deps)
}

async function anyAnswers(connectors: readonly VenueConnector[]): Promise<boolean> {
  const signal = AbortSignal.timeout(FIRST_ANSWER)
  const answered = connectors.map(async (connector) => {
    if (!(await connector.answers(signal))) throw new Error(`${connector.venue} did not answer`)
  })
  return Promise.any(answered).then(
    () => true,
    () => false,
  )
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
