/** A seeded source of random inputs for quantities that are computed twice. */
export interface Draws {
  /** A whole number, both ends included. */
  readonly integer: (min: number, max: number) => number
  /** A multiple of 1/100, both ends included. */
  readonly cents: (min: number, max: number) => number
  readonly chance: (of: number) => boolean
  readonly pick: <T>(choices: readonly T[]) => T
  /** The value, or null one time in five. */
  readonly nullable: <T>(value: T) => T | null
  readonly list: <T>(min: number, max: number, one: (index: number) => T) => T[]
  readonly any: () => number
}

/** Draws from a seed; the same seed gives the same draws (mulberry32, public domain). */
export function drawsFrom(seed: number): Draws {
  let state = seed >>> 0
  const any = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const integer = (min: number, max: number): number => min + Math.floor(any() * (max - min + 1))
  return {
    any,
    integer,
    cents: (min, max) => integer(Math.round(min * 100), Math.round(max * 100)) / 100,
    chance: (of) => any() < of,
    pick: <T>(choices: readonly T[]): T => {
      const chosen = choices[integer(0, choices.length - 1)]
      if (chosen === undefined) throw new Error('there was nothing to pick from')
      return chosen
    },
    nullable: (value) => (any() < 0.2 ? null : value),
    list: (min, max, one) => Array.from({ length: integer(min, max) }, (_, i) => one(i)),
  }
}
