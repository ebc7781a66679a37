import { Elysia } from 'elysia'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { documentedBody } from '../../../http/request/body.ts'
import { answers, failures, responses } from '../../../contract/schemas.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import { KeyId, KeyList, KeyRevoked, NewKey, NewKeyBody } from '../../../contract/accounts.ts'
import type { KeysService } from './keys.service.ts'

/** Path and labels of the keys of a space. */
interface KeysPlace {
  readonly prefix: '/api/keys' | '/api/data-keys'
  readonly operations: 'keys' | 'dataKeys'
  readonly of: string
}

const keysAt = ({ prefix, operations, of }: KeysPlace, keys: KeysService) =>
  new Elysia({ prefix, tags: ['accounts'], adapter })
    .use(routePolicies)
    .get('', ({ request }) => keys.list(knownCaller(request).userId), {
      auth: 'required',
      rate: 'revocation',
      cache: 'no-store',
      response: answers(KeyList, 401, 429),
      detail: {
        operationId: `${operations}.list`,
        summary: `Keys ${of}, newest first; revoked ones for 90 days`,
      },
    })
    .post(
      '',
      async ({ request, body, status }) =>
        status(201, await keys.create(knownCaller(request).userId, body)),
      {
        body: documentedBody(NewKeyBody),
        auth: 'required',
        cache: 'no-store',
        response: responses({ 201: NewKey, ...failures(400, 401, 403, 409, 429, 503) }),
        detail: {
          operationId: `${operations}.create`,
          summary: `Creates a key ${of}; it is returned only once`,
        },
      },
    )
    .delete('/:id', ({ request, params }) => keys.revoke(knownCaller(request).userId, params.id), {
      params: KeyId,
      auth: 'required',
      rate: 'revocation',
      cache: 'no-store',
      response: answers(KeyRevoked, 401, 403, 404, 429),
      detail: { operationId: `${operations}.revoke`, summary: 'Revokes a key immediately' },
    })

export const keysRoutes = (keys: KeysService) =>
  keysAt({ prefix: '/api/keys', operations: 'keys', of: 'of the service' }, keys)

export const dataKeysRoutes = (keys: KeysService) =>
  keysAt(
    { prefix: '/api/data-keys', operations: 'dataKeys', of: 'of the real-time data service' },
    keys,
  )
