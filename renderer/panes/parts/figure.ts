/** A named quantity as text; unknown is an en dash. */
export interface Figure {
  readonly name: string
  readonly value: string
  /** Longer name, or why it is unknown, for hover. */
  readonly help?: string
  /** Slug of the glossary. */
  readonly term?: string
}
