import { generateKeyPairSync } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Config } from '../../app/config.ts'
import { isSample } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { venueName, VENUES } from '../../domain/venue.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Random } from '../../lib/random.ts'
import type { VenueConnector } from '../../venues/connector.ts'
import { createConnector, type SimulatorAddresses } from '../../venues/connectors.ts'
import { DEMO_SETTINGS, LIVE_SETTINGS, type CollectorSettings } from './collector-settings.ts'
import { startDemo } from './demo-process.ts'
import { markedAsSample } from '../sample-tag.ts'

/** The data source of this run: its label for users, and its connectors. */
export interface Feeds {
  readonly source: 'live' | 'demo' | 'replay' | 'none'
  readonly connectors: readonly VenueConnector[]
  readonly settings: CollectorSettings
  /** The simulator that replaces the venues; null without one. */
  readonly simulator: SimulatorAddresses | null
  close(): Promise<void>
}

interface FeedDeps {
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
}

/** Longest wait for a venue's first response when the source is chosen automatically. */
const FIRST_ANSWER = 3_000

const NO_FEEDS: Feeds = {
  source: 'none',
  connectors: [],
  settings: LIVE_SETTINGS,
  simulator: null,
  close: () => Promise.resolve(),
}

/** Whether the history holds any market of a real venue; the demo's markets do not count. */
export async function holdsRealMarkets(
  history: Pick<HistoryStore, 'recordsAt' | 'size'>,
  now: Millis,
): Promise<boolean> {
  if ((await history.size()).markets === 0) return false
  const records = await history.recordsAt(now, null)
  return records.length === 0 || records.some(({ facts }) => !isSample(facts))
}

/** How the sources are opened; replaced in tests. */
interface SourceOpeners {
  live(config: Config, deps: FeedDeps): Promise<readonly VenueConnector[]>
  demo(config: Config, deps: FeedDeps): Promise<Feeds>
}

/**
 * Opens the configured source. `auto` is live when any venue responds within three seconds, else a
 * replay of what is stored, else the demo.
 * @param hasStored whether the history holds any market that is no sample
 */
export async function openFeeds(
  config: Config,
  hasStored: () => Promise<boolean>,
  deps: FeedDeps,
  openers: SourceOpeners = { live: liveConnectors, demo: openDemo },
): Promise<Feeds> {
  if (config.source === 'none') return NO_FEEDS
  if (config.source === 'demo') return openers.demo(config, deps)
  const connectors = await openers.live(config, deps)
  const live: Feeds = { ...NO_FEEDS, source: 'live', connectors }
  if (config.source === 'live' || (await isAnyReachable(connectors, deps.clock))) return live
  return (await hasStored()) ? NO_FEEDS : openers.demo(config, deps)
}

async function isAnyReachable(
  connectors: readonly VenueConnector[],
  clock: Clock,
): Promise<boolean> {
  const firstDecision = new AbortController()
  const firstReads = connectors.map(async (connector) => {
    if (!(await connector.checkReachable(firstDecision.signal))) {
      throw new Error(`${venueName(connector.venue)} did not answer`)
    }
  })
  const isAnswered = Promise.any(firstReads).then(
    () => true,
    () => false,
  )
  const isTooLate = sleepUnless(firstDecision.signal, clock, FIRST_ANSWER).then(() => false)
  const verdict = await Promise.race([isAnswered, isTooLate])
  firstDecision.abort()
  return verdict
}

async function liveConnectors(config: Config, deps: FeedDeps): Promise<VenueConnector[]> {
  const connectors: VenueConnector[] = []
  for (const venue of VENUES) {
    const keyFile = config.venueKeys[venue]
    const keys =
      keyFile === undefined
        ? null
        : {
            keyId: keyFile.keyId,
            privateKey: await readFile(keyFile.privateKeyPath, 'utf8'),
          }
    const connector = createConnector(venue, { ...deps, keys, simulator: null })
    if (connector !== null) connectors.push(connector)
  }
  return connectors
}

async function openDemo(config: Config, deps: FeedDeps): Promise<Feeds> {
  const { clock, logger: log } = deps
  const { seed, demoMarkets: markets } = config
  const demo = await startDemo({ seed, markets, clock, log })
  return { ...demoFeeds(demo, deps), close: () => demo.close() }
}

/** Replays the stored history without requests to any venue. */
export const REPLAY_FEEDS: Feeds = { ...NO_FEEDS, source: 'replay' }

/** Feeds from a simulator that is already running. */
export function demoFeeds(demo: SimulatorAddresses, deps: FeedDeps): Feeds {
  const { privateKey } = generateKeyPairSync('ed25519')
  const keys = {
    keyId: 'demo',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
  const connectors = VENUES.map((venue) =>
    createConnector(venue, { ...deps, keys, simulator: demo }),
  )
    .filter((connector) => connector !== null)
    .map(markedAsSample)
  return {
    source: 'demo',
    connectors,
    settings: DEMO_SETTINGS,
    simulator: demo,
    close: () => Promise.resolve(),
  }
}
