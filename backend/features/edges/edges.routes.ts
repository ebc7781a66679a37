import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf } from '../../http/auth/auth.ts'
import { answers } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { calendarRoutes } from './calendar.routes.ts'
import { createCalendarService } from './calendar.service.ts'
import type { EdgesDeps } from './edges.deps.ts'
import { EdgeList, EdgesQuery } from '../../contract/edges.ts'
import { createEdgeService } from './edges.service.ts'
import { highlightRoutes } from './highlights.routes.ts'
import { createHighlightService } from './highlights.service.ts'
import { ideaRoutes } from './ideas.routes.ts'
import { createIdeaService } from './ideas.service.ts'

/** Edges of theses, ideas, highlights and the calendar. */
export function edgesRoutes(deps: EdgesDeps) {
  const service = createEdgeService(deps)
  return new Elysia({ name: 'edges', tags: ['edges'], adapter })
    .use(ideaRoutes(createIdeaService(deps)))
    .use(calendarRoutes(createCalendarService(deps)))
    .use(highlightRoutes(createHighlightService(deps)))
    .use(routePolicies)
    .get(
      '/api/edges',
      ({ query, request }) => service.edges(query, callerOf(request)?.userId ?? null),
      {
        query: EdgesQuery,
        auth: 'optional',
        cache: 30,
        response: answers(EdgeList, 400, 429, 503),
        detail: {
          operationId: 'edges.list',
          summary: 'Markets priced differently by theses, widest executable edge first',
        },
      },
    )
}
