/** What an event says of its markets. */
export interface EventTitle {
  readonly eventId: string
  readonly title: string
  readonly category: string | null
  readonly exclusive: boolean | null
  readonly seriesId: string | null
}

/** What a series says of its markets. */
export interface SeriesTitle {
  readonly seriesId: string
  readonly title: string | null
  readonly category: string | null
  readonly tags: readonly string[]
  readonly rulesUrl: string | null
}

/** What became of a title: whether it named a market, had named it before, or found none. */
export type TitleFate = 'taken' | 'known' | 'no such market'
