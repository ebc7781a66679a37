import { node } from '@elysiajs/node'

/** The one adapter object: every Elysia instance of the backend is built with it. */
export const adapter = node()
