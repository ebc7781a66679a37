/** One quantity in users' words; glossary, search and the pages of docs/methodology are made from it. */
export interface Term {
  readonly slug: string
  readonly term: string
  /** One sentence. */
  readonly short: string
  /** Page of docs/methodology that holds it. */
  readonly category: TermCategory
  readonly aliases: readonly string[]
  /** What it is and how it is worked out. */
  readonly body: string
  readonly formula: string | null
  readonly example: string | null
  readonly limits: string
  /** Slugs of related terms. */
  readonly seeAlso: readonly string[]
  /** Names under which answers serve it. */
  readonly fields: readonly string[]
}

export const TERM_CATEGORIES = {
  prices: 'Prices',
  yields: 'Yields and ratios',
  liquidity: 'Liquidity',
  activity: 'Activity and surprise',
  'adverse-selection': 'Adverse selection',
  trend: 'Trend and technicals',
  index: 'The index',
  world: 'The world',
  links: 'Links and venues',
  edges: 'Edges and suggestions',
  lists: 'Lists and records',
  answers: 'Answers in words',
} as const
export type TermCategory = keyof typeof TERM_CATEGORIES

/** The terms of one page from short rows; what a row leaves out is empty. */
export const termsOfPage = (
  category: TermCategory,
  rows: readonly (Pick<Term, 'slug' | 'term' | 'short' | 'body' | 'limits'> &
    Partial<Omit<Term, 'category'>>)[],
): Term[] =>
  rows.map((row) => ({
    aliases: [],
    formula: null,
    example: null,
    seeAlso: [],
    fields: [],
    ...row,
    category,
  }))
