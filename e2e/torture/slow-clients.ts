import { readdirSync } from 'node:fs'
import type { TortureCampaign, TortureFigure } from './campaign.ts'
import { startService } from './running-service.ts'
import { latencies, median, percentile } from './slow-clients/latency.ts'
import { openSlowSockets } from './slow-clients/slow-sockets.ts'

const SOCKETS = 500
const REQUESTS = 400
/** Headers may take ten seconds and requests thirty; the server looks every second. */
const RELEASED_WITHIN = 35_000
const MAX_SLOWDOWN = 1.5

/** Slow connections to the real service, and their effect on its other clients. */
export const slowClients: TortureCampaign = {
  name: 'slow-clients',
  about: '500 connections at a byte a second: released in time, nobody else waits',
  rounds: 5,
  async run({ rounds, log }) {
    const service = await startService(['--source', 'none'])
    const healthUrl = `${service.url}/api/health`
    const port = Number(new URL(service.url).port)
    try {
      const ratios: number[] = []
      const releases: number[] = []
      let stuck = 0
      await latencies(healthUrl, REQUESTS)
      const fdsBefore = openFiles(service.pid)
      for (let round = 1; round <= rounds; round += 1) {
        const healthy = percentile(await latencies(healthUrl, REQUESTS), 0.99)
        const slow = await openSlowSockets(port, SOCKETS)
        const beside = percentile(await latencies(healthUrl, REQUESTS), 0.99)
        const { took, open } = await slow.untilReleased(RELEASED_WITHIN + 10_000)
        slow.close()
        ratios.push(beside / healthy)
        releases.push(took)
        stuck += open
        log(
          `round ${round}: p99 × ${(beside / healthy).toFixed(2)}, released in ${took.toFixed()} ms`,
        )
      }
      return figures({ ratios, releases, stuck, fdsLeft: openFiles(service.pid) - fdsBefore })
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
      goal: `≤ ${MAX_SLOWDOWN}`,
      met: ratio <= MAX_SLOWDOWN,
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

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
