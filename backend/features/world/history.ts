import { storedSnapshotOf } from '../../computed/world/stored-snapshot.ts'
import { DAY, HOUR, MINUTE, SECOND, type Millis } from '../../domain/units.ts'
import { historyStep, lastOfSteps } from '../../domain/world/delta/history-steps.ts'
import { historyRow } from '../../domain/world/markdown/operations-markdown.ts'
import { regimeSentence } from '../../domain/world/salient/regime-sentence.ts'
import type { ContextStore, IndexRow } from '../../history/context-store.ts'
import { isoOf } from '../../lib/clock.ts'
import type { RegionSnapshot } from './region-snapshot.ts'

/**
 * Stored snapshots with from < at <= to; beyond two days only hourly ones exist. Index readings fill
 * the time before the first stored snapshot.
 */
export async function worldHistory(
  store: Pick<ContextStore, 'indexBetween' | 'snapshots'>,
  { scope, worldSnapshot }: RegionSnapshot,
  span: Millis,
  limit: number,
) {
  const to = worldSnapshot.world.at
  const from = (to - span) as Millis
  const stepSeconds = historyStep(span)
  const rows = scope === null ? [] : await store.snapshots({ region: scope, from, to })
  const first = rows[0]?.at ?? to
  const step = (stepSeconds * SECOND) as Millis
  const readings =
    scope === null ? [] : await store.indexBetween({ scope, from, to: first, step, knownBy: to })
  const storedRows = lastOfSteps(rows, to, span, stepSeconds).map((row) => {
    const { label, value, gauges } = storedSnapshotOf(row, '')
    return { at: isoOf(row.at), regimeLabel: label, value, ...gauges }
  })
  const points = [...readings.filter(({ at }) => at < first).map(pointOf), ...storedRows]
  return {
    history: { dt: spanText(span), from: isoOf(from), to: isoOf(to), stepSeconds, points },
    rows: points.slice(-limit).map(historyRow),
  }
}

const pointOf = ({ at, value, disagreement, geoRisk, breadth, activity }: IndexRow) => {
  const gauges = { disagreement, geoRisk, breadth, activity }
  return { at: isoOf(at), regimeLabel: regimeSentence(gauges), value, ...gauges }
}

/** A span as duration text, in the widest unit that divides it. */
export function spanText(span: Millis): string {
  if (span % DAY === 0 && span > DAY) return `${span / DAY}d`
  return span % HOUR === 0 ? `${span / HOUR}h` : `${Math.round(span / MINUTE)}m`
}
