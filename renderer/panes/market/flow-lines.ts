import type { MicrostructurePoint } from '../../../backend/contract/market-history.ts'
import type { LinesPlan } from '../../charts/time-lines.ts'
import { formatCents, formatCount, formatNumber } from '../../lib/format.ts'

/** Drawable series of a market's hours. */
export const LENSES = ['spread', 'depth', 'flow'] as const
export type Lens = (typeof LENSES)[number]
/** Content of the pane: lines of the hours, or the book over time. */
export const FLOW_VIEWS = [...LENSES, 'book'] as const
export type FlowView = (typeof FLOW_VIEWS)[number]

type PointValue = (point: MicrostructurePoint) => number | null
const LINES: Readonly<Record<Lens, readonly (readonly [string, PointValue])[]>> = {
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
const TEXTS: Readonly<Record<Lens, (value: number) => string>> = {
  spread: formatCents,
  depth: (value) => `$${formatCount(value)}`,
  flow: (value) => formatNumber(value),
}

/** A market's hours as lines over time, oldest first; an hour without a value leaves a gap. */
export const flowPlan = (points: readonly MicrostructurePoint[], lens: Lens): LinesPlan => ({
  times: points.map(({ at }) => Date.parse(at) / 1000),
  lines: LINES[lens].map(([name, of], index) => ({
    name,
    values: points.map(of),
    leads: index === 0,
  })),
  range: lens === 'flow' ? [-1, 1] : null,
  valueText: TEXTS[lens],
})

/** The drawing in one sentence. */
export function flowSentence(points: readonly MicrostructurePoint[], lens: Lens): string {
  const hours = points.length === 1 ? '1 hour' : `${points.length} hours`
  const parts = LINES[lens].map(([name, of]) => {
    const present = points.map(of).filter((value) => value !== null)
    if (present.length === 0) return `${name} unknown`
    const text = TEXTS[lens]
    const [min, max] = [Math.min(...present), Math.max(...present)]
    return `${name} ${text(present.at(-1) ?? 0)} now, between ${text(min)} and ${text(max)}`
  })
  return `${hours}: ${parts.join('; ')}`
}
