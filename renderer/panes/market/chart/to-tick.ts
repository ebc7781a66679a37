/** The price nearest to one that a market trades at, in cents: a step of its tick, within 0 to 100¢. */
export function toTick(price: number, tick: number): number {
  const roundedPrice = Math.round(price / tick) * tick
  // A product of decimals has more digits than the tick.
  return Number(Math.max(tick, Math.min(100 - tick, roundedPrice)).toFixed(2))
}
