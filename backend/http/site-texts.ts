import type { Millis } from '../domain/units.ts'

/** Kinds of texts that the search of the whole site finds besides markets. */
export const TEXT_TYPES = [
  'topic',
  'thesis',
  'glossary',
  'technical',
  'opinion',
  'skill',
  'idea',
] as const
export type TextType = (typeof TEXT_TYPES)[number]

/** A text of the service's own that a search of the site found. */
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

/** Texts of these types by words as they stood at an instant, best first. */
export type FindTexts = (
  query: string,
  at: Millis,
  types: ReadonlySet<string>,
  limit: number,
) => Promise<readonly TextHit[]>
