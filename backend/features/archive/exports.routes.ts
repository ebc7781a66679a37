import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/request/body.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  ExportCancelled,
  ExportId,
  ExportRun,
  ExportStarted,
  StartExport,
} from '../../contract/archive.ts'
import type { ExportsService } from './exports.service.ts'

export const exportsRoutes = (exports: ExportsService) =>
  new Elysia({ prefix: '/api/exports', tags: ['archive'], adapter })
    .use(routePolicies)
    .post('', async ({ body, status }) => status(202, await exports.start(body)), {
      body: jsonBody(StartExport),
      auth: 'operator',
      cache: 'no-store',
      response: responses({ 202: ExportStarted, ...failures(400, 401, 409, 429) }),
      detail: {
        operationId: 'exports.start',
        summary: 'Exports rows of the history to files on the service’s machine',
      },
    })
    .get('/:id', ({ params }) => exports.find(params.id), {
      params: ExportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ExportRun, 401, 404, 429),
      detail: { operationId: 'exports.get', summary: 'Progress of an export, and its files' },
    })
    .delete('/:id', ({ params }) => exports.cancel(params.id), {
      params: ExportId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(ExportCancelled, 401, 404, 409, 429),
      detail: { operationId: 'exports.cancel', summary: 'Cancels an export and removes its files' },
    })
