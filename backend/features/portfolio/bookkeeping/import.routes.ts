import { Elysia } from 'elysia'
import {
  LedgerImported,
  LedgerPulled,
  MAX_IMPORTED_BYTES,
  VenueAImport,
  VenueAPull,
  VenueBImport,
} from '../../../contract/orders/imports.ts'
import { answers } from '../../../contract/schemas.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody } from '../../../http/request/body.ts'
import { repeatable } from '../../../http/request/repeatable.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../../state/repeated-writes.ts'
import { IMPORT_FORMATS, type LedgerImports } from './import.service.ts'
import type { LedgerPull } from './pull.service.ts'

const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const
const IMPORTS = {
  ...USER_POLICY,
  bodyLimit: MAX_IMPORTED_BYTES,
  response: answers(LedgerImported, 400, 401, 409, 429),
} as const

/** Imports of a user's trades at the venues. */
export const importRoutes = (imports: LedgerImports, pulls: LedgerPull, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/portfolio/ledger/import', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .post(
      '/venue_a',
      async ({ body, request }) => {
        const { userId } = knownCaller(request)
        const importRows = () => imports.importEntries(userId, IMPORT_FORMATS.venue_a, body)
        return await repeats.run(repeatable(request, userId, body), importRows)
      },
      {
        ...IMPORTS,
        body: documentedBody(VenueAImport),
        detail: {
          operationId: 'portfolio.importVenueA',
          summary: 'Books fills and settlements of the account at venue_a, each once',
        },
      },
    )
    .post(
      '/venue_b',
      async ({ body, request }) => {
        const { userId } = knownCaller(request)
        const importRows = () => imports.importEntries(userId, IMPORT_FORMATS.venue_b, body)
        return await repeats.run(repeatable(request, userId, body), importRows)
      },
      {
        ...IMPORTS,
        body: documentedBody(VenueBImport),
        detail: {
          operationId: 'portfolio.importVenueB',
          summary: 'Books trades and redemptions of the account at venue_b, each once',
        },
      },
    )
    .post(
      '/venue_a/pull',
      async ({ body, request }) => {
        const { userId } = knownCaller(request)
        const pull = () => pulls.pull(userId, body)
        return await repeats.run(repeatable(request, userId, body), pull)
      },
      {
        ...USER_POLICY,
        response: answers(LedgerPulled, 400, 401, 409, 429, 502),
        body: documentedBody(VenueAPull),
        detail: {
          operationId: 'portfolio.pullVenueA',
          summary: 'Reads the account at venue_a and books its fills and settlements, each once',
        },
      },
    )
