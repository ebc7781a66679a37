/**
 * A table of parameters with its numbers free to vary: what functions take, so that sweeps can hand
 * in other values than the constants.
 */
export type ParamsOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends number
    ? number
    : Table[Name] extends object
      ? ParamsOf<Table[Name]>
      : Table[Name]
}
