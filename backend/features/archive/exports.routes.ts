import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/body.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import {
  ExportCancelled,
  ExportId,
  ExportRun,
  ExportStarted,
  StartExport,
} from './exports.schema.ts'
import type { ExportsService } from './exports.service.ts'

export const exportsRoutes = (exports: ExportsService) =>
  new Elysia({ prefix: '/api/exports', tags: ['archive'], adapter })
    .use(routeWords)
    .post('', async ({ body, status }) => status(202, await exports.start(body)), {
      body: jsonBody(StartExport),
      auth: 'operator',
      cache: 'no-store',
      response: { 202: ExportStarted, ...failures(400, 401, 409, 429) },
      detail: {
        operationId: 'exports.start',
        summary: 'Writes rows of the history to files of the service’s machine',
      },
    })
    .get('/:id', ({ params }) => exports.find(params.id), {
      params: ExportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ExportRun, 401, 404, 429),
      detail: { operationId: 'exports.get', summary: 'How far an export is, and what it wrote' },
    })
    .delete('/:id', ({ params }) => exports.cancel(params.id), {
      params: ExportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ExportCancelled, 401, 404, 409, 429),
      detail: { operationId: 'exports.cancel', summary: 'Ends an export; nothing of it stays' },
    })
