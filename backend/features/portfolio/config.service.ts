import {
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
import { cronFault, nextRuns, SCHEDULE_ZONE } from './autopilot/schedule.ts'
import { Conflict, InvalidInput } from '../../lib/errors.ts'
import { MODEL_TIERS } from '../../lib/language-model.ts'
import type { ServedConfig } from '../../contract/portfolio.ts'
import type { PortfolioRecord, PortfolioStore } from './portfolio.store.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'

const MAX_CATEGORIES = 50
const MAX_CATEGORY_LENGTH = 40
/** Next runs that a configuration shows. */
const SHOWN_RUNS = 3

export interface ConfigService {
  config(userId: string): Promise<ServedConfig>
  /** @throws InvalidInput; Conflict for missing preconditions of live trading */
  put(userId: string, body: unknown): Promise<ServedConfig>
}

export function createConfigService(deps: {
  readonly portfolios: PortfolioStore
  readonly userQueue: PerUserQueue
  readonly clock: Clock
  readonly credentials: ReadCredentialPresence
  /** Called after a configuration was written, in the queue of its user. */
  readonly onChanged: (
    userId: string,
    before: PortfolioRecord,
    after: PortfolioRecord,
  ) => Promise<void>
}): ConfigService {
  const { portfolios, userQueue, clock, credentials, onChanged } = deps
  return {
    async config(userId) {
      const record = await portfolios.read(userId)
      return servedConfig(userId, record, await credentials(userId), clock.now())
    },
    put: (userId, body) =>
      userQueue.run(userId, async () => {
        const before = await portfolios.read(userId)
        const config = merged(body, before.config)
        const present = await credentials(userId)
        checkMode(before, config, present)
        const isHalting =
          config.executionMode === 'halted' && before.config.executionMode !== 'halted'
        const isLeaving = config.executionMode !== 'halted'
        const now = clock.now()
        const after = await portfolios.change(
          userId,
          {
            config,
            ...(isHalting && { haltedAt: now, haltReason: 'user' as const }),
            ...(isLeaving && { haltedAt: null, haltReason: null }),
            // The end of a halt counts as a loss just now.
            ...(isLeaving && before.config.executionMode === 'halted' && { cooldownFrom: now }),
            // A new schedule runs no time that is past.
            ...(isRescheduled(before.config, config) && { lastSlot: now, scheduleError: null }),
          },
          now,
        )
        await onChanged(userId, before, after)
        return servedConfig(userId, after, present, now)
      }),
  }
}

/** Live trading is not available: the refusal lists its unmet preconditions. */
function checkMode(
  { config: before }: PortfolioRecord,
  { executionMode, enabled }: PortfolioConfig,
  { credentials }: CredentialPresence,
) {
  if (executionMode !== 'live') return
  if (before.executionMode === 'halted') {
    throw new Conflict('leave halted through dry-run', 'INVALID_TRANSITION')
  }
  const failed = [
    ...(enabled ? [] : [{ name: 'enabled', message: 'enabled must be true' }]),
    ...(Object.values(credentials).includes(true)
      ? []
      : [{ name: 'credentials', message: 'no credentials of a venue are stored' }]),
    { name: 'orders', message: 'this version sends no live orders' },
  ]
  throw new Conflict('live trading is not available', 'LIVE_PRECONDITION_FAILED', { failed })
}

/** The configuration with the fields of a body, validated as a whole. @throws InvalidInput */
function merged(body: unknown, before: PortfolioConfig): PortfolioConfig {
  const fields = new BodyFields(body)
  const next: Record<string, unknown> = { ...before }
  const put = (name: keyof PortfolioConfig, value: unknown): void => {
    if (value === null) throw new InvalidInput(`${name} must not be null`)
    if (value !== undefined) next[name] = value
  }
  put('enabled', fields.flag('enabled'))
  put('crossVenuePairsEnabled', fields.flag('crossVenuePairsEnabled'))
  put('executionMode', fields.word('executionMode', EXECUTION_MODES))
  put('paperFill', fields.word('paperFill', PAPER_FILL_RULES))
  put('decisionModel', decisionModelIn(fields))
  put('cronExpression', cronIn(fields))
  put('excludeCategories', categoriesIn(fields))
  for (const [name, [min, max]] of Object.entries(INTEGER_BOUNDS)) {
    put(name as keyof PortfolioConfig, fields.number(name, { min, max, isInteger: true }))
  }
  for (const [name, [min, max]] of Object.entries(NUMBER_BOUNDS)) {
    const isTextToo = name === 'minThesisConfidence'
    const sent = fields.raw(name)
    const isNumeric = isTextToo && typeof sent === 'string' && /^\d*\.?\d+$/.test(sent)
    const read = isNumeric ? new BodyFields({ [name]: Number(sent) }) : fields
    put(name as keyof PortfolioConfig, read.number(name, { min, max }))
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
  const fault = typeof cron === 'string' ? cronFault(cron) : null
  if (fault !== null) throw new InvalidInput(`cronExpression ${fault}`)
  return cron
}

function categoriesIn(fields: BodyFields): string[] | undefined {
  const sent = fields.raw('excludeCategories')
  if (sent === undefined) return undefined
  const fits =
    Array.isArray(sent) &&
    sent.length <= MAX_CATEGORIES &&
    sent.every(
      (one): one is string =>
        typeof one === 'string' && one.trim() !== '' && one.length <= MAX_CATEGORY_LENGTH,
    )
  if (!fits) {
    throw new InvalidInput(
      `excludeCategories must be at most ${MAX_CATEGORIES} texts of 1 to ${MAX_CATEGORY_LENGTH} characters`,
    )
  }
  return [...new Set(sent.map((one) => one.trim().toLowerCase()))]
}

function servedConfig(
  userId: string,
  record: PortfolioRecord,
  present: CredentialPresence,
  now: Millis,
): ServedConfig {
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
    ...present,
    haltedAt: isoOrNull(haltedAt),
    haltReason,
    createdAt: isoOrNull(createdAt),
    updatedAt: isoOrNull(updatedAt),
  }
}
