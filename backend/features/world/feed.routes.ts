import { Elysia, t } from 'elysia'
import { prefersEvents } from '../../http/request/accept.ts'
import { adapter } from '../../http/adapter.ts'
import * as param from '../../contract/params.ts'
import { peerOf } from '../../http/limits/peer.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, text } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { Millis } from '../../domain/units.ts'
import { DAY } from '../../domain/units.ts'
import { ATOM, atomFeed } from './atom.ts'
import type { Deltas } from './deltas.ts'
import { textAnswer } from './text-answer.ts'
import type { WorldDeps } from './world.deps.ts'
import type { WorldStream } from './world-stream.ts'

const ENTRIES = 20
const Feed = t.Union([text(ATOM), text('text/event-stream')], {
  description: 'the feed, or events `snapshot`, `delta`, `reset` and `error`',
})
/** How long snapshots are kept. */
const MAX_SPAN = 90 * DAY

export const feedRoutes = ({
  deltas,
  stream,
  clock,
  urls,
}: Pick<WorldDeps, 'clock' | 'urls'> & {
  readonly deltas: Deltas
  readonly stream: WorldStream
}) =>
  new Elysia({ prefix: '/api/agent', tags: ['world'], adapter }).use(routePolicies).get(
    '/world/feed',
    async ({ request, query: feedQuery }) => {
      const { headers } = request
      if (prefersEvents(headers.get('accept'), ATOM)) {
        const lastId = headers.get('last-event-id') ?? feedQuery.lastEventId
        return new Response(stream.open(peerOf(request), lastId), {
          headers: {
            'content-type': 'text/event-stream',
            'cache-control': 'no-store',
            'x-accel-buffering': 'no',
            vary: 'Origin, Accept',
          },
        })
      }
      const now = clock.now()
      const storedSnapshots = await deltas.storedBetween((now - MAX_SPAN) as Millis, now, ENTRIES)
      const newest = storedSnapshots.at(-1)?.at
      return textAnswer(
        atomFeed(storedSnapshots.toReversed(), now, urls),
        newest === undefined ? {} : { 'last-modified': new Date(newest).toUTCString() },
        `${ATOM}; charset=utf-8`,
      )
    },
    {
      query: query({
        lastEventId: param.text('replaces the Last-Event-ID header of a stream'),
      }),
      auth: 'none',
      cache: { seconds: 60, byAccept: true, streamsInsteadOf: ATOM },
      response: answers(Feed, 429),
      detail: {
        operationId: 'world.feed',
        summary: 'The newest snapshots as Atom, or each change as server-sent events',
      },
    },
  )
