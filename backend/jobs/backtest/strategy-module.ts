import { FEEDS } from '../../domain/backtest/event-columns.ts'
import { paramsOf } from '../../domain/backtest/params.ts'
import type {
  Params,
  ParamValue,
  Strategy,
  StrategyModule,
} from '../../domain/backtest/strategy.ts'
import { TIMEFRAMES } from '../../domain/prices/candle.ts'
import { boundedText } from '../../domain/text/bounded-text.ts'
import type { StrategyMetadata } from './messages.ts'

const NAME_LIMIT = 100
const ABOUT_LIMIT = 2_000
const MAX_PARAMS = 64
const PARAM_NAME_LIMIT = 64
const PARAM_TEXT_LIMIT = 1_000
const HANDLERS = [
  'onStart',
  'onEvent',
  'onTimer',
  'onFill',
  'onOrderEnd',
  'onSettle',
  'onEnd',
] as const

/** A strategy's module after validation. */
export interface CheckedModule {
  readonly metadata: StrategyMetadata
  /**
   * Creates the strategy of one run, with a copy of the parameters. @throws TypeError when the
   * result is not a strategy
   */
  readonly create: () => Strategy
}

/**
 * Validates the default export of a module and bounds its texts. Each property is read once.
 * @throws TypeError when it is not a strategy, RangeError for unknown parameters
 */
export function checkedModule(moduleExports: unknown, overrides: Params): CheckedModule {
  if (typeof moduleExports !== 'object' || moduleExports === null) {
    throw new TypeError('the module has no default export with { name, about, create }')
  }
  const { name, about, create, feeds, candles, params } = moduleExports as Partial<StrategyModule>
  if (typeof name !== 'string' || typeof about !== 'string' || typeof create !== 'function') {
    throw new TypeError('the default export needs name, about and create(params)')
  }
  const metadata: StrategyMetadata = {
    name: boundedText(name, NAME_LIMIT),
    about: boundedText(about, ABOUT_LIMIT),
    feeds: feeds === undefined ? FEEDS : namesIn('feeds', FEEDS, feeds),
    candles: candles === undefined ? [] : namesIn('candles', TIMEFRAMES, candles),
    params: paramsOf(checkedDefaults(params ?? {}), overrides),
  }
  return {
    metadata,
    create: () => checkedStrategy(Reflect.apply(create, moduleExports, [{ ...metadata.params }])),
  }
}

/** The members of `known` that were named. */
function namesIn<T extends string>(
  label: string,
  allowedNames: readonly T[],
  listedNames: unknown,
): readonly T[] {
  const names: unknown[] = Array.isArray(listedNames)
    ? Array.from(listedNames.slice(0, 100))
    : [null]
  if (names.some((name) => !allowedNames.some((allowedName) => allowedName === name))) {
    throw new TypeError(`${label} must be a list with members of ${allowedNames.join(', ')}`)
  }
  return allowedNames.filter((allowedName) => names.includes(allowedName))
}

function checkedDefaults(params: object): Params {
  const entries = Object.entries(params)
  if (entries.length > MAX_PARAMS) {
    throw new TypeError(`there are ${entries.length} parameters, at most ${MAX_PARAMS}`)
  }
  for (const [name, usual] of entries as [string, unknown][]) {
    if (name.length > PARAM_NAME_LIMIT) {
      throw new TypeError(
        `a parameter's name has ${name.length} characters, at most ${PARAM_NAME_LIMIT}`,
      )
    }
    if (!['number', 'string', 'boolean'].includes(typeof usual)) {
      throw new TypeError(`parameter ${name} must be a number, a string or a boolean`)
    }
    if (typeof usual === 'string' && usual.length > PARAM_TEXT_LIMIT) {
      throw new TypeError(
        `parameter ${name} has ${usual.length} characters, at most ${PARAM_TEXT_LIMIT}`,
      )
    }
  }
  return Object.fromEntries(entries as [string, ParamValue][])
}

function checkedStrategy(exportedValue: unknown): Strategy {
  if (typeof exportedValue !== 'object' || exportedValue === null) {
    throw new TypeError('create(params) must return an object with handlers such as onEvent')
  }
  for (const name of HANDLERS) {
    const handler = (exportedValue as Record<string, unknown>)[name]
    if (handler !== undefined && typeof handler !== 'function') {
      throw new TypeError(`${name} must be a function`)
    }
  }
  return exportedValue
}
