import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { dated } from '../../http/dated.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { Calendar, CalendarQuery } from './calendar.schema.ts'
import type { CalendarReads } from './calendar.service.ts'

export const calendarRoutes = (reads: CalendarReads) =>
  new Elysia({ prefix: '/api/public', tags: ['edges'], adapter })
    .use(routeWords)
    .get(
      '/calendar',
      async ({ query, set }) =>
        dated(set, await reads.calendar(query), ({ generatedAt }) => [generatedAt]),
      {
        query: CalendarQuery,
        auth: 'optional',
        cache: 60,
        bodies: answers(Calendar, 400, 410, 429, 503),
        detail: { operationId: 'calendar.list', summary: 'What is decided when, soonest first' },
      },
    )
