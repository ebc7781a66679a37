import type { RunReport } from '../../domain/backtest/report/report.ts'
import type { Millis } from '../../domain/units.ts'

export type ReplaySpeed = number | 'max' | 'step'

/** Position and state of a replay's clock. */
export interface ReplayPosition {
  readonly state: 'running' | 'paused' | 'ended'
  readonly now: Millis
  readonly from: Millis
  readonly to: Millis
  readonly speed: ReplaySpeed
}

/** Controls the clock of a replay service. */
export interface ReplayControl {
  readonly position: () => ReplayPosition
  /** Resolves when the clock has stopped and running work is done. */
  readonly pause: () => Promise<ReplayPosition>
  /** @throws Conflict at the end, and if time moves only by steps */
  readonly resume: () => ReplayPosition
  /**
   * Advances by seconds or, for null, to the next world; at most to the end. Work that becomes due
   * is done when it resolves.
   * @throws Conflict while the clock is running, and at the end
   */
  readonly step: (seconds: number | null) => Promise<ReplayPosition>
  /**
   * Jumps to an instant of the replay, forward or back, without processing the time in between.
   * @throws InvalidInput for an instant outside the replay
   */
  readonly seek: (to: Millis) => Promise<ReplayPosition>
  readonly setSpeed: (speed: ReplaySpeed) => Promise<ReplayPosition>
  /** Report files of a user, which outlive the replay; none before its end. */
  readonly reportFiles: (userId: string) => readonly string[]
}

/** Reports of users' paper trading. */
export interface ReportsOfUsers {
  /** One user's report from the start of a span until now. */
  readonly read: (
    userId: string,
    span: { readonly from: Millis; readonly now: Millis },
  ) => Promise<{ readonly report: RunReport }>
}
