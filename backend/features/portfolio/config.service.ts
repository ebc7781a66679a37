import {
  DEFAULT_CONFIG,
  EXECUTION_MODES,
  FIELDS_WITHOUT_EFFECT,
  NUMBER_BOUNDS,
  PAPER_FILL_RULES,
  INTEGER_BOUNDS,
  type PortfolioConfig,
} from '../../domain/portfolio/config.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import type { Millis } from '../../domain/units.ts'
import type { CredentialPresence, ReadCredentialPresence } from './credentials/credentials.ts'
import { cronProblem, nextRuns, SCHEDULE_ZONE } from './autopilot/schedule.ts'
import { Conflict, InvalidInput, NotReady } from '../../lib/errors.ts'
import { MODEL_TIERS } from '../../lib/language-model.ts'
import type { CancelledLiveOrders, ConfigStored, ServedConfig } from '../../contract/portfolio.ts'
import type { LiveOrder } from '../../domain/portfolio/live-order.ts'
import type { LiveMode, LiveRequest } from './live/live-mode.ts'
import type { CancelledOrders, LiveWatch } from './live/live-watch.ts'
import type { PortfolioRecord, PortfolioStore } from './portfolio.store.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'

const MAX_CATEGORIES = 50
const MAX_CATEGORY_LENGTH = 40
/** Next runs that a configuration shows. */
const SHOWN_RUNS = 3

export interface ConfigService {
  config(userId: string): Promise<ServedConfig>
  /**
   * Changes the sent fields. Resting orders are cancelled when live trading ends.
   * @param isPerson whether a person is signed in, not a key
   * @throws InvalidInput; Conflict for the first step into live trading and for unmet
   *   preconditions; Forbidden when a key confirms
   */
  put(userId: string, body: unknown, isPerson: boolean): Promise<ConfigStored>
}

export function createConfigService(deps: {
  readonly portfolios: PortfolioStore
  readonly userQueue: PerUserQueue
  readonly clock: Clock
  readonly credentials: ReadCredentialPresence
  readonly liveMode: LiveMode
  readonly watch: Pick<LiveWatch, 'cancel'>
  /** Whether the first load has ended: before it only a halt is accepted. */
  readonly isLoaded: () => boolean
  /** Aborts the live work of a user, which may wait for a venue. */
  readonly interrupt: (userId: string) => void
  /** Called after a configuration was written, in the queue of its user. */
  readonly onChanged: (
    userId: string,
    before: PortfolioRecord,
    after: PortfolioRecord,
  ) => Promise<void>
}): ConfigService {
  const { portfolios, userQueue, clock, credentials, liveMode, onChanged } = deps
  const toResponse = (userId: string, record: PortfolioRecord, presence: CredentialPresence) => ({
    ...servedConfig(userId, record, presence, clock.now()),
    mode: liveMode.isLive(record) ? ('live' as const) : ('paper' as const),
  })
  return {
    async config(userId) {
      const record = await portfolios.read(userId)
      return toResponse(userId, record, await credentials(userId))
    },
    async put(userId, body, isPerson) {
      const request = liveRequestIn(body, isPerson)
      const isHalt = new BodyFields(body).raw('executionMode') === 'halted'
      if (!isHalt && !deps.isLoaded()) {
        throw new NotReady(
          'The history is being read for the first time: until then only a halt is accepted',
        )
      }
      // A halt does not wait for a venue. A repeated one leaves the cancellation of the first alone.
      if (isHalt && (await portfolios.read(userId)).config.executionMode !== 'halted') {
        deps.interrupt(userId)
      }
      const { stored, endsLive } = await userQueue.run(userId, async () => {
        const previous = await portfolios.read(userId)
        const config = mergeConfig(body, previous.config)
        const presence = await credentials(userId)
        const entering = config.executionMode === 'live' && request !== null
        if (entering && previous.config.executionMode === 'halted') {
          throw new Conflict('leave halted through dry-run', 'INVALID_TRANSITION')
        }
        const isNew = entering && !liveMode.isLive(previous)
        const confirmedChanges = isNew ? await liveMode.enter(userId, previous, request) : {}
        const isHalting =
          config.executionMode === 'halted' && previous.config.executionMode !== 'halted'
        const isLeaving = config.executionMode !== 'halted'
        // Another start balance is no profit and no loss: the highest equity moves with it.
        const deposit = config.paperStartBalanceCents - previous.config.paperStartBalanceCents
        const { peakCents } = previous
        const now = clock.now()
        const after = await portfolios.change(
          userId,
          {
            config,
            ...confirmedChanges,
            ...(peakCents !== null && { peakCents: peakCents + deposit }),
            ...(isHalting && { haltedAt: now, haltReason: 'user' as const }),
            ...(isLeaving && { haltedAt: null, haltReason: null }),
            // The end of a halt counts as a loss just now.
            ...(isLeaving && previous.config.executionMode === 'halted' && { cooldownFrom: now }),
            ...(isLeaving &&
              previous.config.executionMode === 'halted' &&
              liveMode.liveStateAfterHalt(previous)),
            // A new schedule runs no time that is past.
            ...(isRescheduled(previous.config, config) && { lastSlot: now, scheduleError: null }),
          },
          now,
        )
        await onChanged(userId, previous, after)
        const endsLive =
          previous.config.executionMode === 'live' && after.config.executionMode !== 'live'
        return { stored: toResponse(userId, after, presence), endsLive }
      })
      return endsLive
        ? { ...stored, orders: servedOrders(await deps.watch.cancel(userId)) }
        : stored
    },
  }
}

/**
 * Fields of a body that turns live trading on; null for any other body.
 * @throws InvalidInput when it changes anything else
 */
function liveRequestIn(body: unknown, isPerson: boolean): LiveRequest | null {
  const fields = new BodyFields(body)
  if (fields.raw('executionMode') !== 'live') return null
  const others = CHANGEABLE.filter((name) => fields.raw(name) !== undefined)
  if (others.length > 0) {
    throw new InvalidInput(`executionMode live must be sent alone, without ${others.join(', ')}`)
  }
  return {
    token: fields.text('confirmToken', { min: 1, max: 100 }) ?? null,
    phrase: fields.text('confirmPhrase', { min: 1, max: 100 }) ?? null,
    isPerson,
  }
}
const CHANGEABLE = Object.keys(DEFAULT_CONFIG).filter((name) => name !== 'executionMode')

const servedOrders = ({ cancelled, failed }: CancelledOrders): CancelledLiveOrders => ({
  cancelled: cancelled.map(servedOrder),
  failed: failed.map(({ order, reason }) => ({ ...servedOrder(order), reason })),
})
const servedOrder = ({ clientOrderId, venue, ticker, marketTitle, status }: LiveOrder) => ({
  clientOrderId,
  venue,
  marketId: ticker,
  marketTitle,
  status,
})

/** The configuration with the fields of a body, validated as a whole. @throws InvalidInput */
function mergeConfig(body: unknown, before: PortfolioConfig): PortfolioConfig {
  const fields = new BodyFields(body)
  const next: Record<string, unknown> = { ...before }
  const setField = (name: keyof PortfolioConfig, value: unknown): void => {
    if (value === null) throw new InvalidInput(`${name} must not be null`)
    if (value !== undefined) next[name] = value
  }
  setField('enabled', fields.flag('enabled'))
  setField('crossVenuePairsEnabled', fields.flag('crossVenuePairsEnabled'))
  setField('executionMode', fields.word('executionMode', EXECUTION_MODES))
  setField('paperFill', fields.word('paperFill', PAPER_FILL_RULES))
  setField('decisionModel', decisionModelIn(fields))
  setField('cronExpression', cronIn(fields))
  setField('excludeCategories', categoriesIn(fields))
  for (const [name, [min, max]] of Object.entries(INTEGER_BOUNDS)) {
    setField(name as keyof PortfolioConfig, fields.number(name, { min, max, isInteger: true }))
  }
  for (const [name, [min, max]] of Object.entries(NUMBER_BOUNDS)) {
    const isTextToo = name === 'minThesisConfidence'
    const rawValue = fields.raw(name)
    const isNumeric = isTextToo && typeof rawValue === 'string' && /^\d*\.?\d+$/.test(rawValue)
    const read = isNumeric ? new BodyFields({ [name]: Number(rawValue) }) : fields
    setField(name as keyof PortfolioConfig, read.number(name, { min, max }))
  }
  const config = next as unknown as PortfolioConfig
  if (config.drawdownWarnCents > config.maxDrawdownHaltCents) {
    throw new InvalidInput('drawdownWarnCents must be at most maxDrawdownHaltCents')
  }
  return config
}

const isRescheduled = (before: PortfolioConfig, after: PortfolioConfig): boolean =>
  after.enabled && (!before.enabled || before.cronExpression !== after.cronExpression)

/** `provider/model`; names of models may contain more slashes. */
const NAMED_MODEL = /^[\w.-]+\/[\w.:/@-]+$/

function decisionModelIn(fields: BodyFields): string | null | undefined {
  const model = fields.text('decisionModel', { min: 1, max: 100 })
  if (typeof model !== 'string' || model === 'rules' || NAMED_MODEL.test(model)) return model
  if (MODEL_TIERS.some((tier) => model === `tier:${tier}`)) return model
  throw new InvalidInput(
    'decisionModel must be rules, tier:cheap, tier:medium, tier:heavy or provider/model',
  )
}

function cronIn(fields: BodyFields): string | null | undefined {
  const cron = fields.text('cronExpression', { min: 1, max: 100 })
  const problem = typeof cron === 'string' ? cronProblem(cron) : null
  if (problem !== null) throw new InvalidInput(`cronExpression ${problem}`)
  return cron
}

function categoriesIn(fields: BodyFields): string[] | undefined {
  const rawCategories = fields.raw('excludeCategories')
  if (rawCategories === undefined) return undefined
  const fits =
    Array.isArray(rawCategories) &&
    rawCategories.length <= MAX_CATEGORIES &&
    rawCategories.every(
      (item): item is string =>
        typeof item === 'string' && item.trim() !== '' && item.length <= MAX_CATEGORY_LENGTH,
    )
  if (!fits) {
    throw new InvalidInput(
      `excludeCategories must be at most ${MAX_CATEGORIES} texts of 1 to ${MAX_CATEGORY_LENGTH} characters`,
    )
  }
  return [...new Set(rawCategories.map((item) => item.trim().toLowerCase()))]
}

function servedConfig(
  userId: string,
  record: PortfolioRecord,
  presence: CredentialPresence,
  now: Millis,
): Omit<ServedConfig, 'mode'> {
  const runs = nextRuns(record, now, SHOWN_RUNS).map((at) => isoOf(at))
  const { config, isConfigured, haltedAt, haltReason, createdAt, updatedAt } = record
  return {
    ...config,
    excludeCategories: [...config.excludeCategories],
    isDefault: !isConfigured,
    withoutEffect: [...FIELDS_WITHOUT_EFFECT],
    userId,
    schedule: {
      timeZone: SCHEDULE_ZONE,
      active: config.enabled,
      nextRunAt: runs[0] ?? null,
      nextRuns: runs,
      lastError: record.scheduleError,
    },
    ...presence,
    haltedAt: isoOrNull(haltedAt),
    haltReason,
    createdAt: isoOrNull(createdAt),
    updatedAt: isoOrNull(updatedAt),
  }
}
