import { Elysia } from 'elysia'
import type { Static } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { callerOf } from '../../http/auth/auth.ts'
import { answers, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { NotFound } from '../../lib/errors.ts'
import { textAnswer } from './text-answer.ts'
import type { WorldAnswer } from './world-answer.ts'
import { RegionBody, RegionQuery, WorldBody, WorldQuery } from '../../contract/world.ts'
import type { WorldService } from './world.service.ts'

type Headers = { readonly headers: Record<string, string | number> }

/** The response in the requested form; a region has the time of its world. */
function formOf(set: Headers, format: 'markdown' | 'json', answer: WorldAnswer) {
  const asOf = 'asOf' in answer.body ? String(answer.body.asOf) : ''
  const lastModified = new Date(asOf).toUTCString()
  if (format === 'markdown') return textAnswer(answer.markdown(), { 'last-modified': lastModified })
  set.headers['last-modified'] = lastModified
  // The parts of a body are typed by operation where they are computed; tests check the whole.
  return answer.body as Static<typeof RegionBody>
}

/** Segments with routes of their own, which are never regions. */
const RESERVED_NAMES = new Set(['delta', 'feed'])

/** Decoded segments after `/world/`. */
function segmentsOf(rest: string): string[] {
  const segments = rest.split('/').map(decodeURIComponent)
  if (segments[0] !== undefined && RESERVED_NAMES.has(segments[0].toLowerCase())) {
    throw new NotFound('Not found')
  }
  return segments
}

const userOf = (request: Request): string | null => callerOf(request)?.userId ?? null
/** Known callers see their positions, which must be current. */
const PERSONAL = { seconds: 30, cached: 'anonymous' } as const

export const worldRoutes = (service: WorldService) =>
  new Elysia({ prefix: '/api/agent', tags: ['world'], adapter })
    .use(routePolicies)
    .get(
      '/world',
      async ({ query, request, set }) =>
        formOf(set, query.format, await service.world(query, userOf(request))),
      {
        query: WorldQuery,
        auth: 'optional',
        cache: PERSONAL,
        response: answers(orText(WorldBody, 'text/markdown'), 400, 404, 429, 503),
        detail: {
          operationId: 'world.read',
          summary: 'Overview in 800 tokens with links to follow; operations return details',
        },
      },
    )
    .get(
      '/world/*',
      async ({ params, query, request, set }) => {
        const segments = segmentsOf(params['*'])
        return formOf(set, query.format, await service.region(segments, query, userOf(request)))
      },
      {
        query: RegionQuery,
        auth: 'optional',
        cache: PERSONAL,
        response: answers(orText(RegionBody, 'text/markdown'), 400, 404, 429, 503),
        detail: {
          operationId: 'world.region',
          summary: 'The same for a topic, a group of topics, a series or a keyword',
          // Elysia cannot check a parameter named *.
          parameters: [
            {
              name: 'path',
              in: 'path',
              required: true,
              description: 'topic, group, series or keyword; / separates levels',
              schema: { type: 'string' },
            },
          ],
        },
      },
    )
