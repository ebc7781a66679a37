import type { MarketBoard, MarketView } from '../../../computed/board/market-board.ts'
import { isWaiting, type Intent } from '../../../domain/portfolio/intent.ts'
import {
  nextJudgementAt,
  withJudgement,
  withoutJudgement,
  type SoftJudgement,
} from '../../../domain/portfolio/soft-condition.ts'
import type { Millis } from '../../../domain/units.ts'
import type { Clock } from '../../../lib/clock.ts'
import { ModelFailed } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { PerUserQueue } from '../../../lib/per-user-queue.ts'
import { createSemaphore, type Semaphore } from '../../../lib/semaphore.ts'
import type { IntentsStore } from '../intents.store.ts'
import type { LedgerStore } from '../ledger.store.ts'
import type { SoftJudge } from './soft-judge.ts'

/** Two judgements run at a time and the others wait, so that other callers of the model find it free. */
const JUDGEMENT_LIMITS = { permits: 2, maxWait: Infinity, maxQueued: Infinity, refusal: '' }
const FAILED_REASON = 'the condition could not be judged; the log of the service has the error'

/** Dependencies of the judgements. */
export interface SoftJudgementsDeps {
  readonly store: Pick<IntentsStore, 'byId'>
  readonly ledger: Pick<LedgerStore, 'book'>
  readonly board: Pick<MarketBoard, 'market'>
  readonly userQueue: PerUserQueue
  /** Judges soft conditions; null without a language model. */
  readonly softJudge: () => SoftJudge | null
  readonly clock: Clock
  readonly log: Logger
}

/** Judges the soft conditions of waiting intents, outside the queue of their user. */
export class SoftJudgements {
  readonly #deps: SoftJudgementsDeps
  readonly #onJudged: (intent: Intent, view: MarketView) => void
  readonly #onOutdated: (intent: Intent) => void
  readonly #pendingJudgements = new Map<string, Promise<void>>()
  readonly #closing = new AbortController()
  readonly #semaphore: Semaphore

  /**
   * @param onJudged called with an intent whose judgement was stored; holds the queue of its user
   * @param onOutdated called with an intent whose condition changed while it was judged
   */
  constructor(
    deps: SoftJudgementsDeps,
    onJudged: (intent: Intent, view: MarketView) => void,
    onOutdated: (intent: Intent) => void,
  ) {
    this.#deps = deps
    this.#onJudged = onJudged
    this.#onOutdated = onOutdated
    this.#semaphore = createSemaphore(JUDGEMENT_LIMITS, deps.clock)
  }

  /** Whether a judgement may begin: there is a model, the last one is old, and none runs. */
  mayBegin(intent: Intent, now: Millis): boolean {
    const isDue = now >= nextJudgementAt(intent) && !this.#pendingJudgements.has(intent.id)
    return isDue && this.#deps.softJudge() !== null
  }

  /** Begins a judgement, if one may. */
  begin(intent: Intent, view: MarketView, now: Millis): void {
    const judge = this.#deps.softJudge()
    if (judge === null || !this.mayBegin(intent, now)) return
    const { id } = intent
    const work = this.#judge(intent, view, judge)
      .catch((error: unknown) => {
        this.#deps.log.error({ err: error, intent: id }, 'a judgement could not be stored')
      })
      .finally(() => this.#pendingJudgements.delete(id))
    this.#pendingJudgements.set(id, work)
  }

  /** Cancels judgements that wait for an answer; resolves when none is left. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#pendingJudgements.values())
  }

  async #judge({ userId, id }: Intent, view: MarketView, judge: SoftJudge): Promise<void> {
    const { store, userQueue, ledger, clock } = this.#deps
    const answer = await this.#semaphore.run(() => this.#answerOf(userId, id, view, judge))
    if (answer === null || this.#closing.signal.aborted) return
    await userQueue.run(userId, async () => {
      const current = await store.byId(userId, id)
      if (current === null || !isWaiting(current)) return
      this.#pendingJudgements.delete(id)
      if (current.softCondition !== answer.condition) return this.#onOutdated(current)
      const at = clock.now()
      const { result } = answer
      const next =
        typeof result === 'string'
          ? withoutJudgement(current, result, at)
          : withJudgement(current, result, at)
      await ledger.book(userId, { intent: { next, from: current.status } }, at)
      this.#onJudged(next, view)
    })
  }

  /** The judgement of a condition, or why there is none; null when there is nothing to judge. */
  async #answerOf(
    userId: string,
    id: string,
    view: MarketView,
    judge: SoftJudge,
  ): Promise<{ readonly condition: string; readonly result: SoftJudgement | string } | null> {
    const { store, board, clock, log } = this.#deps
    const { signal } = this.#closing
    if (signal.aborted) return null
    // It may have waited behind others.
    const intent = await store.byId(userId, id)
    if (intent === null || !isWaiting(intent) || intent.softCondition === null) return null
    const condition = intent.softCondition
    const latest = (await board.market(intent.ticker, null)) ?? view
    try {
      return { condition, result: await judge(intent, latest, clock.now(), signal) }
    } catch (error) {
      if (error instanceof ModelFailed) return { condition, result: error.message }
      // Counts as a failed judgement, so that the model is not called again on each quote.
      log.error({ err: error, intent: id }, 'a condition in words could not be judged')
      return { condition, result: FAILED_REASON }
    }
  }
}
