import { componentsOf } from './components.ts'
import type { Config } from './config.ts'
import { SECOND, type Millis } from '../domain/units.ts'
import { VENUE_TABLE } from '../domain/venue.ts'
import { createHealthService } from '../features/catalog/health.service.ts'
import { createIncidentsStore } from '../features/catalog/incidents.store.ts'
import { createIncidentLog, type IncidentLog } from '../features/catalog/incidents.ts'
import { createReadiness } from '../features/data-service/readiness.service.ts'
import { createDoctorService } from '../features/operations/doctor.service.ts'
import type { Feeds } from '../ingest/collect/feeds.ts'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import { fullDiskOf } from '../lib/files/disk-room.ts'
import { openLosses } from '../lib/files/damage-journal.ts'
import type { Logger } from '../lib/logger.ts'
import { VERSION } from '../lib/files/package-root.ts'
import { createRateMeter } from '../lib/rate-meter.ts'
import type { MarketContext } from './market-context.ts'
import type { MarketData } from './market-data.ts'
import { sourceHealthOf } from './source-health.ts'
import { isStateReadable } from '../state/probe.ts'
import type { Stores } from './stores.ts'

const WATCH_INTERVAL = (20 * SECOND) as Millis

/** Condition of the parts of the service, for health, readiness, doctor, panels and incidents. */
export function createServiceHealth(deps: {
  config: Config
  stores: Stores
  data: MarketData
  context: MarketContext
  /** Null until the source is opened. */
  feeds: () => Feeds | null
  hasLanguageModel: () => boolean
  clock: Clock
  log: Logger
}) {
  const { config, stores, data, feeds, clock, log } = deps
  const incidents = createIncidentLog(createIncidentsStore(stores.state), log)
  const components = () =>
    componentsOf({
      now: clock.now(),
      source: feeds()?.source ?? null,
      boardReady: data.board.ready,
      pipeline: data.pipeline(),
      health: (venue) => data.health(venue),
      losses: openLosses(config.dataDir),
      fullDisk: fullDiskOf(config.dataDir),
    })
  const health = createHealthService({
    clock,
    version: VERSION,
    source: () => feeds()?.source ?? null,
    components,
    incidents,
  })
  const ingestRate = createRateMeter(() => data.pipeline().accepted, clock)
  let worldAt: Millis | null = null
  deps.context.engine.onWorld(({ world }) => void (worldAt = world.at))
  const doctor = createDoctorService({
    dataDir: config.dataDir,
    history: data.history,
    parts: components,
    clock,
    isStateReadable: () => isStateReadable(stores.state),
    health: (venue) => data.health(venue),
    providers: () => [
      { name: 'language model', configured: deps.hasLanguageModel() },
      ...VENUE_TABLE.filter(({ socketsNeedKeys }) => socketsNeedKeys).map(({ id, name }) => ({
        name: `${name} sockets`,
        configured: config.venueKeys[id] !== undefined,
      })),
    ],
  })
  const readiness = createReadiness({
    parts: components,
    isOpened: () => feeds() !== null,
    isLoaded: () => data.board.ready,
    databaseAnswers: () => isStateReadable(stores.state),
  })

  return {
    health,
    doctor,
    readiness,
    /** The condition as panels show it. */
    condition: {
      status: () => health.status().status,
      sources: () =>
        sourceHealthOf({
          now: clock.now(),
          source: feeds()?.source ?? null,
          components: components(),
          health: (venue) => data.health(venue),
          worldAt,
        }),
      ingestPerSecond: () => ingestRate.perSecond(),
    },
    /** Resumes the incidents that were open when the process ended. */
    resumeIncidents: () => incidents.resume(clock.now()),
    recordIncident: (incident: Parameters<IncidentLog['record']>[0]): void =>
      incidents.record(incident),
    /**
     * Checks the parts of the service, so that trouble becomes an incident without a request. A
     * failed check is logged and repeated.
     */
    async watch(signal: AbortSignal): Promise<void> {
      ingestRate.sample()
      while (await sleepUnless(signal, clock, WATCH_INTERVAL)) {
        ingestRate.sample()
        try {
          health.status()
        } catch (error) {
          log.error({ err: error }, 'the condition of the service could not be checked')
        }
      }
    },
  }
}
