import { isConditionId } from '../../market.ts'
import { GAUGES } from '../gauges/index-reading.ts'
import type { DeltaAlert } from '../delta/delta-alerts.ts'
import type { WorldChange, WorldDelta } from '../delta/delta.ts'
import { SHORT_NAMES } from './snapshot-markdown.ts'
import { centsText, cutText, HEADING_LENGTH, shareText, signedText } from './text.ts'

export const DELTA_MARKDOWN_PARAMS = { lines: 12 } as const

const numeric = (value: number | string | null): number | null =>
  typeof value === 'number' ? value : null

/** The ticker; null where ids are 66 characters long, which the label replaces. */
const shortTicker = (ticker: string | null): string | null =>
  ticker === null || isConditionId(ticker) ? null : ticker

/** One line for a change; null when the index line or a rank already contains it. */
function lineOf(change: WorldChange): string | null {
  const label = cutText(change.label, HEADING_LENGTH)
  const ticker = shortTicker(change.ticker)
  switch (change.kind) {
    case 'regime_changed':
      return `* ${label}`
    case 'item_added':
    case 'new_market':
      return `+ ${label}`
    case 'item_dropped':
      return `- ${label}`
    case 'price_move': {
      const span = `${centsText(numeric(change.before))} → ${centsText(numeric(change.after))}`
      return `~ ${ticker === null ? label : `${ticker} ${span}`}`
    }
    case 'resolved':
      return `= ${ticker === null ? label : `${ticker} resolved ${change.after ?? ''}`}`
    case 'gauge':
    case 'item_moved':
      return null
  }
}

/** Symbols of the lines in display order; new markets follow, which would hide the rest. */
const SIGNS = ['*', '!', '+', '-', '~', '=']

/** The two instants of a heading; dates are included when the span crosses midnight. */
function spanText(from: string, to: string): string {
  const day = from.slice(0, 10) !== to.slice(0, 10)
  const text = (at: string): string => (day ? at.slice(0, 16).replace('T', ' ') : at.slice(11, 16))
  return `${text(from)} → ${text(to)} UTC`
}

/** Changes as text, at most twelve lines under the index; one line when nothing changed. */
export function deltaMarkdown(delta: WorldDelta, alerts: readonly DeltaAlert[] = []): string {
  const span = spanText(delta.from, delta.to)
  if (delta.changes.length === 0 && alerts.length === 0) return `# No changes ${span}\n`
  const gauges = GAUGES.map((gauge) => {
    const indexChange = delta.indexDelta[gauge]
    const text = gauge === 'breadth' ? shareText(indexChange) : signedText(indexChange, 0)
    return `${SHORT_NAMES[gauge]} ${text}`
  })
  const linesOf = (changes: readonly WorldChange[]): string[] =>
    changes.flatMap((change) => lineOf(change) ?? [])
  const isNew = ({ kind }: WorldChange): boolean => kind === 'new_market'
  const sections = [
    ...linesOf(delta.changes.filter((change) => !isNew(change))),
    ...alerts.map(({ message }) => `! ${cutText(message)}`),
  ]
  const sortedLines = SIGNS.flatMap((sign) => sections.filter((line) => line.startsWith(sign)))
  const lines = [...sortedLines, ...linesOf(delta.changes.filter(isNew))]
  const page = lines.slice(0, DELTA_MARKDOWN_PARAMS.lines)
  const hiddenCount = lines.length - page.length
  const hiddenLine = hiddenCount > 0 ? [`+${hiddenCount} more`] : []
  return `${[`# Delta ${span}`, `Index: ${gauges.join(' | ')}`, ...page, ...hiddenLine].join('\n')}\n`
}
