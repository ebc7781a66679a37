import {
  EXIT_REASONS,
  CREATABLE_STRATEGY_STATUSES,
  POSITION_STATUSES,
  STRATEGY_HORIZONS,
  STRATEGY_STATUSES,
  strategyProblem,
  type ThesisPosition,
  type ThesisStrategy,
} from '../../../domain/theses/holdings.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import type { Millis } from '../../../domain/units.ts'
import { VENUES } from '../../../domain/venue.ts'
import { BodyFields } from '../../../http/request/body-fields.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { newId } from '../../../lib/ids.ts'

const DIRECTIONS = ['yes', 'no'] as const
const MAX_NOTE_LENGTH = 2_000
/** Prices of a side that can be paid; 100 itself is excluded by its largest decimal. */
const PAYABLE = { min: 0, max: 99.9999, above: true } as const
const QUANTITY = { min: 1, max: 1_000_000, isInteger: true } as const
const REQUIRED_FIELDS = ['venue', 'externalMarketId', 'marketTitle', 'direction', 'entryPrice']

/** @throws InvalidInput for a time in the future */
function pastInstant(fields: BodyFields, name: string, now: Millis): Millis | null | undefined {
  const at = fields.instant(name)
  if (at !== null && at !== undefined && at > now) {
    throw new InvalidInput(`${name} must not be in the future`)
  }
  return at
}

/** The values that were sent. */
type DefinedFields<T> = { [K in keyof T]?: Exclude<T[K], undefined> }
const withoutUndefined = <T extends object>(values: T): DefinedFields<T> =>
  Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as DefinedFields<T>

/** The fields of a position that a body may set; those not sent are left out. */
function positionFields(fields: BodyFields, now: Millis) {
  const ticker = fields.text('externalMarketId', { min: 1, max: 200 })
  return withoutUndefined({
    venue: fields.word('venue', VENUES),
    ticker: ticker === null || ticker === undefined ? undefined : canonicalTicker(ticker),
    title: fields.text('marketTitle', { min: 1, max: 300 }) ?? undefined,
    direction: fields.word('direction', DIRECTIONS),
    entryPrice: fields.number('entryPrice', PAYABLE) ?? undefined,
    size: fields.number('size', { min: 0, max: 1e9, above: true }),
    rationale: fields.text('rationale', { max: MAX_NOTE_LENGTH }),
    openedAt: pastInstant(fields, 'openedAt', now) ?? undefined,
  })
}

/** @throws InvalidInput */
export function newPosition(body: unknown, thesisId: string, now: Millis): ThesisPosition {
  const fields = new BodyFields(body)
  if (REQUIRED_FIELDS.some((name) => (fields.raw(name) ?? null) === null)) {
    throw new InvalidInput(
      'venue, externalMarketId, marketTitle, direction and entryPrice are required',
    )
  }
  const bodyFields = positionFields(fields, now) as Pick<
    ThesisPosition,
    'venue' | 'ticker' | 'title' | 'direction' | 'entryPrice'
  >
  return {
    id: newId('pos', now),
    thesisId,
    size: null,
    rationale: null,
    openedAt: now,
    exitedAt: null,
    exitPrice: null,
    exitReason: null,
    createdAt: now,
    updatedAt: now,
    ...bodyFields,
  }
}

const POSITION_FIELDS = [
  ...REQUIRED_FIELDS,
  'size',
  'rationale',
  'openedAt',
  'status',
  'exitPrice',
  'exitReason',
  'exitedAt',
]

/**
 * A position after a change; one that is closed without a price gets the current one.
 * @param markOf reads the mark of YES of a market, cents
 * @throws InvalidInput
 */
export async function changedPosition(
  position: ThesisPosition,
  body: unknown,
  markOf: (ticker: string) => Promise<number | null>,
  now: Millis,
): Promise<ThesisPosition> {
  const fields = new BodyFields(body)
  if (!fields.has(...POSITION_FIELDS)) throw new InvalidInput('No valid fields to update')
  const next = { ...position, ...positionFields(fields, now), updatedAt: now }
  const status = fields.word('status', POSITION_STATUSES)
  const exitPrice = fields.number('exitPrice', { min: 0, max: 100 })
  const reason = fields.raw('exitReason') === null ? null : fields.word('exitReason', EXIT_REASONS)
  const exitedAt = pastInstant(fields, 'exitedAt', now)
  if (status === 'open') return { ...next, exitedAt: null, exitPrice: null, exitReason: null }
  if (status !== 'closed' && next.exitedAt === null) return next
  const mark = await markOf(next.ticker)
  const side = mark === null ? null : next.direction === 'yes' ? mark : 100 - mark
  return {
    ...next,
    exitedAt: exitedAt ?? next.exitedAt ?? now,
    exitPrice: exitPrice === undefined ? (next.exitPrice ?? side) : exitPrice,
    exitReason: reason === undefined ? (next.exitReason ?? 'manual') : reason,
  }
}

/** The exit that the body of a deletion states. */
export function exitIn(body: unknown) {
  const fields = new BodyFields(body ?? {})
  return {
    exitPrice: fields.number('exitPrice', { min: 0, max: 100 }) ?? null,
    exitReason: fields.word('exitReason', EXIT_REASONS) ?? ('manual' as const),
  }
}

/** The fields of a strategy that a body may set; those not sent are left out. */
function strategyFields(fields: BodyFields) {
  return withoutUndefined({
    title: fields.text('market', { min: 1, max: 300 }) ?? undefined,
    horizon: fields.word('horizon', STRATEGY_HORIZONS),
    entryBelow: fields.number('entryBelow', PAYABLE, 'entry'),
    entryAbove: fields.number('entryAbove', PAYABLE),
    stopLoss: fields.number('stopLoss', PAYABLE),
    takeProfit: fields.number('takeProfit', PAYABLE, 'exit'),
    maxQuantity: fields.number('maxQuantity', QUANTITY) ?? undefined,
    perOrderQuantity: fields.number('perOrderQuantity', QUANTITY, 'sizing') ?? undefined,
    softConditions: fields.text('softConditions', { max: MAX_NOTE_LENGTH }),
    rationale: fields.text('rationale', { max: MAX_NOTE_LENGTH }),
    priority: fields.number('priority', { min: 0, max: 100, isInteger: true }) ?? undefined,
  })
}

const requireValid = (strategy: ThesisStrategy): ThesisStrategy => {
  const problem = strategyProblem(strategy)
  if (problem !== null) throw new InvalidInput(problem)
  return strategy
}

/** The market and the side of a new strategy. @throws InvalidInput */
export function namedSide(body: unknown) {
  const fields = new BodyFields(body)
  const marketId = fields.text('marketId', { min: 1, max: 200 })
  const direction = fields.word('direction', DIRECTIONS)
  if (typeof marketId !== 'string' || direction === undefined) {
    throw new InvalidInput('marketId and direction are required')
  }
  return { ticker: canonicalTicker(marketId), direction }
}

/** @throws InvalidInput */
export function newStrategy(
  body: unknown,
  market: Pick<ThesisStrategy, 'thesisId' | 'ticker' | 'title' | 'venue' | 'direction'>,
  now: Millis,
): ThesisStrategy {
  const fields = new BodyFields(body)
  const bodyFields = strategyFields(fields)
  const maxQuantity = bodyFields.maxQuantity ?? 500
  return requireValid({
    ...market,
    id: newId('str', now),
    horizon: 'medium',
    status: fields.word('status', CREATABLE_STRATEGY_STATUSES) ?? 'active',
    priority: 50,
    entryBelow: null,
    entryAbove: null,
    stopLoss: null,
    takeProfit: null,
    maxQuantity,
    perOrderQuantity: Math.min(50, maxQuantity),
    executedQuantity: 0,
    softConditions: null,
    rationale: null,
    createdBy: fields.text('createdBy', { min: 1, max: 64 }) ?? 'api',
    createdAt: now,
    updatedAt: now,
    ...bodyFields,
  })
}

const STRATEGY_FIELDS = [
  'market',
  'horizon',
  'status',
  'entryBelow',
  'entry',
  'entryAbove',
  'stopLoss',
  'takeProfit',
  'exit',
  'maxQuantity',
  'perOrderQuantity',
  'sizing',
  'softConditions',
  'rationale',
  'priority',
]

/** @throws InvalidInput */
export function changedStrategy(
  strategy: ThesisStrategy,
  body: unknown,
  now: Millis,
): ThesisStrategy {
  const fields = new BodyFields(body)
  if (!fields.has(...STRATEGY_FIELDS)) throw new InvalidInput('No valid fields to update')
  return requireValid({
    ...strategy,
    ...strategyFields(fields),
    status: fields.word('status', STRATEGY_STATUSES) ?? strategy.status,
    updatedAt: now,
  })
}
