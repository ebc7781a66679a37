import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { withLastModified } from '../../http/cache/last-modified.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { Calendar, CalendarQuery } from '../../contract/edges.ts'
import type { CalendarService } from './calendar.service.ts'

export const calendarRoutes = (service: CalendarService) =>
  new Elysia({ prefix: '/api/public', tags: ['edges'], adapter })
    .use(routePolicies)
    .get(
      '/calendar',
      async ({ query, set }) =>
        withLastModified(set, await service.calendar(query), ({ generatedAt }) => [generatedAt]),
      {
        query: CalendarQuery,
        auth: 'optional',
        cache: 60,
        response: answers(Calendar, 400, 410, 429, 503),
        detail: {
          operationId: 'calendar.list',
          summary: 'Upcoming events that decide markets, soonest first',
        },
      },
    )
