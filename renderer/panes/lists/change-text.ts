import type { MarketChange } from '../../../backend/contract/market-history.ts'
import { formatCents, formatClock, formatMoment, type TimeStyle } from '../../lib/format.ts'

const valueText = (value: number | string | null): string => {
  if (value === null) return '–'
  return typeof value === 'number' ? String(value) : value.replaceAll('_', ' ')
}

const cents = (value: number | string | null): string =>
  typeof value === 'number' ? formatCents(value) : valueText(value)

/** A change in a few words: `41.0¢ → 44.0¢`, `new market`, `settled: yes`. */
export function changeText({ type, before, after }: MarketChange): string {
  switch (type) {
    case 'price_move':
      return `${cents(before)} → ${cents(after)}`
    case 'spread_change':
      return `spread ${cents(before)} → ${cents(after)}`
    case 'new_market':
      return 'new market'
    case 'resolved':
      return `settled: ${valueText(after)}`
    case 'status_change':
      return valueText(after)
    case 'volume_spike':
      return 'volume spike'
    case 'close_time_change':
      return 'new close'
    default:
      return `${valueText(before)} → ${valueText(after)}`
  }
}

/** The time of day within the last day, the date before that. */
export function changeTime(iso: string, now: number, style: TimeStyle = {}): string {
  const at = Date.parse(iso)
  const recent = now - at < 20 * 3_600_000
  return recent
    ? formatClock(at, style).slice(0, 5)
    : formatMoment(iso, now, style).replace(/ \S+$/, '')
}
