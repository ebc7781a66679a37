import { setImmediate } from 'node:timers/promises'
import { DAY, SECOND, type Millis } from '../../domain/units.ts'
import type { AnswerListener } from '../../http/answered-request.ts'
import { templateOf } from '../../http/routes/openapi.ts'
import type { Route } from '../../http/routes/route-table.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { addLatency, emptyHistogram, mergeInto } from '../../lib/latency-histogram.ts'
import type { UsageStore, UsageTally } from './usage.store.ts'

const FLUSH_INTERVAL = (10 * SECOND) as Millis
const RETENTION = 400 * DAY
/** Tallies per transaction: each waits for the disk once and blocks other writes meanwhile. */
const BATCH_SIZE = 50

/** Counts the requests of identified callers. */
export interface UsageRecorder {
  readonly record: AnswerListener
  /** Writes the counts so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

/** Unwritten counts of one day, by route and credential. */
interface UsageCounts {
  readonly day: Millis
  readonly byRoute: Map<Route, Map<string, UsageTally>>
}

/** UTC midnight at or before an instant. */
export const dayOf = (at: Millis): Millis => (at - (at % DAY)) as Millis

/**
 * Counts requests made with keys and sessions; requests with the launch secret are not counted.
 * Counts are kept in memory because requests are frequent, and are written ten seconds after the
 * first unwritten one or on `flush`; failed writes are retried. The first write of a day deletes
 * counts older than 400 days.
 */
export function createUsageRecorder(deps: {
  readonly store: UsageStore
  readonly clock: Clock
  readonly logger: Logger
}): UsageRecorder {
  const { store, clock, logger } = deps
  const stopController = new AbortController()
  let currentCounts: UsageCounts = { day: dayOf(clock.now()), byRoute: new Map() }
  let unwritten: UsageTally[] = []
  let isFlushDue = false
  let prunedOn: Millis | null = null
  let pendingWrite: Promise<void> = Promise.resolve()

  const setAside = (day: Millis): void => {
    for (const tallies of currentCounts.byRoute.values()) unwritten.push(...tallies.values())
    currentCounts = { day, byRoute: new Map() }
  }
  const write = async (): Promise<void> => {
    setAside(dayOf(clock.now()))
    try {
      while (unwritten.length > 0) {
        const batch = unwritten.slice(0, BATCH_SIZE)
        await store.add(batch)
        unwritten = unwritten.slice(batch.length)
        await setImmediate()
      }
      if (prunedOn !== currentCounts.day) {
        await store.deleteBefore((currentCounts.day - RETENTION) as Millis)
        prunedOn = currentCounts.day
      }
    } catch (error) {
      unwritten = mergeTallies(unwritten)
      logger.warn({ err: error }, 'usage was not written and is kept for the next time')
      void flushSoon()
    }
  }
  const flush = (): Promise<void> => (pendingWrite = pendingWrite.then(write))
  const flushSoon = async (): Promise<void> => {
    if (isFlushDue || stopController.signal.aborted) return
    isFlushDue = true
    const isTime = await sleepUnless(stopController.signal, clock, FLUSH_INTERVAL)
    isFlushDue = false
    if (isTime) await flush()
  }

  return {
    record({ caller, route, status, elapsedMs, spent }) {
      const { kind, id } = caller.credential
      if (kind === 'launch') return
      const today = dayOf(clock.now())
      if (today !== currentCounts.day) setAside(today)
      let byCaller = currentCounts.byRoute.get(route)
      if (byCaller === undefined) {
        byCaller = new Map<string, UsageTally>()
        currentCounts.byRoute.set(route, byCaller)
      }
      let tally = byCaller.get(caller.id)
      if (tally === undefined) {
        tally = emptyTally(caller.userId, kind === 'session' ? null : id, route, today)
        byCaller.set(caller.id, tally)
        void flushSoon()
      }
      tally.requests += 1
      if (status >= 500) tally.errors += 1
      if (status === 429) tally.rateLimited += 1
      addLatency(tally.latencies, elapsedMs)
      if (spent === null) return
      tally.modelCalls += spent.calls
      tally.inputTokens += spent.inputTokens
      tally.outputTokens += spent.outputTokens
      tally.costUsd += spent.costUsd
    },
    flush,
    async close() {
      stopController.abort()
      await flush()
    },
  }
}

const emptyTally = (
  userId: string,
  keyId: string | null,
  route: Route,
  day: Millis,
): UsageTally => ({
  userId,
  keyId,
  day,
  route: `${route.method} ${templateOf(route.path)}`,
  requests: 0,
  errors: 0,
  rateLimited: 0,
  modelCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  latencies: emptyHistogram(),
})

/** Merges tallies of the same row, so that unwritten ones do not pile up. */
function mergeTallies(tallies: readonly UsageTally[]): UsageTally[] {
  const byRow = new Map<string, UsageTally>()
  for (const tally of tallies) {
    const row = JSON.stringify([tally.userId, tally.keyId, tally.route, tally.day])
    const first = byRow.get(row)
    if (first === undefined) {
      byRow.set(row, tally)
      continue
    }
    first.requests += tally.requests
    first.errors += tally.errors
    first.rateLimited += tally.rateLimited
    first.modelCalls += tally.modelCalls
    first.inputTokens += tally.inputTokens
    first.outputTokens += tally.outputTokens
    first.costUsd += tally.costUsd
    mergeInto(first.latencies, tally.latencies)
  }
  return [...byRow.values()]
}
