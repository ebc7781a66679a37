import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/body.ts'
import { answers, failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import {
  BackupCancelled,
  BackupId,
  BackupRun,
  BackupStarted,
  StartBackup,
} from './backups.schema.ts'
import type { BackupsService } from './backups.service.ts'

export const backupsRoutes = (backups: BackupsService) =>
  new Elysia({ prefix: '/api/backups', tags: ['operations'], adapter })
    .use(routeWords)
    .post('', async ({ body, status }) => status(202, await backups.start(body)), {
      body: jsonBody(StartBackup),
      auth: 'operator',
      cache: 'no-store',
      response: { 202: BackupStarted, ...failures(400, 401, 409, 429) },
      detail: {
        operationId: 'backups.start',
        summary: 'Copies everything that is stored into a folder of the service’s machine',
      },
    })
    .get('/:id', ({ params }) => backups.find(params.id), {
      params: BackupId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(BackupRun, 401, 404, 429),
      detail: { operationId: 'backups.get', summary: 'How far a backup is' },
    })
    .delete('/:id', ({ params }) => backups.cancel(params.id), {
      params: BackupId,
      auth: 'operator',
      cache: 'no-store',
      response: answers(BackupCancelled, 401, 404, 409, 429),
      detail: { operationId: 'backups.cancel', summary: 'Ends a backup; nothing is left of it' },
    })
