import type { Question } from './source.svelte.ts'
import type { Iso } from './types.ts'

export type ReplaySpeed = number | 'max' | 'step'

/** Where the clock of a replay stands, and how it moves. */
export interface ReplayState {
  readonly state: 'running' | 'paused' | 'ended'
  readonly now: Iso
  readonly from: Iso
  readonly to: Iso
  readonly speed: ReplaySpeed
}

/** Asked every second: the clock of a replay may run thousands of times faster than ours. */
export const replayState: Question<ReplayState> = {
  path: '/api/replay',
  every: 1_000,
  cadence: 10_000,
  isOfMarkets: false,
  timeOf: (_body, answeredAt) => answeredAt,
}

/** Where a replay is moved: pause, resume, step, seek, speed. */
export const replayRoute = (action: string): string => `/api/replay/${action}`

/** What you did on paper in it, as one page. */
export const replayReportPage = '/api/replay/report?format=html'
