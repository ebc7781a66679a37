import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/request/body.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  ImportCancelled,
  ImportId,
  ImportRun,
  ImportStarted,
  StartImport,
} from '../../contract/archive.ts'
import type { ImportsService } from './imports.service.ts'

export const importsRoutes = (imports: ImportsService) =>
  new Elysia({ prefix: '/api/imports', tags: ['archive'], adapter })
    .use(routePolicies)
    .post('', async ({ body, status }) => status(202, await imports.start(body)), {
      body: jsonBody(StartImport),
      auth: 'operator',
      cache: 'no-store',
      response: responses({ 202: ImportStarted, ...failures(400, 401, 429) }),
      detail: {
        operationId: 'imports.start',
        summary: 'Imports recorded files of the service’s machine into the history',
      },
    })
    .get('/:id', ({ params }) => imports.find(params.id), {
      params: ImportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ImportRun, 401, 404, 429),
      detail: { operationId: 'imports.get', summary: 'Progress of an import, by file' },
    })
    .delete('/:id', ({ params }) => imports.cancel(params.id), {
      params: ImportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ImportCancelled, 401, 404, 409, 429),
      detail: {
        operationId: 'imports.cancel',
        summary: 'Cancels an import; rows imported so far stay',
      },
    })
