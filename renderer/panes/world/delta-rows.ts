import type { WorldChange } from '../../../backend/contract/world-changes.ts'
import { formatCents, formatNumber, MISSING } from '../../lib/format.ts'
import { formatSigned } from './gauges.ts'
import { ITEM_TYPES } from './item-figures.ts'

/** Names of the kinds of change. */
export const CHANGE_LABELS: Readonly<Record<string, string>> = {
  regime_changed: 'regime',
  gauge: 'gauge',
  resolved: 'resolved',
  price_move: 'price',
  item_added: 'item added',
  item_dropped: 'item removed',
  item_moved: 'item rank',
  new_market: 'new market',
}

/** The subject of a change; the type of an item by its label, `[residual] …` as `unexplained: …`. */
export const subjectText = ({ label }: WorldChange): string =>
  label.replace(/^\[(\w+)\] /, (whole, type: string) => {
    const known = Object.entries(ITEM_TYPES).find(([name]) => name === type)
    return known === undefined ? whole : `${known[1].label}: `
  })

/** The value before or after a change: prices in cents, ranks from 1, texts as they are. */
export function endText(change: WorldChange, end: 'before' | 'after'): string {
  const value = change[end]
  if (value === null) return MISSING
  if (typeof value === 'string') return value
  switch (change.kind) {
    case 'price_move':
    case 'resolved':
    case 'new_market':
      return formatCents(value)
    case 'item_added':
    case 'item_dropped':
    case 'item_moved':
      return `#${value + 1}`
    case 'gauge':
      return change.label.startsWith('Breadth') ? formatSigned(value) : formatNumber(value)
    default:
      return formatNumber(value)
  }
}
