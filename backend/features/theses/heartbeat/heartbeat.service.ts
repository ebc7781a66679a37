import type { ThesisHeartbeat } from '../../../contract/theses/heartbeat.ts'
import {
  EVALUATION_TIERS,
  tierOf,
  HEARTBEAT_DEFAULTS,
  isEvaluationDue,
  isOverBudget,
  newHeartbeat,
  nextRunAfter,
  type ClosedLoop,
  type Heartbeat,
  type HeartbeatConfig,
} from '../../../domain/theses/heartbeat.ts'
import type { Thesis } from '../../../domain/theses/thesis.ts'
import { MINUTE, roundTo, type Millis } from '../../../domain/units.ts'
import { isoOrNull } from '../../../http/presenters/market-ref.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { sleepUnless } from '../../../lib/clock.ts'
import { InvalidInput, ServiceError } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/logger.ts'
import type { Delivery } from '../../../domain/webhooks/delivery.ts'
import { budgetNotice } from '../thesis-events.ts'
import { budgetNote, monthlyCosts } from '../model/model-costs.ts'
import { readingsFor } from '../thesis-changes.ts'
import type { ThesisDeps, ThesisRows } from '../thesis-rows.ts'
import type { ThesisEvaluations } from '../evaluation/thesis-evaluation.service.ts'
import type { ClosedLoopService } from './closed-loop.service.ts'

/** Runs of one pass; the rest waits for the next minute. */
const MAX_DUE = 100
/** Lane of the passes; no user has this id. */
const TIMER = 'timer'

/** Scans that nothing feeds: the answer states that, and no empty scan is counted. */
const noSources = (thesisId: string): ThesisHeartbeat['sources'] => ({
  news: {
    connected: false,
    note: `No source of news is connected: runs read your signals and the moves of the markets. Send news with POST /api/thesis/${thesisId}/signal.`,
  },
  social: {
    connected: false,
    note: `No source of social posts is connected. Send posts with POST /api/thesis/${thesisId}/signal.`,
  },
})

const servedLoop = ({ entry, exit }: ClosedLoop) => (entry === exit ? entry : { entry, exit })
const servedConfig = (config: HeartbeatConfig) => ({
  ...config,
  closedLoop: servedLoop(config.closedLoop),
})

/** Scheduled evaluations. */
export function createHeartbeats(
  deps: ThesisDeps & { readonly log: Logger },
  rows: ThesisRows,
  evaluations: ThesisEvaluations,
  loop: ClosedLoopService,
) {
  const { store, heartbeats, userQueue, board, clock, log } = deps

  const costsOf = (thesisId: string, now: Millis) => monthlyCosts(deps, thesisId, now)

  const toResponse = async (thesis: Thesis): Promise<ThesisHeartbeat> => {
    const storedHeartbeat = await heartbeats.byThesisId(thesis.id)
    const { config, pausedReason, lastRunAt, lastError } =
      storedHeartbeat?.heartbeat ?? newHeartbeat(thesis.id)
    const costs = await costsOf(thesis.id, clock.now())
    const { monthlyBudgetUsd } = config
    const isActive = thesis.status === 'active'
    return {
      thesisId: thesis.id,
      config: {
        mode: !isActive ? 'stopped' : config.paused ? 'paused' : 'active',
        ...servedConfig(config),
      },
      defaults: servedConfig(HEARTBEAT_DEFAULTS),
      pausedReason,
      nextRunAt: isActive ? isoOrNull(storedHeartbeat?.nextRunAt ?? null) : null,
      lastRunAt: isoOrNull(lastRunAt),
      lastError,
      costs: {
        ...costs,
        budgetRemaining:
          monthlyBudgetUsd === 0
            ? null
            : roundTo(Math.max(0, monthlyBudgetUsd - costs.monthlyTotal), 6),
        budgetNote: budgetNote(config, costs),
      },
      sources: noSources(thesis.id),
    }
  }

  /** Writes the heartbeat of a thesis as its latest run left it; nothing when the thesis is gone. */
  const finishRun = (
    userId: string,
    thesisId: string,
    after: (current: Heartbeat) => Heartbeat,
    now: Millis,
    notice: Delivery | null = null,
  ): Promise<void> =>
    userQueue.run(userId, async () => {
      const storedHeartbeat = await heartbeats.byThesisId(thesisId)
      if (storedHeartbeat === null) return
      const next = after(storedHeartbeat.heartbeat)
      await heartbeats.put(next, nextRunAfter(next, now), notice)
    })

  /** Evaluates a thesis when there is a reason. Returns whether the better model judged its signals. */
  const evaluateIfDue = async (
    thesis: Thesis,
    { config, secondJudgedAt: lastSecond = thesis.createdAt }: Heartbeat,
    now: Millis,
  ): Promise<boolean> => {
    const pending = await store.pendingSignals(thesis.id, 1)
    const { prices, settlements } = await readingsFor(board, thesis, null)
    if (!isEvaluationDue(thesis, pending.length, prices, settlements, now)) return false
    const tier = tierOf(config.evalModelTier)
    const mayJudgeAgain = config.smartModel && tier === 'cheap'
    const secondJudgedAt = mayJudgeAgain ? lastSecond : null
    const request = { trigger: 'monitor_cycle', tier, secondJudgedAt } as const
    return (await evaluations.evaluate(thesis.userId, thesis.id, request)).isSecondJudgement
  }

  /** One run: evaluates when there is a reason, trades, and schedules the next. */
  const runHeartbeat = async (thesisId: string, userId: string): Promise<void> => {
    const now = clock.now()
    const [thesis] = await store.byIdPrefix(userId, thesisId)
    const storedHeartbeat = await heartbeats.byThesisId(thesisId)
    // A running evaluation does what this run would do; the next minute looks again.
    if (thesis?.status !== 'active' || storedHeartbeat === null || evaluations.isRunning(thesisId))
      return
    const { heartbeat } = storedHeartbeat
    // Its owner may have paused it after the list of due runs was read.
    if (heartbeat.pausedReason === 'user') return
    const { monthlyTotal, month } = await costsOf(thesisId, now)
    if (isOverBudget(heartbeat.config, monthlyTotal)) {
      const budget = { month, budgetUsd: heartbeat.config.monthlyBudgetUsd }
      await finishRun(userId, thesisId, withoutBudget, now, budgetNotice(thesis, budget, now))
      return
    }
    let lastError: string | null = null
    let isSecondJudgement = false
    try {
      isSecondJudgement = await evaluateIfDue(thesis, heartbeat, now)
      await userQueue.run(userId, async () => {
        const [after] = await store.byIdPrefix(userId, thesisId)
        // The evaluation may have waited for a model: what its owner changed meanwhile is in force.
        const current = (await heartbeats.byThesisId(thesisId))?.heartbeat
        if (after?.status !== 'active' || current === undefined) return
        if (current.pausedReason !== 'user')
          lastError = await loop.run(after, activeHeartbeat(current))
      })
    } catch (error) {
      lastError =
        error instanceof ServiceError ? error.message : 'The run failed; see the log of the service'
      log.warn({ err: error, thesisId }, 'a scheduled evaluation failed')
    }
    const run = (current: Heartbeat): Heartbeat => ({
      ...activeHeartbeat(current),
      lastRunAt: now,
      lastError,
      ...(isSecondJudgement && { secondJudgedAt: now }),
    })
    await finishRun(userId, thesisId, run, now)
  }

  /** Runs what is due, the theses of a user one after the other. */
  const runDue = async (): Promise<void> => {
    try {
      const dueHeartbeats = await heartbeats.due(clock.now(), MAX_DUE)
      await Promise.all(
        dueHeartbeats.map(({ thesisId, userId }) =>
          userQueue.run(`heartbeats of ${userId}`, () => runHeartbeat(thesisId, userId)),
        ),
      )
    } catch (error) {
      log.error({ err: error }, 'scheduled evaluations could not be run')
    }
  }

  return {
    read: async (userId: string, id: string) => toResponse(await rows.thesisOfUser(userId, id)),
    change: (userId: string, id: string, body: unknown): Promise<ThesisHeartbeat> =>
      userQueue.run(userId, async () => {
        const thesis = await rows.thesisOfUser(userId, id)
        const storedHeartbeat = await heartbeats.byThesisId(thesis.id)
        const previous = storedHeartbeat?.heartbeat ?? newHeartbeat(thesis.id)
        const config = changedConfig(previous.config, body)
        const isResumed = previous.config.paused && !config.paused
        const { monthlyTotal } = await costsOf(thesis.id, clock.now())
        const isPausing = (body as Partial<HeartbeatConfig>).paused === true
        const hasBudgetAgain =
          previous.pausedReason === 'budget' &&
          !isOverBudget(config, monthlyTotal) &&
          config.paused &&
          !isPausing
        const reason = isPausing ? 'user' : (previous.pausedReason ?? 'user')
        const next: Heartbeat = {
          ...previous,
          config: hasBudgetAgain ? { ...config, paused: false } : config,
          pausedReason: config.paused && !hasBudgetAgain ? reason : null,
        }
        const now = clock.now()
        const from =
          isResumed || hasBudgetAgain || previous.lastRunAt === null ? now : previous.lastRunAt
        await heartbeats.put(next, nextRunAfter(next, from))
        // Open intents of what was switched off trade no more; the next run makes the others again.
        if (next.config.paused || isNarrower(previous.config.closedLoop, next.config.closedLoop)) {
          await loop.cancel(thesis, 'closed_loop_off')
        }
        return toResponse(thesis)
      }),
    /** Schedules a thesis that became active: formed ones were just evaluated. */
    schedule(thesis: Thesis): void {
      const work = async (): Promise<void> => {
        // It may have been deleted while this waited.
        if ((await store.byIdPrefix(thesis.userId, thesis.id)).length === 0) return
        const storedHeartbeat = await heartbeats.byThesisId(thesis.id)
        const heartbeat = storedHeartbeat?.heartbeat ?? newHeartbeat(thesis.id)
        const now = clock.now()
        const at = storedHeartbeat === null ? nextRunAfter(heartbeat, now) : now
        await heartbeats.put(heartbeat, heartbeat.config.paused ? nextRunAfter(heartbeat, now) : at)
      }
      userQueue.run(thesis.userId, work).catch((error: unknown) => {
        log.error({ err: error }, 'the evaluations of a thesis could not be scheduled')
      })
    },
    /**
     * Ends the trading of a thesis that is not active any more: its open intents are cancelled, and
     * positions of a killed one are left.
     */
    stopTrading(thesis: Thesis): void {
      const work = async (): Promise<void> => {
        await loop.cancel(thesis, 'thesis_not_active')
        const storedHeartbeat = await heartbeats.byThesisId(thesis.id)
        if (thesis.status === 'killed' && storedHeartbeat !== null)
          await loop.run(thesis, storedHeartbeat.heartbeat)
      }
      userQueue.run(thesis.userId, work).catch((error: unknown) => {
        log.error({ err: error }, 'the intents of a stopped thesis could not be ended')
      })
    },
    /** Runs what is due each minute until the signal aborts. */
    async run(signal: AbortSignal): Promise<void> {
      while (await sleepUnless(signal, clock, MINUTE)) await userQueue.run(TIMER, runDue)
    },
  }
}
export type Heartbeats = ReturnType<typeof createHeartbeats>

/** A heartbeat while its budget lasts: a pause by a spent budget of an earlier month is over. */
const activeHeartbeat = (heartbeat: Heartbeat): Heartbeat =>
  heartbeat.pausedReason === 'budget'
    ? { ...heartbeat, config: { ...heartbeat.config, paused: false }, pausedReason: null }
    : heartbeat

/** A heartbeat whose budget is spent; a pause by its owner stays one. */
const withoutBudget = (heartbeat: Heartbeat): Heartbeat =>
  heartbeat.pausedReason === 'user'
    ? heartbeat
    : { ...heartbeat, config: { ...heartbeat.config, paused: true }, pausedReason: 'budget' }

const isNarrower = (before: ClosedLoop, after: ClosedLoop): boolean =>
  (before.entry && !after.entry) || (before.exit && !after.exit)

const FIELDS = [
  'newsIntervalMin',
  'xIntervalMin',
  'evalModelTier',
  'monthlyBudgetUsd',
  'paused',
  'smartModel',
  'closedLoop',
]

/** @throws InvalidInput in the words of the contract */
function changedConfig(config: HeartbeatConfig, body: unknown): HeartbeatConfig {
  const fields = new BodyFields(body)
  if (!fields.has(...FIELDS)) throw new InvalidInput('No valid fields to update')
  const minutes = (name: 'newsIntervalMin' | 'xIntervalMin', min: number): number => {
    const value = fields.raw(name)
    if (value === undefined) return config[name]
    const isFit =
      typeof value === 'number' && Number.isInteger(value) && value >= min && value <= 1_440
    if (!isFit) throw new InvalidInput(`${name} must be ${min}-1440`)
    return value
  }
  const sentTier = fields.raw('evalModelTier')
  const tier = sentTier === undefined ? config.evalModelTier : sentTier
  const evalModelTier = EVALUATION_TIERS.find((candidate) => candidate === tier)
  if (evalModelTier === undefined) {
    throw new InvalidInput('evalModelTier must be cheap, base, medium, or heavy')
  }
  const sentBudget = fields.raw('monthlyBudgetUsd')
  const budget = sentBudget === undefined ? config.monthlyBudgetUsd : sentBudget
  if (typeof budget !== 'number' || !Number.isFinite(budget) || budget < 0) {
    throw new InvalidInput('monthlyBudgetUsd must be >= 0')
  }
  return {
    newsIntervalMin: minutes('newsIntervalMin', 15),
    xIntervalMin: minutes('xIntervalMin', 60),
    evalModelTier,
    monthlyBudgetUsd: budget,
    paused: fields.flag('paused') ?? config.paused,
    smartModel: fields.flag('smartModel') ?? config.smartModel,
    closedLoop: closedLoopIn(fields.raw('closedLoop')) ?? config.closedLoop,
  }
}

function closedLoopIn(value: unknown): ClosedLoop | null {
  if (value === undefined) return null
  if (typeof value === 'boolean') return { entry: value, exit: value }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidInput('closedLoop must be boolean or { entry, exit }')
  }
  const [entry, exit] = ['entry', 'exit'].map((name) => {
    const field: unknown = Reflect.get(value, name)
    if (typeof field !== 'boolean') throw new InvalidInput(`closedLoop.${name} must be boolean`)
    return field
  })
  return { entry: entry ?? false, exit: exit ?? false }
}
