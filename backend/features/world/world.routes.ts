import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import { NotFound } from '../../lib/errors.ts'
import { textAnswer } from './text-answer.ts'
import type { WorldAnswer } from './world-answer.ts'
import { RegionBody, RegionQuery, WorldBody, WorldQuery } from './world.schema.ts'
import type { WorldService } from './world.service.ts'

type Headers = { readonly headers: Record<string, string | number> }

/** The answer in the asked form; a region's time is that of its world. */
function formOf(set: Headers, format: 'markdown' | 'json', answer: WorldAnswer) {
  const asOf = 'asOf' in answer.body ? String(answer.body.asOf) : ''
  const modified = new Date(asOf).toUTCString()
  if (format === 'markdown') return textAnswer(answer.markdown(), { 'last-modified': modified })
  set.headers['last-modified'] = modified
  return answer.body
}

/** Segments that are routes of their own and never regions. */
const TAKEN = new Set(['delta', 'feed'])

/** Decoded segments of what follows `/world/`. */
function segmentsOf(rest: string): string[] {
  const segments = rest.split('/').map(decodeURIComponent)
  if (segments[0] !== undefined && TAKEN.has(segments[0].toLowerCase())) {
    throw new NotFound('Not found')
  }
  return segments
}

export const worldRoutes = (service: WorldService) =>
  new Elysia({ prefix: '/api/agent', tags: ['world'], adapter })
    .use(routeWords)
    .get(
      '/world',
      async ({ query, set }) => formOf(set, query.format, await service.world(query)),
      {
        query: WorldQuery,
        auth: 'optional',
        cache: 30,
        bodies: answers(WorldBody, 400, 404, 429, 503),
        detail: {
          operationId: 'world.read',
          summary:
            'What is going on, in 800 tokens, with threads to pull; and what stands behind it',
        },
      },
    )
    .get(
      '/world/*',
      async ({ params, query, set }) =>
        formOf(set, query.format, await service.region(segmentsOf(params['*']), query)),
      {
        query: RegionQuery,
        auth: 'optional',
        cache: 30,
        bodies: answers(RegionBody, 400, 404, 429, 503),
        detail: {
          operationId: 'world.region',
          summary: 'The same of a topic, a group of topics, a series or a word',
        },
      },
    )
