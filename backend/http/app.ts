import { Elysia } from 'elysia'
import type { Logger } from '../lib/logger.ts'
import { adapter } from './adapter.ts'
import { failures } from './errors.ts'
import { queryAsSent } from './request/query-as-sent.ts'

/**
 * Creates the empty application that features are added to: errors become API bodies, and query
 * values stay text.
 */
export const createHttpApp = (deps: { readonly logger: Logger }) =>
  new Elysia({ adapter }).use(failures(deps.logger)).use(queryAsSent)
