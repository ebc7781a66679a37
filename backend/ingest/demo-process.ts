import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sleepUnless, type Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'

/** Addresses of a running simulator. */
export interface DemoAddresses {
  readonly venueA: { readonly baseUrl: string; readonly wsUrl: string }
  readonly venueB: {
    readonly gammaUrl: string
    readonly clobUrl: string
    readonly dataUrl: string
    readonly wsUrl: string
  }
}

export interface DemoProcess extends DemoAddresses {
  /** Of the process that runs now. */
  pid(): number
  /** Ends the process and resolves when it is gone. */
  close(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('../simulator/main.ts', import.meta.url))

/** Wait before a demo that ended by itself is started again; it doubles with every vain try. */
const RESTART_AFTER = 1_000
const LONGEST_WAIT = 60_000

/**
 * Starts the demo's venues as a process of their own. It ends with us: it watches its standard
 * input, which the system closes when we are gone, however we went. Ended by anything else it is
 * started again at the same addresses, so that the connectors find it as they left it.
 * @throws Error when it ends before it is ready
 */
export async function startDemo(options: {
  seed: number
  markets: number
  clock: Clock
  log: Logger
}): Promise<DemoProcess> {
  const { seed, markets, clock, log } = options
  const flags = ['--seed', String(seed), '--markets', String(markets)]
  const closing = new AbortController()
  let running = await launch(flags, log)
  const { addresses } = running
  const samePorts = ['--ports', portsOf(addresses).join()]

  const keepRunning = async (): Promise<void> => {
    let wait = RESTART_AFTER
    for (;;) {
      await running.gone
      while (await sleepUnless(closing.signal, clock, wait)) {
        try {
          running = await launch([...flags, ...samePorts], log)
          wait = RESTART_AFTER
          log.warn({ pid: running.pid }, 'the demo had ended and was started again')
          break
        } catch (error) {
          wait = Math.min(LONGEST_WAIT, wait * 2)
          log.error({ err: error }, 'the demo could not be started again')
        }
      }
      if (closing.signal.aborted) return
    }
  }
  const kept = keepRunning()
  return {
    ...addresses,
    pid: () => running.pid,
    async close() {
      closing.abort()
      running.stop()
      await kept
      // One that was just being started when we closed.
      running.stop()
      await running.gone
    },
  }
}

interface RunningDemo {
  readonly addresses: DemoAddresses
  readonly gone: Promise<void>
  readonly pid: number
  stop(): void
}

async function launch(flags: readonly string[], log: Logger): Promise<RunningDemo> {
  const child = spawn(process.execPath, [ENTRY, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  createInterface({ input: child.stderr }).on('line', (line) => log.warn({ line }, 'the demo says'))
  const addresses = await new Promise<DemoAddresses>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve(JSON.parse(line) as DemoAddresses)
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the demo ended with ${code} before it was ready`)),
    )
  })
  return { addresses, gone, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') }
}

/** Ports in the order in which the simulator takes them. */
const portsOf = ({ venueA, venueB }: DemoAddresses): string[] =>
  [venueA.baseUrl, venueB.gammaUrl, venueB.clobUrl, venueB.dataUrl].map((url) => new URL(url).port)
