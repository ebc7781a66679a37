import { randomInt } from 'node:crypto'

/** Where chance comes from: a number from 0 up to, not including, 1. Handed in, so that tests choose. */
export type Random = () => number

const STEPS = 2 ** 47

export const systemRandom: Random = () => randomInt(STEPS) / STEPS
