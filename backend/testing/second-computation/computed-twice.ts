import type { METHODOLOGY } from './methodology.ts'
import type { Draws } from './draws.ts'

/** Type of an input in the engine's JSON reader: a type's name, a record, a list of one. */
export type Shape = string | readonly [Shape] | { readonly [field: string]: Shape }

export type Answered =
  number | string | boolean | null | readonly (number | string | boolean | null)[]
/** Columns of both computations. */
export type Answer = Readonly<Record<string, Answered>>

interface Drawn {
  readonly input: object
  readonly first: Answer
}

/** One quantity (or a few of one formula) with its second computation. */
export interface SecondComputation {
  readonly name: string
  /** Sections of the methodology that it recomputes. */
  readonly sections: readonly string[]
  /** Tables of constants whose numbers the SQL repeats. */
  readonly params: readonly (keyof typeof METHODOLOGY)[]
  readonly shape: Readonly<Record<string, Shape>>
  /**
   * Results of all cases: `select id, …` out of `cases`, whose columns are `id` and those of the
   * shape. Numbers are not rounded.
   */
  readonly sql: string
  /** Decimals of the columns that the first computation rounds. */
  readonly decimals: Readonly<Record<string, number>>
  /** Number of random cases: fewer when one is expensive. */
  readonly cases: number
  readonly draw: (draws: Draws) => Drawn
}

const CASES = 250

/**
 * Combines random inputs of one quantity, the product's results, and SQL written only from the text
 * of the methodology.
 */
export function computedTwice<Input extends object>(quantity: {
  readonly name: string
  readonly sections: readonly string[]
  readonly params?: readonly (keyof typeof METHODOLOGY)[]
  readonly shape: Readonly<Record<keyof Input & string, Shape>>
  readonly sql: string
  readonly decimals?: Readonly<Record<string, number>>
  readonly cases?: number
  readonly input: (draws: Draws) => Input
  readonly first: (input: Input) => Answer
}): SecondComputation {
  const { input, first, params = [], decimals = {}, cases = CASES, ...rest } = quantity
  return {
    ...rest,
    params,
    decimals,
    cases,
    draw: (draws) => {
      const drawn = input(draws)
      return { input: drawn, first: first(drawn) }
    },
  }
}

const NOISE = 1e-9

/** Whether two numbers are equal up to floating-point error. */
const isNear = (a: number, b: number): boolean =>
  a === b || Math.abs(a - b) <= NOISE * Math.max(1, Math.abs(a), Math.abs(b))

/** Whether `served` is `exact` rounded to so many decimals; a tie may round either way. */
function isRounded(served: number, exact: number, decimals: number): boolean {
  const scaled = served * 10 ** decimals
  const slack = NOISE * Math.max(1, Math.abs(exact))
  const isOnGrid = Math.abs(scaled - Math.round(scaled)) <= 1e-6 * Math.max(1, Math.abs(scaled))
  return isOnGrid && Math.abs(served - exact) <= 0.5 * 10 ** -decimals + slack
}

/** Whether both computations agree on one column. */
export function isSame(first: unknown, second: unknown, decimals?: number): boolean {
  if (Array.isArray(first)) {
    if (!Array.isArray(second) || first.length !== second.length) return false
    return first.every((value, i) => isSame(value, second[i], decimals))
  }
  if (typeof first !== 'number') return first === second
  if (second === null || typeof second === 'boolean' || second === undefined) return false
  const exact = Number(second)
  return decimals === undefined ? isNear(first, exact) : isRounded(first, exact, decimals)
}
