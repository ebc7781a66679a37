import type { TextType } from '../contract/markets.ts'
import type { Millis } from '../domain/units.ts'

/** A text of the service that matches a site search. */
export interface TextHit {
  readonly id: string
  readonly type: TextType
  readonly title: string
  readonly href: string
  readonly description: string
  readonly badge: string | null
  /** 0 to 1. */
  readonly score: number
}

/** Finds texts of these types as they were at an instant, best match first. */
export type FindTexts = (
  query: string,
  at: Millis,
  types: ReadonlySet<string>,
  limit: number,
) => Promise<readonly TextHit[]>
