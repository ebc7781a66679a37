import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
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
  /** Ends the process and resolves when it is gone. */
  close(): Promise<void>
}

const ENTRY = fileURLToPath(new URL('../simulator/main.ts', import.meta.url))

/**
 * Starts the demo's venues as a process of their own. It ends with us: it watches its standard
 * input, which the system closes when we are gone, however we went.
 * @throws Error when it ends before it is ready
 */
export async function startDemo(options: {
  seed: number
  markets: number
  log: Logger
}): Promise<DemoProcess> {
  const { seed, markets, log } = options
  const flags = ['--seed', String(seed), '--markets', String(markets)]
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
  return {
    ...addresses,
    async close() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
