import type { Millis } from '../../domain/units.ts'
import type { HIT_TYPES } from './search.schema.ts'

/** A text of the service's own that a search of the site found. */
export interface TextHit {
  readonly id: string
  readonly type: (typeof HIT_TYPES)[number]
  readonly title: string
  readonly href: string
  readonly description: string
  readonly badge: string | null
  /** 0 to 1. */
  readonly score: number
}

/** Texts of these types by words as they stood at an instant, best first. */
export type FindTexts = (
  query: string,
  at: Millis,
  types: ReadonlySet<string>,
  limit: number,
) => Promise<readonly TextHit[]>
