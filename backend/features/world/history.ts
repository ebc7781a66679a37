import { storedSnapshotOf } from '../../computed/world/stored-snapshot.ts'
import { DAY, HOUR, MINUTE, type Millis } from '../../domain/units.ts'
import { historyStep, lastOfSteps } from '../../domain/world/delta/history-steps.ts'
import { historyRow } from '../../domain/world/markdown/operations-markdown.ts'
import type { ContextStore } from '../../history/context-store.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Place } from './place.ts'

/** Reads stored snapshots with from < at <= to; beyond two days only hourly ones exist. */
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

/** A span as duration text, in the widest unit that divides it. */
export function spanText(span: Millis): string {
  if (span % DAY === 0 && span > DAY) return `${span / DAY}d`
  return span % HOUR === 0 ? `${span / HOUR}h` : `${Math.round(span / MINUTE)}m`
}
