import { SECOND } from '../../domain/units.ts'
import { sleepUnless, type Clock } from '../../lib/clock.ts'
import { weakTagOf } from '../../http/answers.ts'
import { NotReady, StoreFailed } from '../../lib/errors.ts'
import type { Logger } from '../../lib/logger.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import type { ContentWork } from './panel-contents.ts'
import type { PanelCache, PanelEntry } from './panel-memory.ts'

/** Concurrent computations in this process. */
export const MAX_CONCURRENT_EXECUTIONS = 4
/** How long a manual run waits for a free permit. */
export const MANUAL_WAIT_TIMEOUT = 10 * SECOND
const MAX_EXECUTION = 15 * SECOND
const MAX_QUEUED = 20_000

/** Result of a computation. */
export type Execution =
  | {
      readonly outcome: 'done'
      readonly entry: PanelEntry
      /** Whether the result is in the cache. */
      readonly isCached: boolean
    }
  | {
      readonly outcome: 'failed'
      readonly reason: 'panel_execution_failed' | 'panel_execution_timeout'
      /** Message for people, without the user's parameters. */
      readonly message: string
    }
  /** Nothing was computed: no permit became free, or the first load has not finished. */
  | { readonly outcome: 'busy' }
  | { readonly outcome: 'not-ready'; readonly message: string }

export interface PanelExecution {
  /**
   * Runs a computation and caches its result. A running computation of the same key is joined.
   * Never rejects.
   * @param maxWait longest wait for a permit, milliseconds
   */
  run(work: ContentWork, maxWait?: number): Promise<Execution>
}

/**
 * Computes panels four at a time in order of request, each for at most fifteen seconds.
 * @param deps.clock data time; waits are measured by `wallClock`
 */
export function createPanelExecution(deps: {
  readonly cache: Pick<PanelCache, 'put'>
  readonly clock: Pick<Clock, 'now'>
  readonly wallClock: Clock
  readonly log: Logger
}): PanelExecution {
  const { cache, clock, wallClock, log } = deps
  const semaphore = createSemaphore(
    {
      permits: MAX_CONCURRENT_EXECUTIONS,
      maxWait: MANUAL_WAIT_TIMEOUT,
      maxQueued: MAX_QUEUED,
      refusal: 'Too many panels are being computed',
    },
    wallClock,
  )
  const runningExecutions = new Map<string, RunningExecution>()

  const compute = async (work: ContentWork): Promise<Execution> => {
    const { key } = work
    const timeoutController = new AbortController()
    const timeout = wallClock.sleep(MAX_EXECUTION, timeoutController.signal).then(
      () => 'late' as const,
      () => 'late' as const,
    )
    try {
      const content = await Promise.race([work.compute(), timeout])
      if (content === 'late') {
        log.warn({ key }, 'a panel took too long')
        return {
          outcome: 'failed',
          reason: 'panel_execution_timeout',
          message: `The panel was not computed within ${MAX_EXECUTION / SECOND} s`,
        }
      }
      const bytes = Buffer.from(JSON.stringify(content.payload))
      const entry = { ...content, computedAt: clock.now(), bytes, tag: weakTagOf(bytes) }
      return { outcome: 'done', entry, isCached: await cacheEntry(key, entry) }
    } catch (error) {
      if (error instanceof NotReady) return { outcome: 'not-ready', message: error.message }
      log.error({ err: error, key }, 'a panel could not be computed')
      const message =
        error instanceof StoreFailed
          ? 'The store does not respond now'
          : 'The panel could not be computed'
      return { outcome: 'failed', reason: 'panel_execution_failed', message }
    } finally {
      timeoutController.abort()
    }
  }

  const cacheEntry = async (key: string, entry: PanelEntry): Promise<boolean> => {
    try {
      await cache.put(key, entry)
      return true
    } catch (error) {
      log.warn({ err: error }, 'a computed panel could not be stored')
      return false
    }
  }

  const runQueued = async (
    work: ContentWork,
    maxWait: number,
    onStarted: () => void,
  ): Promise<Execution> => {
    try {
      return await semaphore.run(() => {
        onStarted()
        return compute(work)
      }, maxWait)
    } catch (error) {
      if (error instanceof NotReady) return { outcome: 'busy' }
      throw error
    }
  }

  /**
   * Joins a computation of another request, waiting for its start no longer than for a permit of its
   * own.
   */
  const joinExecution = async (
    { started, ended }: RunningExecution,
    maxWait: number,
  ): Promise<Execution> => {
    if (maxWait === Infinity) return ended
    const endOfWait = new AbortController()
    const hasStarted = await Promise.race([
      Promise.race([started, ended]).then(() => true),
      sleepUnless(endOfWait.signal, wallClock, maxWait).then(() => false),
    ])
    endOfWait.abort()
    return hasStarted ? ended : { outcome: 'busy' }
  }

  return {
    run(work, maxWait = Infinity) {
      const current = runningExecutions.get(work.key)
      if (current !== undefined) return joinExecution(current, maxWait)
      const startSignal = Promise.withResolvers<void>()
      const pendingExecution = runQueued(work, maxWait, startSignal.resolve).finally(() =>
        runningExecutions.delete(work.key),
      )
      runningExecutions.set(work.key, { started: startSignal.promise, ended: pendingExecution })
      return pendingExecution
    },
  }
}

/** A running computation that others may join. */
interface RunningExecution {
  /** Resolves when it has a permit. */
  readonly started: Promise<void>
  readonly ended: Promise<Execution>
}
