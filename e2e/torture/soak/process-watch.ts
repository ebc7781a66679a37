import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Resources of a process at an instant. */
export interface Sample {
  /** Seconds since the watch began. */
  readonly at: number
  readonly rssMb: number
  readonly fds: number
  readonly walMb: number
}

/** Whether the system reports a process's resources. */
export const canWatch = process.platform === 'linux'

/** Reads a process's resources now; a missing log has no size. */
export function sampleOf(pid: number, dataDir: string, at: number): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN)
  const wal = statSync(join(dataDir, 'history.duckdb.wal'), { throwIfNoEntry: false })
  return {
    at,
    rssMb: kilobytes / 1_024,
    fds: readdirSync(`/proc/${pid}/fd`).length,
    walMb: (wal?.size ?? 0) / 1_048_576,
  }
}

/** Slope of the least-squares line through points, in units of y per unit of x. */
export function slopeOf(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (of: 0 | 1): number =>
    points.reduce((sum, point) => sum + point[of], 0) / points.length
  const [meanX, meanY] = [mean(0), mean(1)]
  let [covariance, variance] = [0, 0]
  for (const [x, y] of points) {
    covariance += (x - meanX) * (y - meanY)
    variance += (x - meanX) ** 2
  }
  return covariance / variance
}
