import { setImmediate } from 'node:timers/promises'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import { RECORD_HOURS } from '../../domain/links/gap-record.ts'
import type { TrackedGap } from '../../domain/links/gap-record.ts'
import { GAP_WINDOWS } from '../../domain/links/gaps.ts'
import type { GapWindow } from '../../domain/links/gaps.ts'
import type { LinkKind } from '../../domain/links/link-graph.ts'
import type { Ticker } from '../../domain/market.ts'
import { DAY, HOUR, roundTo } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { ContextStore, JudgementRow } from '../../history/context-store.ts'
import type { ContextSnapshot } from '../snapshot/context-snapshot.ts'

/** A served gap since it was first served, and its later values. */
export interface RecordedGap extends TrackedGap {
  readonly window: GapWindow
  readonly trigger: Ticker
  readonly lagging: Ticker
  readonly kind: LinkKind
  readonly openedAt: Millis
  /** Remaining expected move when it was first served, cents. */
  readonly gap: number
  /** Mark of the lagging market at that time. */
  readonly mark: Cents
  /** Hours at which it was measured again. */
  readonly looked: readonly number[]
  /** When it stopped being served; null while it is served, and for its first day. */
  readonly closedAt: Millis | null
}

/** Id of a gap, shared by all its rows. */
export const gapId = (window: GapWindow, gap: Pick<ContagionGap, 'trigger' | 'lagging'>): string =>
  `${window}|${gap.trigger}|${gap.lagging}`

/** A gap that returns within a day of its first appearance is the same gap. */
const SAME_GAP_SPAN = DAY
/** The longest window is three days, so an open gap started less than a week ago. */
const LOOKBACK = (7 * DAY) as Millis

/** Marks of markets at a past instant, ended ones included. */
export type MarksAt = (
  tickers: readonly Ticker[],
  at: Millis,
) => Promise<ReadonlyMap<Ticker, Cents | null>>

const parseGap = ({ body }: JudgementRow): RecordedGap => JSON.parse(body) as RecordedGap

/** The newest state of every gap with a row in the week up to `at`, by id. */
export async function gapsAt(
  contextStore: Pick<ContextStore, 'judgements'>,
  at: Millis,
): Promise<Map<string, RecordedGap>> {
  const rows = await contextStore.judgements({
    kind: 'gap',
    from: (at - LOOKBACK) as Millis,
    to: at,
  })
  return new Map(rows.map((row) => [row.id, parseGap(row)]))
}

/** Every gap first served in (from, at], as known at `at`. */
export async function trackedGaps(
  contextStore: Pick<ContextStore, 'judgements'>,
  from: Millis,
  at: Millis,
): Promise<RecordedGap[]> {
  const rows = await contextStore.judgements({ kind: 'gap', from, to: at })
  const newest = new Map<string, RecordedGap>()
  for (const row of rows) {
    const gap = parseGap(row)
    newest.set(`${row.id}|${gap.openedAt}`, gap)
  }
  return [...newest.values()].filter(({ openedAt }) => openedAt > from)
}

/** Remaining gap after the lagging market moved to `mark`, cents; null when unknown. */
const remainingGap = (gap: RecordedGap, mark: Cents | null): number | null =>
  mark === null ? null : roundTo(gap.gap - (mark - gap.mark), 4)

/**
 * Records each served gap when it first appears and measures it again after 1, 6 and 24 hours
 * (methodology D6), including hours that passed while the service was down.
 * @param gaps gaps by id before this snapshot; updated in place
 * @returns rows to store
 */
export async function recordGaps(
  gaps: Map<string, RecordedGap>,
  snapshot: ContextSnapshot,
  marksAt: MarksAt,
): Promise<JudgementRow[]> {
  const changedGaps = new Map<string, RecordedGap>()
  const servedKeys = new Set<string>()
  const change = (id: string, gap: RecordedGap): void => {
    gaps.set(id, gap)
    changedGaps.set(id, gap)
  }
  await measureAgain(gaps, snapshot, marksAt, change)
  for (const window of Object.keys(GAP_WINDOWS) as GapWindow[]) {
    // The gaps of a window are computed on first access, so other work may run in between.
    await setImmediate()
    for (const gap of snapshot.gaps(window)) {
      const id = gapId(window, gap)
      const mark = snapshot.markets.get(gap.lagging)?.view.mark ?? null
      servedKeys.add(id)
      const previous = gaps.get(id)
      if (mark === null || (previous !== undefined && previous.closedAt === null)) continue
      change(id, gapEvent(window, gap, mark, snapshot.at))
    }
  }
  for (const [id, gap] of gaps) {
    if (
      gap.closedAt === null &&
      !servedKeys.has(id) &&
      snapshot.at - gap.openedAt > SAME_GAP_SPAN
    ) {
      change(id, { ...gap, closedAt: snapshot.at })
    }
    if (snapshot.at - gap.openedAt > LOOKBACK) gaps.delete(id)
  }
  return [...changedGaps].map(([id, gap]) => ({
    kind: 'gap',
    id,
    at: snapshot.at,
    body: JSON.stringify(gap),
  }))
}

const gapEvent = (
  window: GapWindow,
  { trigger, lagging, link, gap }: ContagionGap,
  mark: Cents,
  at: Millis,
): RecordedGap => ({
  window,
  trigger,
  lagging,
  gap,
  mark,
  kind: link.kind,
  openedAt: at,
  looked: [],
  after: { 1: null, 6: null, 24: null },
  closedAt: null,
})

/** Marks of the lagging markets at each due hour, one read per instant. */
async function measureAgain(
  gaps: ReadonlyMap<string, RecordedGap>,
  snapshot: ContextSnapshot,
  marksAt: MarksAt,
  change: (id: string, gap: RecordedGap) => void,
): Promise<void> {
  const dueGaps = [...gaps].flatMap(([id, gap]) =>
    RECORD_HOURS.filter((hours) => !gap.looked.includes(hours))
      .map((hours) => ({ id, hours, at: (gap.openedAt + hours * HOUR) as Millis }))
      .filter(({ at }) => at <= snapshot.at),
  )
  for (const [at, measurements] of Map.groupBy(dueGaps, (look) => look.at)) {
    const tickers = measurements.flatMap(({ id }) => gaps.get(id)?.lagging ?? [])
    const marks = await marksAt([...new Set(tickers)], at)
    for (const { id, hours } of measurements) {
      const gap = gaps.get(id)
      if (gap === undefined) continue
      const left = remainingGap(gap, marks.get(gap.lagging) ?? null)
      const remainingByHours = { ...gap.after, [hours]: left }
      change(id, { ...gap, after: remainingByHours, looked: [...gap.looked, hours] })
    }
  }
}
