import type { Drawing, DrawnPoint, SpanDrawing } from './drawing.ts'

/** A drawing is hit within this distance, in cents. */
const NEAR_CENTS = 2
/** A text is hit within this share of a day. */
const NEAR_SECONDS = 21_600

/** The price of the line through two points at a time; null outside them. */
export function priceOnLine(
  { from, to }: Pick<SpanDrawing, 'from' | 'to'>,
  time: number,
): number | null {
  const [first, last] = from.time <= to.time ? [from, to] : [to, from]
  if (time < first.time || time > last.time) return null
  if (first.time === last.time) return first.price
  const share = (time - first.time) / (last.time - first.time)
  return first.price + share * (last.price - first.price)
}

/** Whether a point is on a drawing, or near enough to select it. */
export function isNear(drawing: Drawing, { time, price }: DrawnPoint): boolean {
  switch (drawing.kind) {
    case 'level':
      return Math.abs(drawing.price - price) <= NEAR_CENTS
    case 'text':
      return (
        Math.abs(drawing.at.price - price) <= NEAR_CENTS &&
        Math.abs(drawing.at.time - time) <= NEAR_SECONDS
      )
    case 'range': {
      const { from, to } = drawing
      const isBetween = (value: number, first: number, second: number) =>
        Math.min(first, second) <= value && value <= Math.max(first, second)
      return isBetween(time, from.time, to.time) && isBetween(price, from.price, to.price)
    }
    default: {
      const on = priceOnLine(drawing, time)
      return on !== null && Math.abs(on - price) <= NEAR_CENTS
    }
  }
}

const span = (seconds: number): string => {
  const minutes = Math.round(Math.abs(seconds) / 60)
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor((minutes % 1_440) / 60)]
  if (days > 0) return `${days}d ${hours}h`
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`
}

/** A measured move in words: change, relative change and time. */
export function moveText({ from, to }: Pick<SpanDrawing, 'from' | 'to'>): string {
  const change = to.price - from.price
  const sign = change < 0 ? '−' : '+'
  const cents = `${sign}${Math.abs(change).toFixed(1)}¢`
  const share =
    from.price > 0 ? ` (${sign}${((Math.abs(change) / from.price) * 100).toFixed(0)}%)` : ''
  return `${cents}${share} in ${span(to.time - from.time)}`
}
