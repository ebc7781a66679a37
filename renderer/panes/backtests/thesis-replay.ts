import type { ThesisBacktest } from '../../../backend/contract/theses/backtest.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatProbability } from '../theses/thesis-labels.ts'

/** Confidence of a replayed thesis and the price of the market that asks its claim. */
export function replayPlan({ confidence, from, to }: ThesisBacktest): LinesPlan {
  const seconds = (iso: string): number => Math.floor(Date.parse(iso) / 1_000)
  const hasPrice = confidence.some(({ marketPrice }) => marketPrice !== null)
  return {
    times: confidence.map(({ at }) => seconds(at)),
    window: [seconds(from), seconds(to)],
    lines: [
      {
        name: 'Confidence',
        values: confidence.map((point) =>
          point.confidence === null ? null : point.confidence * 100,
        ),
        isPrimary: true,
      },
      ...(hasPrice
        ? [{ name: 'Market', values: confidence.map(({ marketPrice }) => marketPrice) }]
        : []),
    ],
    range: [0, 100],
    timesHeight: 26,
    valueText: (value) => `${Math.round(value * 10) / 10}`,
  }
}

/** The chart, in a sentence. */
export function replaySentence({ confidence }: ThesisBacktest): string {
  const [first, last] = [confidence[0], confidence.at(-1)]
  if (first === undefined || last === undefined) return 'No evaluations'
  return `${confidence.length} evaluations; confidence from ${formatProbability(first.confidence)} to ${formatProbability(last.confidence)}`
}
