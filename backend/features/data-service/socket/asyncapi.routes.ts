import { Elysia } from 'elysia'
import { adapter } from '../../../http/adapter.ts'
import { routeWords } from '../../../http/words.ts'
import { asyncApiText } from './asyncapi.ts'

/** The description of the socket, for machines. */
export function asyncApiRoutes(wsUrl: string) {
  let made: string | null = null
  return new Elysia({ tags: ['catalog'], adapter }).use(routeWords).get(
    '/asyncapi.yaml',
    () =>
      new Response((made ??= asyncApiText(wsUrl)), {
        headers: { 'content-type': 'application/yaml; charset=utf-8' },
      }),
    {
      auth: 'none',
      rate: 'off',
      cache: 300,
      detail: {
        operationId: 'asyncapi.read',
        summary: 'AsyncAPI 3.0 document of the real-time socket',
        responses: {
          200: {
            description: 'AsyncAPI 3.0',
            content: { 'application/yaml': { schema: { type: 'string' } } },
          },
        },
      },
    },
  )
}
