/** One numbered step of the schema; never edited once released. */
export interface Migration {
  readonly number: number
  readonly statements: readonly string[]
}
