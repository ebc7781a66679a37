import type { Environment } from 'vitest/runtime'

/** Compiles modules as for a browser; the window of each file is created by `new-window.ts`. */
const pageEnvironment: Environment = {
  name: 'page',
  viteEnvironment: 'client',
  setup: () => ({ teardown: () => undefined }),
}
export default pageEnvironment
