import type { RunResult } from './run-result.ts'

type Columns = Readonly<Record<string, Float64Array>>

const sameColumns = (a: Columns, b: Columns): boolean =>
  Object.keys(a).every((name) => {
    const [left, right] = [a[name], b[name]]
    return left?.length === right?.length && left?.every((value, i) => Object.is(value, right?.[i]))
  })

/** Whether two runs have equal results, number by number. */
export function sameResult(a: RunResult, b: RunResult): boolean {
  const comparableResult = ({
    fills: _f,
    lots: _l,
    decisions: _d,
    samples: _s,
    settlements: _t,
    ...rest
  }: RunResult) => JSON.stringify(rest)
  return (
    sameColumns(a.fills, b.fills) &&
    sameColumns(a.lots, b.lots) &&
    sameColumns(a.decisions, b.decisions) &&
    sameColumns(a.samples, b.samples) &&
    sameColumns(a.settlements, b.settlements) &&
    comparableResult(a) === comparableResult(b)
  )
}
