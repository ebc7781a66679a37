import { vi } from 'vitest'

/** Time for modules that are loaded on demand: it may be long on a busy machine. */
export const LOAD_TIMEOUT = 60_000

/** Waits until a check passes, with real and with fake timers. */
export const waitUntil = (check: () => void) => vi.waitFor(check, { timeout: LOAD_TIMEOUT })
