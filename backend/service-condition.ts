import { componentsOf } from './components.ts'
import type { Config } from './config.ts'
import { SECOND, type Millis } from './domain/units.ts'
import { createHealthService } from './features/catalog/health.service.ts'
import { createIncidentsStore } from './features/catalog/incidents.store.ts'
import { createIncidentLog, type IncidentLog } from './features/catalog/incidents.ts'
import { createReadiness } from './features/data-service/readiness.service.ts'
import { createDoctorService } from './features/operations/doctor.service.ts'
import type { Feeds } from './ingest/feeds.ts'
import { sleepUnless, type Clock } from './lib/clock.ts'
import type { Logger } from './lib/logger.ts'
import { VERSION } from './lib/package-root.ts'
import { createRateMeter } from './lib/rate-meter.ts'
import type { MarketContext } from './market-context.ts'
import type { MarketData } from './market-data.ts'
import { sourceHealthOf } from './source-health.ts'
import { stateAnswers } from './state/probe.ts'
import type { Stores } from './stores.ts'

const WATCH_EVERY = (20 * SECOND) as Millis

/** How the parts of the service are, for whoever asks: health, readiness, doctor, panels, incidents. */
export function createServiceCondition(deps: {
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
    ...{ dataDir: config.dataDir, history: data.history, parts: components, clock },
    stateAnswers: () => stateAnswers(stores.state),
    health: (venue) => data.health(venue),
    providers: () => [
      { name: 'language model', configured: deps.hasLanguageModel() },
      { name: 'venue_a sockets', configured: config.venueAKeys !== null },
    ],
  })
  const readiness = createReadiness({
    parts: components,
    isOpened: () => feeds() !== null,
    isLoaded: () => data.board.ready,
    databaseAnswers: () => stateAnswers(stores.state),
  })

  return {
    ...{ health, doctor, readiness },
    /** What panels show of it. */
    condition: {
      status: () => health.status().status,
      sources: () =>
        sourceHealthOf({
          ...{ now: clock.now(), source: feeds()?.source ?? null, components: components() },
          ...{ health: (venue) => data.health(venue), worldAt },
        }),
      ingestPerSecond: () => ingestRate.perSecond(),
    },
    /** Takes up the incidents that were open when the process ended. */
    resumeIncidents: () => incidents.resume(clock.now()),
    noteIncident: (incident: Parameters<IncidentLog['note']>[0]): void => incidents.note(incident),
    /** Looks at the parts of the service so that trouble becomes an incident without anybody asking. */
    async watch(signal: AbortSignal): Promise<void> {
      ingestRate.look()
      while (await sleepUnless(signal, clock, WATCH_EVERY)) {
        ingestRate.look()
        health.status()
      }
    },
  }
}
