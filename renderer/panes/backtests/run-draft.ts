import type {
  ParamValue,
  RangedBacktest,
  StartBacktest,
  StrategyMetadata,
  StrategyParam,
} from '../../../backend/contract/backtests.ts'
import { isoOf } from '../../lib/format.ts'
import { typedNumber } from '../../lib/typed-number.ts'
import type { Command } from '../../shell/commands/command.ts'

const MINUTE = 60_000
const UNITS: Readonly<Record<string, number>> = { m: MINUTE, h: 60 * MINUTE, d: 1_440 * MINUTE }
const DEFAULT_WINDOW = '30d'

/** The values of the run form, as typed. */
export interface RunDraft {
  strategy: string
  /** ISO 8601 in UTC: a day or an instant. */
  from: string
  to: string
  tickers: string
  topic: string
  seed: string
  cash: string
  lookahead: boolean
  determinism: boolean
  /** Only the given parameters; absent ones use the strategy's default. */
  params: Record<string, string | boolean>
  /** Other settings of the repeated run: a study over many trials. */
  otherParams: Readonly<Record<string, unknown>>
}

/** Filters of the command that are fields of the form; the others are parameters of the strategy. */
const FORM_FILTERS: readonly string[] = ['tickers', 'topic', 'seed', 'cash']

const minuteOf = (at: number): string => `${isoOf(Math.floor(at / MINUTE) * MINUTE).slice(0, 16)}Z`

/** An instant from a command: absolute as typed, or relative to another. */
function instantText(text: string, now: number): string {
  const span = /^(\d+)([mhd])$/.exec(text)
  if (span === null) return text
  return minuteOf(now - Number(span[1]) * (UNITS[span[2] ?? 'd'] ?? 0))
}

/** The draft of a command; defaults to the last thirty days. */
export function draftOfCommand({ args, filters, flags }: Command, now: number): RunDraft {
  const text = (name: string): string => {
    const value = filters.find((filter) => filter.name === name)?.value
    if (value === undefined) return ''
    return value.kind === 'text' ? value.text : value.kind === 'number' ? String(value.value) : ''
  }
  return {
    strategy: args['strategy'] ?? '',
    from: instantText(args['from'] ?? DEFAULT_WINDOW, now),
    to: args['to'] === undefined ? minuteOf(now) : instantText(args['to'], now),
    tickers: text('tickers'),
    topic: text('topic'),
    seed: text('seed'),
    cash: text('cash'),
    lookahead: flags.includes('lookahead'),
    determinism: flags.includes('determinism'),
    otherParams: {},
    params: Object.fromEntries(
      filters
        .filter(({ name }) => !FORM_FILTERS.includes(name))
        .map(({ name }) => [name, text(name)]),
    ),
  }
}

/** The draft that repeats a run. */
export function draftOfRequest(request: RangedBacktest): RunDraft {
  const {
    strategy,
    from,
    to,
    markets = [],
    topic = '',
    params = {},
    checks = [],
    ...more
  } = request
  const { seed: _seed, startCashUsd: _cash, ...otherParams } = more
  return {
    strategy,
    from,
    to,
    topic,
    tickers: markets.join(', '),
    seed: String(request.seed ?? ''),
    cash: String(request.startCashUsd ?? ''),
    lookahead: checks.includes('lookahead'),
    determinism: checks.includes('determinism'),
    otherParams,
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'boolean' ? value : String(value),
      ]),
    ),
  }
}

/** Text of a parameter in its field. */
export const fieldText = (draft: RunDraft, param: StrategyParam): string =>
  String(draft.params[param.name] ?? param.default)
export const isSwitchedOn = (draft: RunDraft, param: StrategyParam): boolean =>
  fieldText(draft, param) === 'true'

export interface RunRefusal {
  /** Name of a field; parameters have the prefix `param:`; `form` is for errors without a field. */
  readonly field: string
  readonly text: string
}

const tickersOf = ({ tickers }: RunDraft): string[] =>
  tickers.split(/[\s,;]+/).filter((ticker) => ticker !== '')

function valueOf(param: StrategyParam, value: string | boolean): ParamValue | null {
  if (param.kind === 'string') return String(value)
  if (param.kind === 'boolean') return String(value) === 'true'
  return typedNumber(String(value))
}

/**
 * The request body, or the first field that cannot be parsed. The service validates everything
 * else.
 */
export function bodyOf(
  draft: RunDraft,
  metadata: StrategyMetadata | null,
): StartBacktest | RunRefusal {
  if (draft.strategy.trim() === '') return { field: 'strategy', text: 'Choose a strategy.' }
  const params: Record<string, ParamValue> = {}
  for (const [name, entry] of Object.entries(draft.params)) {
    const param = metadata?.params.find((candidate) => candidate.name === name)
    if (param === undefined) {
      const names = metadata?.params.map((candidate) => candidate.name).join(', ') ?? ''
      const text = `${draft.strategy} has no parameter ${name}. It has ${names === '' ? 'none' : names}.`
      return { field: 'form', text }
    }
    const value = valueOf(param, entry)
    if (value === null) return { field: `param:${name}`, text: `${name} must be a number.` }
    params[name] = value
  }
  for (const [name, text] of [
    ['seed', draft.seed],
    ['cash', draft.cash],
  ] as const) {
    if (text.trim() !== '' && typedNumber(text) === null) {
      return { field: name, text: `${name === 'seed' ? 'The seed' : 'Cash'} must be a number.` }
    }
  }
  const [seed, startCashUsd] = [typedNumber(draft.seed), typedNumber(draft.cash)]
  const markets = tickersOf(draft)
  const checks = [
    ...(draft.lookahead ? (['lookahead'] as const) : []),
    ...(draft.determinism ? (['determinism'] as const) : []),
  ]
  return {
    ...draft.otherParams,
    strategy: draft.strategy.trim(),
    from: draft.from.trim(),
    to: draft.to.trim(),
    ...(markets.length > 0 && { markets }),
    ...(draft.topic.trim() !== '' && { topic: draft.topic.trim() }),
    ...(Object.keys(params).length > 0 && { params }),
    ...(checks.length > 0 && { checks }),
    ...(seed !== null && { seed }),
    ...(startCashUsd !== null && { startCashUsd }),
  }
}

/** Effect of submitting the form, as a sentence. */
export function draftSentence(draft: RunDraft): string {
  if (draft.strategy === '') return 'Runs a strategy over stored history. No orders are sent.'
  const tickers = tickersOf(draft)
  const markets =
    tickers.length > 0
      ? `${tickers.length} named ${tickers.length === 1 ? 'market' : 'markets'}`
      : draft.topic.trim() === ''
        ? 'all markets with events'
        : `markets of ${draft.topic.trim()}`
  const settings = Object.keys(draft.otherParams)
  const repeatedSettings = settings.length === 0 ? '' : `, with ${settings.join(', ')} as before`
  return `Runs ${draft.strategy} over ${markets}${repeatedSettings}. No orders are sent.`
}
