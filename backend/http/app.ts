import { Elysia } from 'elysia'
import type { Logger } from '../lib/logger.ts'
import { adapter } from './adapter.ts'
import { failures } from './errors.ts'
import { queryAsSent } from './query-as-sent.ts'

/** The empty application that features are added to: failures in the interface's words, queries as they were sent. */
export const createHttpApp = (deps: { readonly logger: Logger }) =>
  new Elysia({ adapter }).use(failures(deps.logger)).use(queryAsSent)
