import { randomInt } from 'node:crypto'

/**
 * A source of random numbers from 0 up to, not including, 1. Injected, so that tests control it.
 */
export type Random = () => number

const STEPS = 2 ** 47

export const systemRandom: Random = () => randomInt(STEPS) / STEPS
