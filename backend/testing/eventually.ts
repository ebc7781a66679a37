import { vi } from 'vitest'

/**
 * Repeats a check until it holds; its last failure when it never does.
 * @param interval milliseconds between two looks; longer where each look moves a clock
 */
export const eventually = <T>(check: () => T | Promise<T>, interval = 5): Promise<T> =>
  vi.waitFor(check, { timeout: 90_000, interval })
