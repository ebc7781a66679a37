import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/body.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import {
  ImportCancelled,
  ImportId,
  ImportRun,
  ImportStarted,
  StartImport,
} from './imports.schema.ts'
import type { ImportsService } from './imports.service.ts'

export const importsRoutes = (imports: ImportsService) =>
  new Elysia({ prefix: '/api/imports', tags: ['archive'], adapter })
    .use(routeWords)
    .post('', async ({ body, status }) => status(202, await imports.start(body)), {
      body: jsonBody(StartImport),
      auth: 'operator',
      cache: 'no-store',
      response: { 202: ImportStarted, ...failures(400, 401, 429) },
      detail: {
        operationId: 'imports.start',
        summary: 'Reads recorded files of the service’s machine into the history',
      },
    })
    .get('/:id', ({ params }) => imports.find(params.id), {
      params: ImportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ImportRun, 401, 404, 429),
      detail: { operationId: 'imports.get', summary: 'How far an import is, file by file' },
    })
    .delete('/:id', ({ params }) => imports.cancel(params.id), {
      params: ImportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ImportCancelled, 401, 404, 429),
      detail: {
        operationId: 'imports.cancel',
        summary: 'Ends an import; rows that were taken stay',
      },
    })
