import { Elysia, t } from 'elysia'
import { adapter } from '../../http/adapter.ts'
import { answers, failures, responses, orText } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { textAnswer } from './text-answer.ts'
import { TopicFeed, TopicFeedQuery } from '../../contract/world-changes.ts'
import type { TopicFeedService } from './topic-feed.service.ts'

export const topicFeedRoutes = (service: TopicFeedService) =>
  new Elysia({ prefix: '/api/agent', tags: ['world'], adapter })
    .use(routePolicies)
    .get(
      '/feed/:topic',
      async ({ params, query, set }) => {
        const feed = await service.feed(params.topic, query)
        const [newest] = feed.items
        const lastModified =
          newest === undefined ? {} : { 'last-modified': new Date(newest.at).toUTCString() }
        if (query.format === 'markdown') return textAnswer(feed.markdown, lastModified)
        Object.assign(set.headers, lastModified)
        return feed
      },
      {
        params: t.Object({ topic: t.String({ description: 'topic or group' }) }),
        query: TopicFeedQuery,
        auth: 'optional',
        cache: 30,
        response: answers(orText(TopicFeed, 'text/markdown'), 400, 429, 503),
        detail: { operationId: 'topic.feed', summary: 'News and changes of a topic, newest first' },
      },
    )
    .get(
      '/feed',
      () => {
        throw new InvalidInput('topic required')
      },
      {
        auth: 'optional',
        cache: 'no-store',
        response: responses(failures(400, 429)),
        detail: { operationId: 'feed.none', summary: 'Error: a topic is required' },
      },
    )
