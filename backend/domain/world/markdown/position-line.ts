import { centsText, cutText, UNKNOWN } from './text.ts'

/** A position as its line shows it; prices in cents of the held side, null when unknown. */
export interface PositionText {
  readonly title: string
  readonly direction: string
  readonly quantity: number
  readonly avgPrice: number
  readonly price: number | null
  readonly unrealizedPnlCents: number | null
}

/** "+$1.60", "-$0.05"; a dash when unknown. */
function profitText(cents: number | null): string {
  if (cents === null) return UNKNOWN
  const sign = cents > 0 ? '+' : cents < 0 ? '-' : ''
  return `${sign}$${(Math.abs(cents) / 100).toFixed(2)}`
}

/** "20 yes, 44¢ → 52¢, +$1.60": what is held, its cost and its price now. */
export const positionText = (position: PositionText): string => {
  const { quantity, direction, avgPrice, price, unrealizedPnlCents } = position
  const prices = `${centsText(avgPrice)} → ${centsText(price)}`
  return `${quantity} ${direction}, ${prices}, ${profitText(unrealizedPnlCents)}`
}

/** The portfolio section of the world's text; no line without positions. */
export const portfolioLines = (
  positions: readonly (PositionText & { readonly url: string })[],
): readonly string[] =>
  positions.length === 0
    ? []
    : [
        '## Portfolio',
        ...positions.map(
          (position) =>
            `- ${positionText(position)} — ${cutText(position.title)} · \`GET ${position.url}\``,
        ),
      ]
