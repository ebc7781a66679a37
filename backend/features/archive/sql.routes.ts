import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { jsonBody } from '../../http/request/body.ts'
import { failures, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { AskSql, SqlAnswer } from '../../contract/archive.ts'
import type { SqlService } from './sql.service.ts'

export const sqlRoutes = (sql: SqlService) =>
  new Elysia({ prefix: '/api/sql', tags: ['archive'], adapter }).use(routePolicies).post(
    '',
    async ({ body, request }) =>
      new Response(await sql.ask(body, request.signal), {
        headers: { 'content-type': 'application/json' },
      }),
    {
      body: jsonBody(AskSql),
      auth: 'operator',
      cache: 'no-store',
      response: responses({ 200: SqlAnswer, ...failures(400, 401, 403, 429, 503) }),
      detail: {
        operationId: 'sql.ask',
        summary: 'Runs one SELECT over the read-only views of the history',
      },
    },
  )
