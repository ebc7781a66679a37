/** Pseudo-random numbers that are the same for a seed, so that a failed run can be reproduced. */
export interface Chance {
  /** From 0 up to but excluding `below`. */
  integer(below: number): number
  among<T>(choices: readonly T[]): T
}

/** The generator mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number): number => Math.floor(next() * below)
  return {
    integer,
    among(choices) {
      const chosen = choices[integer(choices.length)]
      if (chosen === undefined) throw new RangeError('there is nothing to choose from')
      return chosen
    },
  }
}

/** The quantile at `share`; NaN for no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}
