import { compose, type Service } from '../compose.ts'
import { readConfig } from '../config.ts'
import { openHistory } from '../history/duckdb/open.ts'
import { demoFeeds } from '../ingest/feeds.ts'
import type { Clock } from '../lib/clock.ts'
import { silentLogger } from '../lib/logger.ts'
import { createSimulator, type Simulator } from '../simulator/simulator.ts'
import { openState } from '../state/open.ts'
import { FakeClock } from './fake-clock.ts'

/** The whole service over a demo of its own in this process, on a clock that the test moves. */
export interface DemoService {
  readonly service: Service
  readonly clock: FakeClock
  /** The venues behind it: orders faults, tells what they struck and what was really traded. */
  readonly simulator: Simulator
  /** Body of an answer as it is sent, after its status. */
  ask(path: string): Promise<string>
  /** Events taken until now. */
  accepted(): number
  /** Resolves when the demo has said all it has to say at this instant. */
  untilQuiet(): Promise<void>
  /** Moves the clock, letting what happens on the way arrive before it moves on. */
  advance(span: number): Promise<void>
  stop(): Promise<void>
}

type History = Awaited<ReturnType<typeof openHistory>>

/** The sockets of the demo speak this often. */
const BEAT = 250
/** Looks at the counter without a change that mean silence, and the time between them. */
const SILENT_LOOKS = 4
const LOOK_EVERY = 5

/** Starts a service with the demo's catalogue and the past that its first start fetches. */
export async function startDemoService(options: {
  seed: number
  markets: number
  start: string
  /** From the start on, so many times as much is traded as usual. */
  bustle?: number
  /** The service's own clock, where it is to differ from that of the venues. */
  clockOf?: (clock: FakeClock) => Clock
  /** A look at what the service asks of its history. */
  watched?: (history: History) => History
}): Promise<DemoService> {
  const venueClock = new FakeClock(options.start)
  const clock = options.clockOf?.(venueClock) ?? venueClock
  const simulator = await createSimulator({ ...options, clock: venueClock })
  const opened = await openHistory({ path: ':memory:', logger: silentLogger })
  const history = options.watched?.(opened) ?? opened
  const state = await openState(':memory:')
  const deps = { clock, random: () => 0.5, logger: silentLogger }
  const service = compose({
    config: readConfig(['--source', 'demo', '--base-url', 'http://augury.test'], {
      AUGURY_FAIR_USE: 'off',
    }),
    stores: {
      history,
      state,
      async close() {
        await state.destroy()
        await opened.close()
      },
    },
    boundUrl: 'http://augury.test',
    ...{ clock, random: deps.random, log: silentLogger },
    openSource: () =>
      Promise.resolve({ ...demoFeeds(simulator, deps), close: () => simulator.close() }),
  })
  const accepted = (): number => service.data.pipeline().accepted
  const untilQuiet = async (): Promise<void> => {
    for (let silent = 0, known = accepted(); silent < SILENT_LOOKS; silent += 1) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY))
      if (accepted() !== known) silent = 0
      known = accepted()
    }
  }
  await service.start()
  await service.data.derived
  await untilQuiet()
  return {
    service,
    clock: venueClock,
    simulator,
    accepted,
    untilQuiet,
    async ask(path) {
      const response = await service.app.handle(new Request(`http://augury.test${path}`))
      return `${response.status} ${await response.text()}`
    },
    async advance(span) {
      for (let left = span; left > 0; left -= BEAT) {
        await venueClock.advance(Math.min(BEAT, left))
        await untilQuiet()
      }
    },
    stop: () => service.stop(),
  }
}
