/**
 * The type of a parameter table with its numbers widened, so that sweeps can pass values other than
 * the constants.
 */
export type ParamsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends number
    ? number
    : Table[Name] extends object
      ? ParamsOf<Table[Name]>
      : Table[Name]
}
