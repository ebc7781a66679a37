import type { MicrostructurePoint } from '../../../backend/contract/market-history.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatCents, formatCount, formatNumber } from '../../lib/format.ts'

/** Groups of quantities of a market's hours that are drawn together. */
export const FLOW_METRICS = ['spread', 'depth', 'flow'] as const
export type FlowMetric = (typeof FLOW_METRICS)[number]
/** Content of the pane: lines of the hours, or the book over time. */
export const FLOW_VIEWS = [...FLOW_METRICS, 'book'] as const
export type FlowView = (typeof FLOW_VIEWS)[number]

type PointValue = (point: MicrostructurePoint) => number | null
const LINES: Readonly<Record<FlowMetric, readonly (readonly [string, PointValue])[]>> = {
  spread: [['spread', ({ spreadCents }) => spreadCents]],
  depth: [
    ['bid depth', ({ bidDepthUsd }) => bidDepthUsd],
    ['ask depth', ({ askDepthUsd }) => askDepthUsd],
  ],
  flow: [
    ['flow', ({ flowImbalance }) => flowImbalance],
    ['book', ({ imbalance }) => imbalance],
  ],
}
const TEXTS: Readonly<Record<FlowMetric, (value: number) => string>> = {
  spread: formatCents,
  depth: (value) => `$${formatCount(value)}`,
  flow: (value) => formatNumber(value),
}

/** A market's hours as lines over time, oldest first; an hour without a value leaves a gap. */
export const flowPlan = (
  points: readonly MicrostructurePoint[],
  metric: FlowMetric,
): LinesPlan => ({
  times: points.map(({ at }) => Date.parse(at) / 1000),
  lines: LINES[metric].map(([name, valueOf], index) => ({
    name,
    values: points.map(valueOf),
    isPrimary: index === 0,
  })),
  range: metric === 'flow' ? [-1, 1] : null,
  valueText: TEXTS[metric],
})

/** The drawing in one sentence. */
export function flowSentence(points: readonly MicrostructurePoint[], metric: FlowMetric): string {
  const hours = points.length === 1 ? '1 hour' : `${points.length} hours`
  const parts = LINES[metric].map(([name, valueOf]) => {
    const present = points.map(valueOf).filter((value) => value !== null)
    if (present.length === 0) return `${name} unknown`
    const text = TEXTS[metric]
    const [min, max] = [Math.min(...present), Math.max(...present)]
    return `${name} ${text(present.at(-1) ?? 0)} now, between ${text(min)} and ${text(max)}`
  })
  return `${hours}: ${parts.join('; ')}`
}
