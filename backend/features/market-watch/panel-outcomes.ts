import { DAY, SECOND, wholeMinute, type Millis } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import { addLatency, emptyHistogram } from '../../lib/latency-histogram.ts'
import type { Logger } from '../../lib/logger.ts'
import type {
  PanelOutcome,
  PanelRunsStore,
  RunError,
  RunTally,
  RunTrigger,
} from './panel-runs.store.ts'

/** Interval of writes; a crash loses at most this much. */
const FLUSH_INTERVAL = 10 * SECOND
const RETENTION = 7 * DAY
/** Most errors queued for writing; further ones are dropped. */
const MAX_ERRORS = 1_000

/** One run of a panel. */
export interface RecordedRun {
  readonly runId: string
  readonly panelId: string
  readonly userId: string
  readonly specVersion: number
  /** Preset or source. */
  readonly kind: string
  readonly trigger: RunTrigger
  readonly endedAt: Millis
  /** Duration including the wait, milliseconds. */
  readonly elapsedMs: number
  readonly failure: { readonly reason: string; readonly message: string } | null
}

/**
 * The result of each panel's last run. Results are kept in memory because runs are frequent, and
 * are written ten seconds after the first unwritten one or on `flush`; failed writes are retried.
 */
export interface PanelOutcomes {
  open(): Promise<void>
  /** The outcome of a spec version; empty if it has not run. */
  get(panelId: string, specVersion: number): PanelOutcome
  /** Registers a panel with a new spec that has not run. */
  begin(panelId: string, specVersion: number): void
  remove(panelId: string): void
  /** Records a run; runs of removed panels or earlier specs are ignored. */
  record(run: RecordedRun): void
  /** Records that the panel took a result computed for another panel. */
  share(panelId: string, specVersion: number, computedAt: Millis): void
  /** Writes everything recorded so far. */
  flush(): Promise<void>
  close(): Promise<void>
}

const noRun = (specVersion: number): PanelOutcome => ({
  specVersion,
  endedAt: null,
  failures: 0,
  lastError: null,
})

export function createPanelOutcomes(deps: {
  readonly store: Pick<PanelRunsStore, 'outcomes' | 'write' | 'deleteBefore'>
  /** Data time. */
  readonly clock: Pick<Clock, 'now'>
  readonly wallClock: Clock
  readonly log: Logger
}): PanelOutcomes {
  const { store, clock, wallClock, log } = deps
  const stopController = new AbortController()
  const outcomesByPanel = new Map<string, PanelOutcome>()
  let changedOutcomes = new Map<string, PanelOutcome>()
  let tallies = new Map<string, RunTally>()
  let errors: RunError[] = []
  let isFlushDue = false
  let prunedOn: Millis | null = null
  let pendingWrite: Promise<void> = Promise.resolve()

  const write = async (): Promise<void> => {
    const results = { outcomes: changedOutcomes, tallies: [...tallies.values()], errors }
    changedOutcomes = new Map()
    tallies = new Map()
    errors = []
    try {
      if (results.outcomes.size + results.tallies.length > 0) await store.write(results)
    } catch (error) {
      log.warn({ err: error }, 'results of panels were not written and are kept for later')
      for (const [id, outcome] of results.outcomes) {
        if (!changedOutcomes.has(id) && outcomesByPanel.has(id)) changedOutcomes.set(id, outcome)
      }
      for (const tally of results.tallies) {
        const tallyDelta = tallyOf(tally)
        tallyDelta.runs += tally.runs
        tally.latencies.forEach((count, bucket) => {
          tallyDelta.latencies[bucket] = (tallyDelta.latencies[bucket] ?? 0) + count
        })
      }
      errors = [...results.errors, ...errors].slice(-MAX_ERRORS)
      void flushSoon()
      return
    }
    await deleteOld()
  }
  /** Deletes old runs, once a day; what a failure leaves is deleted with a later write. */
  const deleteOld = async (): Promise<void> => {
    const today = (Math.floor(clock.now() / DAY) * DAY) as Millis
    if (prunedOn === today) return
    try {
      await store.deleteBefore((clock.now() - RETENTION) as Millis)
      prunedOn = today
    } catch (error) {
      log.warn({ err: error }, 'old runs of panels could not be deleted')
    }
  }
  const flush = (): Promise<void> => (pendingWrite = pendingWrite.then(write))
  const flushSoon = async (): Promise<void> => {
    if (isFlushDue || stopController.signal.aborted) return
    isFlushDue = true
    const isTime = await sleepUnless(stopController.signal, wallClock, FLUSH_INTERVAL)
    isFlushDue = false
    if (isTime) await flush()
  }

  const tallyOf = ({
    minute,
    trigger,
    isSuccess,
  }: Pick<RunTally, 'minute' | 'trigger' | 'isSuccess'>) => {
    const key = `${minute} ${trigger} ${isSuccess}`
    const tally = tallies.get(key) ?? {
      minute,
      trigger,
      isSuccess,
      runs: 0,
      latencies: emptyHistogram(),
    }
    tallies.set(key, tally)
    return tally
  }
  const setOutcome = (panelId: string, outcome: PanelOutcome): void => {
    outcomesByPanel.set(panelId, outcome)
    changedOutcomes.set(panelId, outcome)
    void flushSoon()
  }

  return {
    async open() {
      for (const [id, outcome] of await store.outcomes()) outcomesByPanel.set(id, outcome)
    },
    get(panelId, specVersion) {
      const outcome = outcomesByPanel.get(panelId)
      if (outcome?.specVersion !== specVersion) return noRun(specVersion)
      const now = clock.now()
      if (outcome.endedAt === null || outcome.endedAt <= now) return outcome
      // The clock was set back: the time since the end is counted from now.
      const endedOutcome = { ...outcome, endedAt: now }
      outcomesByPanel.set(panelId, endedOutcome)
      return endedOutcome
    },
    begin: (panelId, specVersion) => setOutcome(panelId, noRun(specVersion)),
    remove(panelId) {
      outcomesByPanel.delete(panelId)
      changedOutcomes.delete(panelId)
    },
    record({ runId, panelId, userId, specVersion, kind, trigger, endedAt, elapsedMs, failure }) {
      const previous = outcomesByPanel.get(panelId)
      if (previous?.specVersion !== specVersion) return
      const tally = tallyOf({
        minute: wholeMinute(endedAt),
        trigger,
        isSuccess: failure === null,
      })
      tally.runs += 1
      addLatency(tally.latencies, elapsedMs)
      if (failure === null) {
        return setOutcome(panelId, { ...noRun(specVersion), endedAt })
      }
      const { reason, message } = failure
      errors.push({ runId, userId, panelId, kind, at: endedAt, reason, message })
      if (errors.length > MAX_ERRORS) errors.shift()
      setOutcome(panelId, {
        specVersion,
        endedAt,
        failures: previous.failures + 1,
        lastError: { at: endedAt, reason, message },
      })
    },
    share(panelId, specVersion, computedAt) {
      if (outcomesByPanel.get(panelId)?.specVersion !== specVersion) return
      setOutcome(panelId, { ...noRun(specVersion), endedAt: computedAt })
    },
    flush,
    async close() {
      stopController.abort()
      await flush()
    },
  }
}
