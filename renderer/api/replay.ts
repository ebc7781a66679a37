import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'
import type { ReplayState } from '../../backend/contract/replay.ts'

/**
 * Polled every second, because the clock of a replay may run thousands of times faster than wall
 * time.
 */
export const replayState: PolledQuery<ReplayState> = {
  path: pathOf('/api/replay'),
  interval: 1_000,
  cadence: 10_000,
  isOfMarkets: false,
  timeOf: (_body, answeredAt) => answeredAt,
}

/** Route of the replay controls: pause, resume, step, seek, speed. */
export const replayRoute = <A extends 'pause' | 'resume' | 'step' | 'seek' | 'speed'>(action: A) =>
  `/api/replay/${action}` as const

/** The user's paper trades in the replay, as one page. */
export const replayReportPage = '/api/replay/report?format=html'
