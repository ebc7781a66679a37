import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { KeyId, KeyList, KeyRevoked, NewKey } from './data-keys.schema.ts'
import type { DataKeysService } from './data-keys.service.ts'

export const dataKeysRoutes = (keys: DataKeysService) =>
  new Elysia({ prefix: '/api/data-keys', tags: ['accounts'], adapter })
    .use(routeWords)
    .get('', ({ request }) => keys.list(knownCaller(request).userId), {
      auth: 'required',
      cache: 'no-store',
      response: answers(KeyList, 401, 429),
      detail: {
        operationId: 'dataKeys.list',
        summary: 'Keys of the real-time data service, newest first; revoked ones for 90 days',
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
          operationId: 'dataKeys.create',
          summary: 'Makes a key of the real-time data service; it is shown this once',
        },
      },
    )
    .delete('/:id', ({ request, params }) => keys.revoke(knownCaller(request).userId, params.id), {
      params: KeyId,
      auth: 'required',
      cache: 'no-store',
      response: answers(KeyRevoked, 401, 403, 404, 429),
      detail: { operationId: 'dataKeys.revoke', summary: 'Revokes a key, effective at once' },
    })
