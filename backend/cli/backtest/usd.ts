/** Dollars to the cent, a loss with its sign first: `-$3.20`. */
export const usd = (value: number | null): string =>
  value === null ? '–' : `${value < 0 ? '-' : ''}$${Math.abs(value).toFixed(2)}`
