import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { portsOf } from '../../venues/connectors.ts'
import type { SimulatorAddresses } from '../../venues/connectors.ts'

export interface DemoProcess extends SimulatorAddresses {
  /** Process id of the current process. */
  pid(): number
  /** Ends the process and resolves when it is gone. */
  close(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url))

/** Delay before a demo that exited by itself is restarted; it doubles with every failed attempt. */
const RESTART_DELAY = 1_000
const MAX_WAIT = 60_000

/**
 * Starts the demo's venues as a child process. The child ends with this process because it watches
 * its standard input, which the system closes on every kind of exit. When it exits for another
 * reason it is restarted at the same addresses, so the connectors reconnect.
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
  let demo = await launch(flags, log)
  const { addresses } = demo
  const samePorts = ['--ports', portsOf(addresses).join()]

  const keepRunning = async (): Promise<void> => {
    let wait = RESTART_DELAY
    for (;;) {
      await demo.exited
      while (await sleepUnless(closing.signal, clock, wait)) {
        try {
          demo = await launch([...flags, ...samePorts], log)
          wait = RESTART_DELAY
          log.warn({ pid: demo.pid }, 'the demo exited and was restarted')
          break
        } catch (error) {
          wait = Math.min(MAX_WAIT, wait * 2)
          log.error({ err: error }, 'the demo could not be restarted')
        }
      }
      if (closing.signal.aborted) return
    }
  }
  const supervision = keepRunning()
  return {
    ...addresses,
    pid: () => demo.pid,
    async close() {
      closing.abort()
      demo.stop()
      await supervision
      // A child that was being started during the close.
      demo.stop()
      await demo.exited
    },
  }
}

interface RunningDemo {
  readonly addresses: SimulatorAddresses
  readonly exited: Promise<void>
  readonly pid: number
  stop(): void
}

async function launch(flags: readonly string[], log: Logger): Promise<RunningDemo> {
  const child = spawn(process.execPath, [ENTRY, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] })
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  createInterface({ input: child.stderr }).on('line', (line) =>
    log.warn({ line }, 'output of the demo'),
  )
  const addresses = await new Promise<SimulatorAddresses>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', (line) => {
      try {
        resolve(JSON.parse(line) as SimulatorAddresses)
      } catch {
        child.kill('SIGTERM')
        reject(new Error('the demo did not print its addresses first'))
      }
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the demo ended with ${code} before it was ready`)),
    )
  })
  return { addresses, exited: exit, pid: child.pid ?? 0, stop: () => void child.kill('SIGTERM') }
}
