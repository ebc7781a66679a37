import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { DeltaBody, DeltaQuery } from './delta.schema.ts'
import type { WorldDeltaService } from './delta.service.ts'
import { textAnswer } from './text-answer.ts'

export const deltaRoutes = (service: WorldDeltaService) =>
  new Elysia({ prefix: '/api/agent', tags: ['world'], adapter }).use(routeWords).get(
    '/world/delta',
    async ({ query, set }) => {
      const delta = await service.delta(query)
      const modified = new Date(delta.to).toUTCString()
      if (query.format === 'markdown') {
        return textAnswer(delta.markdown, { 'last-modified': modified })
      }
      set.headers['last-modified'] = modified
      return delta
    },
    {
      query: DeltaQuery,
      auth: 'optional',
      cache: 15,
      bodies: answers(DeltaBody, 400, 404, 429, 503),
      detail: {
        operationId: 'world.delta',
        summary: 'What changed since an instant; one line when nothing did',
      },
    },
  )
