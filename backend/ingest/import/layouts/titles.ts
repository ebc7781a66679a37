/** Titles that an event gives to its markets. */
export interface EventTitle {
  readonly eventId: string
  readonly title: string
  readonly category: string | null
  readonly exclusive: boolean | null
  readonly seriesId: string | null
}

/** Titles that a series gives to its markets. */
export interface SeriesTitle {
  readonly seriesId: string
  readonly title: string | null
  readonly category: string | null
  readonly tags: readonly string[]
  readonly rulesUrl: string | null
}

/** Whether a title named a market, had already named it, or found none. */
export type TitleStatus = 'taken' | 'known' | 'no such market'
