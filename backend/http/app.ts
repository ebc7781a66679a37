import { Elysia } from 'elysia'
import type { Logger } from '../lib/logger.ts'
import { adapter } from './adapter.ts'
import { failures } from './errors.ts'

/** The empty application that features are added to: failures answered in the interface's words. */
export const createHttpApp = (deps: { readonly logger: Logger }) =>
  new Elysia({ adapter }).use(failures(deps.logger))
