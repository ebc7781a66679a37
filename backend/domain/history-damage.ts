import type { Millis } from './units.ts'

/** A period of a feed whose rows are lost; `venue` null means all venues. */
export interface LostSpan {
  readonly kind: string
  readonly venue: string | null
  readonly from: number
  readonly to: number
}

/** How a damaged store was recovered. */
export interface Damage {
  readonly store: 'history' | 'state' | 'secrets'
  readonly at: Millis
  /** The detected fault. */
  readonly reason: string
  /** Name of the quarantined file, for inspection; null when there was none. */
  readonly quarantined: string | null
  /** Rows restored from the copies of closed days, and from the readable rest of the file. */
  readonly fromCopies: number
  readonly salvaged: number
  readonly lost: readonly LostSpan[]
  /** Only the log was damaged: the file is intact, but its newest rows are lost. */
  readonly isLogCut: boolean
  /**
   * Permanent loss in one sentence; null when nothing is lost, or when it is marked as a gap. The
   * service is degraded until its owner has accepted the loss.
   */
  readonly missing: string | null
  /** One sentence for the log and the status page. */
  readonly summary: string
}
