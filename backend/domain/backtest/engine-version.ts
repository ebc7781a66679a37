/**
 * Version of the results of the engine. It rises with each change after which the same strategy
 * over the same events has other results: figures of runs by different versions are not comparable.
 */
export const ENGINE_VERSION = 1
