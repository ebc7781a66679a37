import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { createService } from '../backend/app/service.ts'
import { readConfig } from '../backend/app/config.ts'
import { VENUES, type Venue } from '../backend/domain/market.ts'
import { bind } from '../backend/http/server.ts'
import { startDemo } from '../backend/ingest/collect/demo-process.ts'
import { demoFeeds } from '../backend/ingest/collect/feeds.ts'
import { systemClock } from '../backend/lib/clock.ts'
import { silentLogger } from '../backend/lib/logger.ts'
import { systemRandom } from '../backend/lib/random.ts'
import { openStores } from '../backend/app/stores.ts'

const DEMO = { seed: 7, markets: 300 }
const TICKERS_PER_VENUE = 20

/** Message of the worker when it is ready. */
export interface IsolationServing {
  readonly url: string
  /** Endpoint that injects faults into the venues. */
  readonly controlUrl: string
  /** The most traded markets of each venue. */
  readonly tickers: Readonly<Record<Venue, readonly string[]>>
}
export type IsolationQuestion =
  { readonly kind: 'is-well'; readonly venue: Venue } | { readonly kind: 'stop' }

/** The whole service on a thread of its own, its venues in a process of their own. */
async function serve(port: NonNullable<typeof parentPort>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'augury-bench-isolation-'))
  const deps = { clock: systemClock, random: systemRandom, logger: silentLogger }
  const demo = await startDemo({ ...DEMO, clock: systemClock, log: silentLogger })
  const stores = await openStores(dataDir, silentLogger)
  const bound = await bind({ host: '127.0.0.1', port: 0 })
  const service = createService({
    config: readConfig(['--source', 'demo', '--data', dataDir], { AUGURY_FAIR_USE: 'off' }),
    stores,
    boundUrl: bound.url,
    clock: systemClock,
    random: systemRandom,
    log: silentLogger,
    openSource: () => Promise.resolve({ ...demoFeeds(demo, deps), close: () => demo.close() }),
  })
  service.serveOn(bound, 'unused-secret')
  await service.start()
  await service.data.derived

  const tickersOf = async (venue: Venue): Promise<string[]> => {
    const answer = await fetch(
      `${bound.url}/api/public/markets?venue=${venue}&limit=${TICKERS_PER_VENUE}`,
    )
    const { markets } = (await answer.json()) as { markets: { ticker: string }[] }
    return markets.map(({ ticker }) => ticker)
  }
  const isWell = (venue: Venue): boolean => {
    const health = service.data.health(venue)
    return (
      health?.mode === 'stream' &&
      (health.pausedHosts ?? []).length === 0 &&
      (health.missing ?? null) === null
    )
  }
  const stop = async (): Promise<void> => {
    await bound.close(0)
    await service.stop()
    rmSync(dataDir, { recursive: true, force: true })
    port.close()
  }
  port.on('message', (question: IsolationQuestion) => {
    if (question.kind === 'stop') void stop()
    else port.postMessage(isWell(question.venue))
  })
  const [a, b] = await Promise.all(VENUES.map(tickersOf))
  port.postMessage({
    url: bound.url,
    controlUrl: new URL('/control/', demo.venueA.baseUrl).href,
    tickers: { venue_a: a ?? [], venue_b: b ?? [] },
  } satisfies IsolationServing)
}

if (parentPort !== null) await serve(parentPort)
