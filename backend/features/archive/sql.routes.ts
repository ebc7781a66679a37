import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/body.ts'
import { failures } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { AskSql, SqlAnswer } from './sql.schema.ts'
import type { SqlService } from './sql.service.ts'

export const sqlRoutes = (sql: SqlService) =>
  new Elysia({ prefix: '/api/sql', tags: ['archive'], adapter })
    .use(routeWords)
    .post(
      '',
      async ({ body }) =>
        new Response(await sql.ask(body), { headers: { 'content-type': 'application/json' } }),
      {
        body: jsonBody(AskSql),
        auth: 'operator',
        cache: 'no-store',
        bodies: { 200: SqlAnswer, ...failures(400, 401, 403, 429, 503) },
        detail: {
          operationId: 'sql.ask',
          summary: 'Answers one SELECT over the read-only views of the history',
        },
      },
    )
