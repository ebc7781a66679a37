import type { Millis } from './units.ts'

/** A time of a feed whose rows are lost; `venue` null stands for all. */
export interface LostSpan {
  readonly kind: string
  readonly venue: string | null
  readonly from: number
  readonly to: number
}

/** What became of a damaged store. */
export interface Damage {
  readonly store: 'history' | 'state'
  readonly at: Millis
  /** What was noticed. */
  readonly reason: string
  /** Name of the file that was set aside, for people who want to look; null when there was none. */
  readonly quarantined: string | null
  /** Rows taken from the copies of closed days, and from what could still be read. */
  readonly fromCopies: number
  readonly salvaged: number
  readonly lost: readonly LostSpan[]
  /** Only the log was damaged: the file stands, its newest rows are lost. */
  readonly isLogCut: boolean
  /** One sentence for the log and the status page. */
  readonly summary: string
}
