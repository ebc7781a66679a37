import { quarterHourOf } from '../domain/changes/change-rows.ts'
import { DAY, HOUR, type Millis } from '../domain/units.ts'
import type {
  ContextStore,
  IndexRow,
  JudgementRow,
  RegimeLabelRow,
  ServedRow,
  SnapshotRow,
} from '../history/context-store.ts'

/** Computed rows in memory, by the rules of the port. */
export function memoryContext(): ContextStore {
  let indices: IndexRow[] = []
  let snapshots: SnapshotRow[] = []
  let regimes: RegimeLabelRow[] = []
  let judgements: JudgementRow[] = []
  let served: ServedRow[] = []
  /** Past readings computed by the first service count as known before its first snapshot. */
  const isKnown = ({ knownAt }: IndexRow, knownBy: Millis): boolean => {
    if (knownAt === undefined || knownAt <= knownBy) return true
    const starts = served.filter((row) => row.isRunning && row.contextAt === null)
    const isBefore = knownBy < quarterHourOf(served[0]?.at ?? (Infinity as Millis))
    return isBefore && knownAt < (starts[1]?.at ?? Infinity)
  }
  return {
    appendContext(rows) {
      indices = merged(indices, rows.indices ?? [], (row) => row.scope)
      snapshots = merged(snapshots, rows.snapshots ?? [], (row) => row.region)
      regimes = merged(regimes, rows.regimes ?? [], (row) => String(row.market))
      judgements = merged(judgements, rows.judgements ?? [], (row) => `${row.kind} ${row.id}`)
      served = [...served, ...(rows.served ?? [])].toSorted((a, b) => a.at - b.at)
      return Promise.resolve()
    },
    servedAt: (asOf) => Promise.resolve(newestBy(served, asOf)),
    indexAt: (scope, asOf, knownBy) =>
      Promise.resolve(
        newestBy(
          indices.filter((row) => row.scope === scope && isKnown(row, knownBy)),
          asOf,
        ),
      ),
    indexBetween: ({ scope, from, to, step, knownBy }) =>
      Promise.resolve(
        lastOfSteps(
          within(indices, from, to).filter((row) => row.scope === scope && isKnown(row, knownBy)),
          step,
        ),
      ),
    indexBack({ at, step, count, within: max, knownBy }) {
      const found = Array.from({ length: count + 1 }, (_, back) => {
        const then = (at - back * step) as Millis
        const near = indices.filter((row) => then - row.at <= max && isKnown(row, knownBy))
        return [...Map.groupBy(near, ({ scope }) => scope).values()].flatMap((rows) => {
          const row = newestBy(rows, then)
          return row === null ? [] : [{ back, row }]
        })
      })
      return Promise.resolve(found.flat())
    },
    firstIndexAt: (knownBy) =>
      Promise.resolve(indices.find((row) => isKnown(row, knownBy))?.at ?? null),
    snapshotAt: (region, asOf) =>
      Promise.resolve(
        newestBy(
          snapshots.filter((row) => row.region === region),
          asOf,
        ),
      ),
    snapshots: ({ region, from, to, newest }) =>
      Promise.resolve(
        within(snapshots, from, to)
          .filter((row) => row.region === region)
          .slice(newest === undefined ? 0 : -newest),
      ),
    regimesOf: ({ market, from, to }) =>
      Promise.resolve(within(regimes, from, to).filter((row) => row.market === market)),
    newestRegimes(asOf) {
      const newest = new Map<number, RegimeLabelRow>()
      for (const row of regimes) {
        if (row.at <= asOf && row.at >= asOf - 7 * DAY) newest.set(row.market, row)
      }
      return Promise.resolve([...newest.values()].toSorted((a, b) => a.market - b.market))
    },
    judgements: ({ kind, from, to, id }) =>
      Promise.resolve(
        within(judgements, from, to)
          .filter((row) => row.kind === kind && (id === undefined || row.id === id))
          .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)),
      ),
    thinSnapshots(now) {
      const thinned = Math.floor((now - 2 * DAY) / HOUR) * HOUR
      const regions = new Set(snapshots.map((row) => row.region))
      const retained = new Set(
        [...regions].flatMap((region) =>
          lastOfSteps(
            snapshots.filter((row) => row.region === region),
            HOUR,
          ),
        ),
      )
      snapshots = snapshots
        .filter((row) => row.at > now - 90 * DAY)
        .filter((row) => row.at > thinned || retained.has(row))
      return Promise.resolve()
    },
  }
}

interface Instant {
  readonly at: Millis
}

/** Rows by time; of one key and instant the first is kept. */
function merged<Row extends Instant>(
  stored: readonly Row[],
  added: readonly Row[],
  key: (row: Row) => string,
): Row[] {
  const rows = new Map<string, Row>()
  for (const row of [...stored, ...added]) {
    const name = `${row.at} ${key(row)}`
    if (!rows.has(name)) rows.set(name, row)
  }
  return [...rows.values()].toSorted((a, b) => a.at - b.at)
}

const within = <Row extends Instant>(rows: readonly Row[], from: Millis, to: Millis): Row[] =>
  rows.filter(({ at }) => at > from && at <= to)

const newestBy = <Row extends Instant>(rows: readonly Row[], asOf: Millis): Row | null =>
  rows.findLast(({ at }) => at <= asOf) ?? null

const lastOfSteps = <Row extends Instant>(rows: readonly Row[], step: Millis): Row[] => [
  ...new Map(rows.map((row) => [Math.ceil(row.at / step), row])).values(),
]
