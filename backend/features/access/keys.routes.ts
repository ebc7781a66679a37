import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { KeyId, KeyList, KeyRevoked, NewKey } from './keys.schema.ts'
import type { KeysService } from './keys.service.ts'

/** Where the keys of a space are kept, and how the description calls them. */
interface KeysPlace {
  readonly prefix: '/api/keys' | '/api/data-keys'
  readonly operations: 'keys' | 'dataKeys'
  readonly of: string
}

const keysAt = ({ prefix, operations, of }: KeysPlace, keys: KeysService) =>
  new Elysia({ prefix, tags: ['accounts'], adapter })
    .use(routeWords)
    .get('', ({ request }) => keys.list(knownCaller(request).userId), {
      auth: 'required',
      rate: 'way-out',
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
        body: t.Any(),
        auth: 'required',
        cache: 'no-store',
        response: { 201: NewKey, ...failures(400, 401, 403, 409, 429, 503) },
        detail: {
          operationId: `${operations}.create`,
          summary: `Makes a key ${of}; it is shown this once`,
        },
      },
    )
    .delete('/:id', ({ request, params }) => keys.revoke(knownCaller(request).userId, params.id), {
      params: KeyId,
      auth: 'required',
      rate: 'way-out',
      cache: 'no-store',
      response: answers(KeyRevoked, 401, 403, 404, 429),
      detail: { operationId: `${operations}.revoke`, summary: 'Revokes a key, effective at once' },
    })

export const keysRoutes = (keys: KeysService) =>
  keysAt({ prefix: '/api/keys', operations: 'keys', of: 'of the service' }, keys)

export const dataKeysRoutes = (keys: KeysService) =>
  keysAt(
    { prefix: '/api/data-keys', operations: 'dataKeys', of: 'of the real-time data service' },
    keys,
  )
