import { Elysia } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import type { Logger } from '../../lib/logger.ts'
import { createWorldDelta } from './delta.service.ts'
import { deltaRoutes } from './delta.routes.ts'
import { createDeltas } from './deltas.ts'
import { feedRoutes } from './feed.routes.ts'
import { topicFeedRoutes } from './topic-feed.routes.ts'
import { createTopicFeed } from './topic-feed.service.ts'
import { createWorldStream } from './world-stream.ts'
import { createWorldTopics } from './world-topics.ts'
import type { WorldDeps } from './world.deps.ts'
import { worldRoutes } from './world.routes.ts'
import { createWorld } from './world.service.ts'

/** Reads and streams of the world. */
export function worldFeature(deps: WorldDeps & { readonly logger: Logger }) {
  const deltas = createDeltas(deps)
  const world = createWorld(deps)
  const topics = createWorldTopics(deps, world, deltas)
  const stream = createWorldStream({
    ...deps,
    deltas,
    async snapshot() {
      const worldSnapshot = await deps.context.world(null)
      const { data } = await world.current([], worldSnapshot)
      return { at: worldSnapshot.world.at, data }
    },
  })
  return {
    routes: new Elysia({ name: 'world', adapter })
      .use(feedRoutes({ ...deps, deltas, stream }))
      .use(deltaRoutes(createWorldDelta(deps, deltas)))
      .use(worldRoutes(world))
      .use(topicFeedRoutes(createTopicFeed(deps))),
    /** The world as socket topics. */
    topics,
    stream,
    /** Ends the streams. */
    close(): void {
      stream.close()
      topics.close()
    },
  }
}
