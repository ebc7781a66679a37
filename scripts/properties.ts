/**
 * The property checker of all tests: `fast-check` with the seed of `vitest.config.ts`. The seed is
 * fixed, so that every push runs the same cases and a failure can be repeated.
 * `AUGURY_PROPERTY_SEED` selects other cases: `npm run torture -- properties` runs the same files
 * with random seeds and many more cases, and prints each seed.
 */
import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    readonly propertySeed: number
    readonly propertyScale: number
  }
}

/** Cases of a slow property: so many in a push, and `AUGURY_PROPERTY_SCALE` times as many on request. */
export const scaled = (inPush: number): number => inPush * inject('propertyScale')

/**
 * The values of one row of a complete table: in a push each `every`th, beginning with another one
 * in each row, so that `every` neighbouring rows have all of them; all of them on request.
 */
export const sampled = <T>(values: readonly T[], row: number, every = 3): readonly T[] =>
  inject('propertyScale') > 1 ? values : values.filter((_, index) => (index + row) % every === 0)

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: inject('propertySeed') })

export default fc
