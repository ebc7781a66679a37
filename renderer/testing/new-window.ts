import { afterAll, vi } from 'vitest'
import { builtinEnvironments } from 'vitest/runtime'

/**
 * Setup of component tests. Their files share a process, so that jsdom is loaded once, but each has
 * a window and modules of its own: no file sees the state of another.
 */
vi.resetModules()
const { teardown } = await builtinEnvironments.jsdom.setup(globalThis, {})
afterAll(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  await teardown(globalThis)
})
