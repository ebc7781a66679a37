import type { RunReport } from '../../domain/backtest/report/report.ts'
import { usageError } from '../failure.ts'
import type { Flags, FlagTable } from '../flags.ts'
import { text } from '../terminal/output.ts'
import { usd } from './usd.ts'

/** Flags of studies. */
export const STUDY_FLAGS = {
  sweep: 'texts',
  method: 'text',
  trials: 'number',
  'walk-forward': 'switch',
  'train-days': 'number',
  'test-days': 'number',
  'embargo-days': 'number',
} as const satisfies FlagTable

/** Lines of help. */
export const STUDY_NOTES: readonly string[] = [
  '  --sweep P=A..B/S…   run parameters, from A to B in steps of S, or listed values (P=1,2,5)',
  '  --method M          grid (all points, 500 at most), random or halving',
  '  --trials N          number of points for random and halving; 50 by default',
  '  --walk-forward      choose parameters on one range of days, test them on the next, report the tests',
  '  --train-days N, --test-days N, --embargo-days N',
  '                      length of each range: 60, 20, and 1 or as long as lots are held',
]

const METHODS = ['grid', 'random', 'halving']
const NUMBER = String.raw`-?\d+(?:\.\d+)?(?:e[+-]?\d+)?`
const STEPS = new RegExp(`^(${NUMBER})\\.\\.(${NUMBER})/(${NUMBER})$`, 'i')
const SINGLE_NUMBER = new RegExp(`^${NUMBER}$`, 'i')

/** Builds the study part of the request body from the flags. @throws CliFailure (usage) */
export function studyOf(flags: Flags): object {
  const walkForward = {
    ...numberOf(flags, 'train-days', 'trainDays'),
    ...numberOf(flags, 'test-days', 'testDays'),
    ...numberOf(flags, 'embargo-days', 'embargoDays'),
  }
  const isWalkForward = flags.has('walk-forward')
  if (!isWalkForward && Object.keys(walkForward).length > 0) {
    throw usageError('--train-days, --test-days and --embargo-days are for --walk-forward')
  }
  if (!flags.has('sweep')) {
    const [exclusiveFlag] = ['method', 'trials', 'walk-forward'].filter((name) => flags.has(name))
    if (exclusiveFlag !== undefined) throw usageError(`--${exclusiveFlag} needs --sweep`)
    return {}
  }
  const method = flags.text('method')
  if (method !== null && !METHODS.includes(method)) {
    throw usageError(`--method must be ${METHODS.join(', ')}, was "${method}"`)
  }
  const params = Object.fromEntries(flags.texts('sweep').map(rangeOf))
  return {
    sweep: { params, ...(method !== null && { method }), ...numberOf(flags, 'trials', 'trials') },
    ...(isWalkForward && { walkForward }),
  }
}

function rangeOf(text: string): [string, object] {
  const at = text.indexOf('=')
  const [name, range] = [text.slice(0, at), text.slice(at + 1)]
  const steps = STEPS.exec(range)
  if (steps !== null) {
    const [from, to, step] = steps.slice(1).map(Number)
    return [name, { from, to, step }]
  }
  const values = range.split(',')
  if (at < 1 || range.includes('..') || values.some((value) => value === '')) {
    throw usageError(
      `--sweep takes name=from..to/step in numbers, or name=value,value, was "${text}"`,
    )
  }
  return [
    name,
    { values: values.map((value) => (SINGLE_NUMBER.test(value) ? Number(value) : value)) },
  ]
}

const numberOf = (flags: Flags, flag: string, name: string): Record<string, number> => {
  const value = flags.number(flag)
  return value === null ? {} : { [name]: value }
}

/** The study of a report. */
type Study = NonNullable<RunReport['study']>

const paramsIn = (params: Readonly<Record<string, unknown>>): string =>
  text(
    Object.entries(params)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' '),
  )

/** Figures of a study with their names. */
export function studyLines(study: Study): (readonly [string, string])[] {
  const { trials, chosen, luck, overfitting, folds } = study
  const incomplete = trials.filter(({ state }) => state !== 'whole').length
  const counts = `${trials.length} of ${study.gridPoints} points${incomplete === 0 ? '' : `, ${incomplete} abandoned or failed`}`
  const chance = luck.deflated === null ? '–' : luck.deflated.toFixed(3)
  const verdict = luck.isDistinguishable ? '' : ', not distinguishable from luck'
  const luckText = `a daily Sharpe of ${luck.sharpe?.toFixed(3) ?? '–'} against ${luck.expectedMaxSharpe.toFixed(3)} by luck in ${luck.effectiveTrials.toFixed(1)} trials`
  return [
    ['study', `${study.kind}, ${study.method}`],
    ['trials', counts],
    ...(chosen === null
      ? []
      : ([
          ['chosen', `${paramsIn(chosen.params)} (by the median of ${chosen.neighbours + 1})`],
          ['peak', paramsIn(chosen.peak.params)],
        ] as const)),
    ...folds.map(
      ({ testFrom, params, testProfit, testTrades }, i) =>
        [
          `fold ${i + 1}`,
          `from ${new Date(testFrom).toISOString().slice(0, 10)}: ${paramsIn(params)}; ${usd(testProfit)}, ${testTrades} trades`,
        ] as const,
    ),
    ['deflated sharpe', `${chance}: ${luckText}${verdict}`],
    ...(overfitting === null
      ? []
      : ([
          [
            'overfitting',
            overfitting.chance === null
              ? text(`– (${overfitting.why ?? ''})`)
              : `${(overfitting.chance * 100).toFixed(0)} % chance`,
          ],
        ] as const)),
  ]
}
