import { storedSnapshotOf } from '../../computed/world/stored-snapshot.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { historyStep, lastOfSteps } from '../../domain/world/history-steps.ts'
import { historyRow } from '../../domain/world/operations-markdown.ts'
import type { ContextStore } from '../../history/context-store.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Place } from './place.ts'

/** Stored snapshots with from < at <= to are read; hourly ones alone reach further than two days. */
export async function worldHistory(
  store: Pick<ContextStore, 'snapshots'>,
  { scope, bucket }: Place,
  span: Millis,
  limit: number,
) {
  const to = bucket.world.at
  const from = (to - span) as Millis
  const stepSeconds = historyStep(span)
  const rows = scope === null ? [] : await store.snapshots({ region: scope, from, to })
  const points = lastOfSteps(rows, to, span, stepSeconds).map((row) => {
    const { label, value, gauges } = storedSnapshotOf(row, '')
    return { at: isoOf(row.at), regimeLabel: label, value, ...gauges }
  })
  return {
    history: { dt: spanText(span), from: isoOf(from), to: isoOf(to), stepSeconds, points },
    rows: points.slice(-limit).map(historyRow),
  }
}

/** A span as it is written in requests: in the widest unit that it is a whole number of. */
export function spanText(span: Millis): string {
  if (span % DAY === 0 && span > DAY) return `${span / DAY}d`
  return span % HOUR === 0 ? `${span / HOUR}h` : `${Math.round(span / MINUTE)}m`
}
