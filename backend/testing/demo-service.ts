import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createService, type Service } from '../app/service.ts'
import { readConfig } from '../app/config.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { demoFeeds } from '../ingest/collect/feeds.ts'
import type { Clock } from '../lib/clock.ts'
import { NotReady } from '../lib/errors.ts'
import { silentLogger } from '../lib/logger.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { openState } from '../state/open.ts'
import { openStores, type Stores } from '../app/stores.ts'
import { FakeClock } from './fake-clock.ts'

/** The whole service over a demo of its own in this process, on a clock that the test advances. */
export interface DemoService {
  readonly service: Service
  readonly clock: FakeClock
  /**
   * The simulated venues: inject faults, and report which messages they affected and the complete
   * tape.
   */
  readonly simulator: Simulator
  /** Body of a response as sent, after its status. */
  ask(path: string): Promise<string>
  /** Number of ingested events. */
  accepted(): number
  /** Resolves when the demo has sent everything due at this instant. */
  untilQuiet(): Promise<void>
  /**
   * Advances the clock; events due on the way arrive first.
   * @param step size of one advance; defaults to a beat of the demo
   */
  advance(span: number, step?: number): Promise<void>
  /**
   * Stops the service and starts another on the same folder, while the venues continue.
   * @param away downtime
   * @throws Error for a service without a folder
   */
  restart(away: number): Promise<void>
  stop(): Promise<void>
}

type History = Awaited<ReturnType<typeof openHistory>>

/** Interval at which the demo's sockets send. */
const HEARTBEAT_MS = 250
/**
 * Number and interval of checks without a change and without a pending call to the history that
 * count as idle: messages of the venues are in flight for a few turns of the event loop only.
 */
const SILENT_LOOKS = 6
const CHECK_EVERY = 1

/** Starts a service with the demo's catalogue and the past that its first start fetches. */
export async function startDemoService(options: {
  seed: number
  markets: number
  start: string
  /** Multiplies the usual trading from the start. */
  activity?: number
  /**
   * Computes the gauges of the previous month, and waits for them; takes as long as everything
   * else.
   */
  withPast?: boolean
  /** Requests a minute of the general class; without it requests are not limited. */
  fairUse?: number
  /** Folder of its stores, so that it can be restarted; in memory by default. */
  dataDir?: string
  /** The service's own clock, when it should differ from that of the venues. */
  clockOf?: (clock: FakeClock) => Clock
  /** Spy on the service's history reads. */
  watched?: (history: History) => History
}): Promise<DemoService> {
  const { dataDir } = options
  // Keys are files also of a service whose stores are in memory.
  const folder = dataDir ?? mkdtempSync(join(tmpdir(), 'augury-demo-service-'))
  const flags = ['--source', 'demo', '--base-url', 'http://augury.test', '--webhook-allow-loopback']
  const venueClock = new FakeClock(options.start)
  const clock = options.clockOf?.(venueClock) ?? venueClock
  const simulator = await createSimulator({ ...options, clock: venueClock })
  const deps = { clock, random: () => 0.5, logger: silentLogger }
  const { counted, underWay } = countingCalls()
  const composed = async (): Promise<Service> =>
    createService({
      config: readConfig([...flags, '--data', folder], {
        AUGURY_FAIR_USE: String(options.fairUse ?? 'off'),
      }),
      stores: counted(
        dataDir === undefined
          ? await storesInMemory(options.watched)
          : await openStores(dataDir, silentLogger, clock),
      ),
      boundUrl: 'http://augury.test',
      loadsHistory: options.withPast === true,
      clock,
      random: deps.random,
      log: silentLogger,
      openSource: () => Promise.resolve(demoFeeds(simulator, deps)),
    })
  let service = await composed()
  const accepted = (): number => service.data.pipeline().accepted
  const isAtWork = (): boolean =>
    service.context.isBusy || service.context.isReadingPast || underWay() > 0
  const untilQuiet = async (): Promise<void> => {
    for (let silent = 0, known = accepted(); silent < SILENT_LOOKS; silent += 1) {
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY))
      if (accepted() !== known || isAtWork()) silent = 0
      known = accepted()
    }
  }
  const advance = async (span: number, step = HEARTBEAT_MS): Promise<void> => {
    for (let left = span; left > 0; left -= step) {
      await venueClock.advance(Math.min(step, left))
      await untilQuiet()
    }
  }
  const start = async (): Promise<void> => {
    await service.start()
    await service.data.derived
    await firstWorld(service)
    await untilQuiet()
  }
  await start()
  return {
    get service() {
      return service
    },
    clock: venueClock,
    simulator,
    accepted,
    untilQuiet,
    async ask(path) {
      const response = await service.app.handle(new Request(`http://augury.test${path}`))
      return `${response.status} ${await response.text()}`
    },
    advance,
    async restart(away) {
      if (dataDir === undefined) throw new Error('what is in memory cannot be started again')
      await service.stop()
      await venueClock.advance(away)
      service = await composed()
      // A faulty venue is retried later, so time must advance.
      const started = start()
      const hasStarted = started.then(() => true)
      while (!(await Promise.race([hasStarted, advance(HEARTBEAT_MS).then(() => false)])));
    },
    async stop() {
      await service.stop()
      await simulator.close()
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when the context engine is ready. */
async function firstWorld({ context }: Service): Promise<void> {
  for (;;) {
    try {
      await context.world(null)
      return
    } catch (error) {
      if (!(error instanceof NotReady)) throw error
      await new Promise((resolve) => setTimeout(resolve, CHECK_EVERY))
    }
  }
}

/** Stores whose history counts its pending calls. */
function countingCalls(): { counted: (stores: Stores) => Stores; underWay: () => number } {
  let count = 0
  const follow = (call: Promise<unknown>): void => {
    count += 1
    const ended = (): void => void (count -= 1)
    call.then(ended, ended)
  }
  const counted = (stores: Stores): Stores => {
    const history = new Proxy(stores.history, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]): unknown => {
          const answer: unknown = Reflect.apply(value, target, args)
          if (answer instanceof Promise) follow(answer)
          return answer
        }
      },
    })
    return { ...stores, history }
  }
  return { counted, underWay: () => count }
}

async function storesInMemory(watched: (history: History) => History = (history) => history) {
  const opened = await openHistory({ path: ':memory:', logger: silentLogger })
  const state = await openState(':memory:')
  return {
    history: watched(opened),
    state,
    async close() {
      await state.destroy()
      await opened.close()
    },
  } satisfies Stores
}
