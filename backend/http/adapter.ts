import { node } from '@elysiajs/node'

/** The shared adapter: every Elysia instance of the backend is built with it. */
export const adapter = node()
