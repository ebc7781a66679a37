import type { RunReport } from '../../domain/backtest/report.ts'
import type { Millis } from '../../domain/units.ts'

export type ReplaySpeed = number | 'max' | 'step'

/** Where the clock of a replay stands and how it moves. */
export interface ReplayPosition {
  readonly state: 'running' | 'paused' | 'ended'
  readonly now: Millis
  readonly from: Millis
  readonly to: Millis
  readonly speed: ReplaySpeed
}

/** What drives the clock of a replay service. */
export interface ReplayControl {
  readonly position: () => ReplayPosition
  /** Resolves when the clock stands still and what was begun is done. */
  readonly pause: () => Promise<ReplayPosition>
  /** @throws Conflict at the end, and where time moves by steps alone */
  readonly resume: () => ReplayPosition
  /**
   * Moves on by so many seconds or, for null, to where the next world stands; at most to the end. What
   * is due on the way is done when it resolves.
   * @throws Conflict while the clock runs by itself, and at the end
   */
  readonly step: (seconds: number | null) => Promise<ReplayPosition>
  /**
   * Goes to an instant of the replay, forward or back, without living through what lies between.
   * @throws InvalidInput for an instant outside the replay
   */
  readonly seek: (to: Millis) => Promise<ReplayPosition>
  readonly setSpeed: (speed: ReplaySpeed) => Promise<ReplayPosition>
  /** Files of a user's report, which outlive the replay; none before its end. */
  readonly reportFiles: (userId: string) => readonly string[]
}

/** What users did on paper. */
export interface ReportsOfUsers {
  /** Of one user from the beginning of a stretch until now. */
  readonly of: (
    userId: string,
    span: { readonly from: Millis; readonly now: Millis },
  ) => Promise<{ readonly report: RunReport }>
}
