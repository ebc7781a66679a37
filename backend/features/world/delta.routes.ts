import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { DeltaBody, DeltaQuery } from '../../contract/world-changes.ts'
import type { WorldDeltaService } from './delta.service.ts'
import { textAnswer } from './text-answer.ts'

export const deltaRoutes = (service: WorldDeltaService) =>
  new Elysia({ prefix: '/api/agent', tags: ['world'], adapter }).use(routePolicies).get(
    '/world/delta',
    async ({ query, set }) => {
      const delta = await service.delta(query)
      const lastModified = new Date(delta.to).toUTCString()
      if (query.format === 'markdown') {
        return textAnswer(delta.markdown, { 'last-modified': lastModified })
      }
      set.headers['last-modified'] = lastModified
      return delta
    },
    {
      query: DeltaQuery,
      auth: 'optional',
      cache: 15,
      response: answers(orText(DeltaBody, 'text/markdown'), 400, 404, 429, 503),
      detail: {
        operationId: 'world.delta',
        summary: 'Changes since an instant; one line when there are none',
      },
    },
  )
