import { vi } from 'vitest'

/**
 * Repeats a check until it passes; throws its last failure when it never does.
 * @param interval milliseconds between two checks; longer when each check advances a clock
 */
export const eventually = <T>(check: () => T | Promise<T>, interval = 5): Promise<T> =>
  vi.waitFor(check, { timeout: 90_000, interval })
