import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Usage, UsageQuery } from './usage.schema.ts'
import type { UsageReads } from './usage.service.ts'

export const usageRoutes = (reads: UsageReads) =>
  new Elysia({ prefix: '/api/dashboard', tags: ['accounts'], adapter })
    .use(routeWords)
    .get('/usage', ({ request, query }) => reads.read(knownCaller(request).userId, query.period), {
      query: UsageQuery,
      auth: 'required',
      cache: { seconds: 30, scope: 'private' },
      bodies: answers(Usage, 400, 401, 429, 503),
      detail: {
        operationId: 'usage.read',
        summary: 'What you asked by day, route and key, and how much of your limits is used',
      },
    })
