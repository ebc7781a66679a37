import { Elysia } from 'elysia'
import {
  CredentialEnvelope,
  CredentialKey,
  CredentialsOfVenue,
  CredentialsRemoved,
  CredentialsStored,
  NewCredentialKey,
} from '../../../contract/orders/credentials.ts'
import * as param from '../../../contract/params.ts'
import { query } from '../../../contract/query-schema.ts'
import { answers } from '../../../contract/schemas.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody, objectBody } from '../../../http/request/body.ts'
import { repeatable } from '../../../http/request/repeatable.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../../state/repeated-writes.ts'
import type { CredentialsService } from './credentials.service.ts'

const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const

/** Routes of a user's credentials at the venues. Nothing returns credentials, encrypted or not. */
export const credentialsRoutes = (
  credentials: CredentialsService,
  repeats: { readonly keys: RepeatedWrites; readonly envelopes: RepeatedWrites },
) =>
  new Elysia({ prefix: '/api/portfolio', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .post(
      '/secrets/key',
      async ({ body, request }) => {
        const { userId } = knownCaller(request)
        const issue = () => credentials.issueKey(userId, body)
        return await repeats.keys.run(repeatable(request, userId, body), issue)
      },
      {
        ...USER_POLICY,
        body: objectBody(NewCredentialKey),
        response: answers(CredentialKey, 400, 401, 409, 429),
        detail: {
          operationId: 'portfolio.credentialKey',
          summary: 'Issues the key that encrypts one upload of credentials',
        },
      },
    )
    .post(
      '/secrets',
      async ({ body, request }) => {
        const { userId } = knownCaller(request)
        const store = () => credentials.store(userId, body)
        return await repeats.envelopes.run(repeatable(request, userId, body), store)
      },
      {
        ...USER_POLICY,
        body: objectBody(CredentialEnvelope),
        response: answers(CredentialsStored, 400, 401, 404, 409, 410, 429),
        detail: {
          operationId: 'portfolio.storeCredentials',
          summary: 'Stores encrypted credentials of a venue in place of earlier ones',
        },
      },
    )
    .delete(
      '/secrets',
      async ({ body, request, query: { venue } }) =>
        await credentials.remove(knownCaller(request).userId, body, venue),
      {
        ...USER_POLICY,
        body: documentedBody(CredentialsOfVenue),
        query: query({ venue: param.venue('of one venue, instead of a body; all when absent') }),
        response: answers(CredentialsRemoved, 400, 401, 404, 429),
        detail: {
          operationId: 'portfolio.removeCredentials',
          summary: 'Deletes the credentials of a venue, or of all',
        },
      },
    )
