import { Elysia } from 'elysia'
import { adapter } from '../../../http/adapter.ts'
import { answers, text } from '../../../contract/schemas.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import { asyncApiText } from './asyncapi.ts'

/** The AsyncAPI document of the socket. */
export function asyncApiRoutes(wsUrl: string) {
  let asyncapiJson: string | null = null
  return new Elysia({ tags: ['catalog'], adapter }).use(routePolicies).get(
    '/asyncapi.yaml',
    () =>
      new Response((asyncapiJson ??= asyncApiText(wsUrl)), {
        headers: { 'content-type': 'application/yaml; charset=utf-8' },
      }),
    {
      auth: 'none',
      rate: 'general',
      cache: 300,
      response: answers(text('application/yaml', 'AsyncAPI 3.0'), 429),
      detail: {
        operationId: 'asyncapi.read',
        summary: 'AsyncAPI 3.0 document of the real-time socket',
      },
    },
  )
}
