import type { PortfolioStrategy, PortfolioView } from '../../../contract/orders/texts.ts'
import { parseInstant } from '../../../contract/params.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import type { BodyFields } from '../../../http/request/body-fields.ts'
import { InvalidInput } from '../../../lib/errors.ts'

export type ViewFields = Omit<PortfolioView, 'id' | 'userId' | 'createdAt' | 'updatedAt'>
export type StrategyFields = Omit<PortfolioStrategy, 'id' | 'userId' | 'createdAt' | 'updatedAt'>

const MAX_TICKERS = 50
const MAX_TICKER_LENGTH = 120

export const DEFAULT_VIEW: Omit<ViewFields, 'title'> = {
  text: '',
  category: null,
  tickers: [],
  direction: null,
  conviction: 5,
  horizon: null,
  thesisId: null,
  active: true,
}
export const DEFAULT_STRATEGY: Omit<StrategyFields, 'name' | 'text'> = {
  priority: 100,
  enabled: true,
}

/** The fields that were sent. */
const sentFields = <T extends object>(fields: {
  readonly [K in keyof T]: T[K] | undefined
}): Partial<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<T>

/** @throws InvalidInput for null */
function notNull<T>(name: string, value: T | null | undefined): T | undefined {
  if (value === null) throw new InvalidInput(`${name} must not be null`)
  return value
}

/** The fields of a view that a body names. @throws InvalidInput with the first fault */
export const viewFieldsIn = (body: BodyFields): Partial<ViewFields> =>
  sentFields<ViewFields>({
    title: notNull('title', body.text('title', { min: 1, max: 200 })),
    text: notNull('text', body.text('text', { max: 5_000 })),
    category: body.text('category', { min: 1, max: 40 }),
    tickers: tickersIn(body.raw('tickers')),
    direction:
      body.raw('direction') === null ? null : body.word('direction', ['yes', 'no'] as const),
    conviction: notNull(
      'conviction',
      body.number('conviction', { min: 1, max: 10, isInteger: true }),
    ),
    horizon: dayIn(body.raw('horizon')),
    thesisId: body.text('thesisId', { min: 1, max: 64 }),
    active: body.flag('active'),
  })

/** The fields of a strategy that a body names. @throws InvalidInput with the first fault */
export const strategyFieldsIn = (body: BodyFields): Partial<StrategyFields> =>
  sentFields<StrategyFields>({
    name: notNull('name', body.text('name', { min: 1, max: 120 })),
    text: notNull('text', body.text('text', { min: 1, max: 5_000 })),
    priority: notNull('priority', body.number('priority', { min: 0, max: 1_000, isInteger: true })),
    enabled: body.flag('enabled'),
  })

function tickersIn(value: unknown): string[] | undefined {
  if (value === undefined) return undefined
  const fits =
    Array.isArray(value) &&
    value.length <= MAX_TICKERS &&
    value.every(
      (item): item is string =>
        typeof item === 'string' && item.trim() !== '' && item.length <= MAX_TICKER_LENGTH,
    )
  if (!fits) throw new InvalidInput(`tickers must be at most ${MAX_TICKERS} tickers`)
  return [...new Set(value.map((item) => canonicalTicker(item.trim())))]
}

function dayIn(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return value
  const isDay =
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value) && parseInstant(value) !== null
  if (!isDay) throw new InvalidInput('horizon must be a date YYYY-MM-DD')
  return value
}
