import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Usage, UsageQuery } from '../../contract/accounts.ts'
import type { UsageService } from './usage.service.ts'

export const usageRoutes = (service: UsageService) =>
  new Elysia({ prefix: '/api/dashboard', tags: ['accounts'], adapter })
    .use(routePolicies)
    .get(
      '/usage',
      ({ request, query }) => service.read(knownCaller(request).userId, query.period),
      {
        query: UsageQuery,
        auth: 'required',
        cache: { seconds: 30, scope: 'private' },
        response: answers(Usage, 400, 401, 429, 503),
        detail: {
          operationId: 'usage.read',
          summary: 'Your requests by day, route and key, and the current use of your limits',
        },
      },
    )
