import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/request/body.ts'
import { answers, failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import {
  BackupCancelled,
  BackupId,
  BackupRun,
  BackupStarted,
  StartBackup,
} from '../../contract/operations.ts'
import type { BackupsService } from './backups.service.ts'

export const backupsRoutes = (backups: BackupsService) =>
  new Elysia({ prefix: '/api/backups', tags: ['operations'], adapter })
    .use(routePolicies)
    .post('', async ({ body, status }) => status(202, await backups.start(body)), {
      body: jsonBody(StartBackup),
      auth: 'operator',
      cache: 'no-store',
      response: responses({ 202: BackupStarted, ...failures(400, 401, 409, 429) }),
      detail: {
        operationId: 'backups.start',
        summary: 'Backs up all stored data to a folder on the service’s machine',
      },
    })
    .get('/:id', ({ params }) => backups.find(params.id), {
      params: BackupId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(BackupRun, 401, 404, 429),
      detail: { operationId: 'backups.get', summary: 'Progress of a backup' },
    })
    .delete('/:id', ({ params }) => backups.cancel(params.id), {
      params: BackupId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(BackupCancelled, 401, 404, 409, 429),
      detail: { operationId: 'backups.cancel', summary: 'Cancels a backup and removes its files' },
    })
