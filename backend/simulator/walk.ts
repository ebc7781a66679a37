import { mix } from './randomness.ts'
import type { Key } from './randomness.ts'
import { DAY } from '../domain/units.ts'

const MAX_DAYS = 64
/** Makes the variance of a one-day change 1; measured, the octaves are no exact Brownian motion. */
const AMPLITUDE = 0.79

/**
 * A random walk with random access to any instant: octaves of value noise from 64 days down, each
 * half as long and 1/sqrt(2) as high as the one before, so that changes over a span have a variance
 * of about the span in days (flattening beyond 64 days). The function caches its last cells, which
 * makes neighbouring instants cheap and changes no value.
 * @param octaves 12 reaches down to 45 minutes, 16 to three minutes
 */
export function randomWalk(key: Key, octaves: number): (at: number) => number {
  const cells = new Float64Array(octaves).fill(Number.NaN)
  const leftValues = new Float64Array(octaves)
  const slopes = new Float64Array(octaves)
  return (at) => {
    let sum = 0
    let height = AMPLITUDE * Math.sqrt(MAX_DAYS)
    let position = at / (MAX_DAYS * DAY)
    for (let octave = 0; octave < octaves; octave++) {
      const cell = Math.floor(position)
      if (cell !== cells[octave]) {
        const octaveKey = (key + Math.imul(octave, 0x632be5ab)) | 0
        const left = mix(octaveKey, cell) / 2_147_483_648 - 1
        cells[octave] = cell
        leftValues[octave] = left
        slopes[octave] = mix(octaveKey, cell + 1) / 2_147_483_648 - 1 - left
      }
      const fraction = position - cell
      sum +=
        height *
        ((leftValues[octave] ?? 0) +
          (slopes[octave] ?? 0) * fraction * fraction * (3 - 2 * fraction))
      height *= Math.SQRT1_2
      position = position * 2 + 0.37
    }
    return sum
  }
}

/** Noise between about -1 and 1 with a memory of `span` ms. */
export function valueNoise(key: Key, at: number, span: number): number {
  const position = at / span
  const cell = Math.floor(position)
  const fraction = position - cell
  const left = mix(key, cell)
  const right = mix(key, cell + 1)
  return (left + (right - left) * fraction * fraction * (3 - 2 * fraction)) / 2_147_483_648 - 1
}

/** Standard normal distribution function, within 2e-4. */
export const normalCdf = (x: number): number =>
  1 / (1 + Math.exp(-(1.5976 * x + 0.07056 * x * x * x)))
