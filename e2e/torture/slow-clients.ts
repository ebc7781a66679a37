import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { latencies, median, percentile } from './slow-clients/latency.ts'
import { openSlowSockets } from './slow-clients/slow-sockets.ts'

const ENTRY = fileURLToPath(new URL('../../backend/main.ts', import.meta.url))
const SOCKETS = 500
const REQUESTS = 400
/** Headers may take ten seconds and requests thirty; the server looks every second. */
const RELEASED_WITHIN = 35_000
const MOST_SLOWER = 1.5

/** Half-open connections against the real service, and what its other clients notice of them. */
export const slowClients: TortureCampaign = {
  name: 'slow-clients',
  about: '500 connections at a byte a second: released in time, nobody else waits',
  rounds: 5,
  async run({ rounds, say }) {
    const service = await startService()
    try {
      const ratios: number[] = []
      const releases: number[] = []
      let stuck = 0
      await latencies(service.healthUrl, REQUESTS)
      const fdsBefore = service.fds()
      for (let round = 1; round <= rounds; round += 1) {
        const healthy = percentile(await latencies(service.healthUrl, REQUESTS), 0.99)
        const slow = await openSlowSockets(service.port, SOCKETS)
        const beside = percentile(await latencies(service.healthUrl, REQUESTS), 0.99)
        const { took, open } = await slow.untilReleased(RELEASED_WITHIN + 10_000)
        slow.close()
        ratios.push(beside / healthy)
        releases.push(took)
        stuck += open
        say(
          `round ${round}: p99 × ${(beside / healthy).toFixed(2)}, released in ${took.toFixed()} ms`,
        )
      }
      return figures({ ratios, releases, stuck, fdsLeft: service.fds() - fdsBefore })
    } finally {
      await service.stop()
    }
  },
}

function figures(seen: {
  ratios: readonly number[]
  releases: readonly number[]
  stuck: number
  fdsLeft: number
}): TortureFigure[] {
  const ratio = median(seen.ratios)
  const slowest = Math.max(...seen.releases)
  return [
    {
      name: 'p99 of other clients, with 500 slow ones / without',
      value: Number(ratio.toFixed(2)),
      goal: `≤ ${MOST_SLOWER}`,
      met: ratio <= MOST_SLOWER,
    },
    { name: 'connections never released', value: seen.stuck, goal: '0', met: seen.stuck === 0 },
    {
      name: 'last connection released, ms',
      value: Math.round(slowest),
      goal: `≤ ${RELEASED_WITHIN}`,
      met: slowest <= RELEASED_WITHIN,
    },
    { name: 'file descriptors kept', value: seen.fdsLeft, goal: '≤ 5', met: seen.fdsLeft <= 5 },
  ]
}

interface RunningService {
  readonly port: number
  readonly healthUrl: string
  /** Open file descriptors of the process; NaN where the system does not tell. */
  fds(): number
  stop(): Promise<void>
}

async function startService(): Promise<RunningService> {
  const folder = mkdtempSync(join(tmpdir(), 'augury-slow-clients-'))
  const child = spawn(
    process.execPath,
    [ENTRY, '--source', 'none', '--port', '0', '--data', folder, '--log-level', 'error'],
    // Nothing else of our environment is the service's business.
    { stdio: ['ignore', 'pipe', 'inherit'], env: { AUGURY_FAIR_USE: 'off' } },
  )
  const url = await readyUrlOf(child)
  return {
    port: Number(new URL(url).port),
    healthUrl: `${url}/api/health`,
    fds: () => readdirSync(`/proc/${child.pid}/fd`).length,
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const readyUrlOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    if (child.stdout === null) return reject(new Error('the service has no output'))
    createInterface({ input: child.stdout }).once('line', (line) => {
      resolve((JSON.parse(line) as { url: string }).url)
    })
  })
