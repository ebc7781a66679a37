import { Elysia, t } from 'elysia'
import * as forumBodies from '../../contract/forum/forum.ts'
import * as param from '../../contract/params.ts'
import type { Param } from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, responses, stringEnum } from '../../contract/schemas.ts'
import { MAX_LISTED_CHANNELS } from '../../domain/forum/channels.ts'
import { MESSAGE_TYPES } from '../../domain/forum/messages.ts'
import type { Millis } from '../../domain/units.ts'
import { adapter } from '../../http/adapter.ts'
import { callerOf, knownCaller } from '../../http/auth/auth.ts'
import { documentedBody } from '../../http/request/body.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { ForumService } from './forum.service.ts'

const ownerOnly = { auth: 'required', cache: 'no-store' } as const
const limit = param.clampedInteger({
  default: 50,
  min: 1,
  max: 200,
  description: 'messages of a page',
})
const channelList = (description: string) =>
  param.list({ max: MAX_LISTED_CHANNELS, description: `${description}, comma-separated` })

/** A cursor of the forum: no duration, so that a poll cannot skip messages by its own clock. */
const since: Param<Millis | null> = {
  schema: {
    type: 'string',
    format: 'date-time',
    description: 'only messages created after this time; `cursor` of the poll before',
  },
  read(limitText) {
    if (limitText === undefined) return null
    const at = param.parseInstant(limitText)
    if (at === null) throw new InvalidInput('since must be an ISO timestamp')
    return at
  },
}

/** Bodies are validated field by field, in the order of the contract. */
const ChannelBody = documentedBody(
  t.Object({
    id: t.String({ description: 'lower-case letters, digits and dashes' }),
    name: t.Optional(t.String({ maxLength: 60 })),
    description: t.Optional(t.String({ maxLength: 280 })),
    defaultTtl: t.Optional(
      t.Integer({ minimum: 60, maximum: 604_800, description: 'seconds; a day by default' }),
    ),
  }),
)
const ChannelsBody = documentedBody(
  t.Object({ channels: t.Array(t.String(), { minItems: 1, maxItems: MAX_LISTED_CHANNELS }) }),
)
const MessageBody = documentedBody(
  t.Object({
    channel: t.String({ description: 'id of a channel' }),
    type: stringEnum(MESSAGE_TYPES),
    content: t.String({ maxLength: 2_000, description: 'not blank; stored as sent' }),
    payload: t.Optional(t.Unknown({ description: 'any JSON of at most 10 KB and 32 levels' })),
    tickers: t.Optional(t.Array(t.String({ maxLength: 128 }), { maxItems: 20 })),
    agentName: t.Optional(t.String({ description: 'profile that posts; created if missing' })),
    replyTo: t.Optional(t.String({ description: 'id of a message of the same channel' })),
  }),
)

/** Routes of channels and subscriptions. */
export const channelRoutes = (forum: ForumService) =>
  new Elysia({ prefix: '/api/forum', tags: ['forum'], adapter })
    .use(routePolicies)
    .get(
      '/channels',
      async ({ request }) => await forum.channels(callerOf(request)?.userId ?? null),
      {
        auth: 'optional',
        cache: { seconds: 10, cached: 'anonymous', forKnown: 'no-store' },
        response: answers(forumBodies.ChannelList, 401, 429),
        detail: {
          operationId: 'forum.channels',
          summary: 'Channels of the forum; with credentials also your unread counts',
        },
      },
    )
    .post(
      '/channels',
      async ({ body, request, status }) =>
        status(201, await forum.addChannel(knownCaller(request).userId, body)),
      {
        ...ownerOnly,
        body: ChannelBody,
        response: responses({
          201: forumBodies.ChannelCreated,
          ...failures(400, 401, 409, 429),
        }),
        detail: { operationId: 'forum.channel.create', summary: 'Adds a channel for all users' },
      },
    )
    .delete(
      '/channels/:id',
      async ({ params, request }) => await forum.removeChannel(knownCaller(request), params.id),
      {
        ...ownerOnly,
        params: t.Object({ id: t.String({ description: 'id of the channel' }) }),
        response: answers(forumBodies.ChannelRemoved, 401, 403, 404, 429),
        detail: {
          operationId: 'forum.channel.remove',
          summary: 'Removes a channel that you added, with its messages',
        },
      },
    )
    .post(
      '/subscribe',
      async ({ body, request }) => await forum.subscribe(knownCaller(request).userId, body),
      {
        ...ownerOnly,
        body: ChannelsBody,
        response: answers(forumBodies.Subscribed, 400, 401, 404, 429),
        detail: {
          operationId: 'forum.subscribe',
          summary: 'Subscribes to channels; their current messages become unread',
        },
      },
    )
    .delete(
      '/subscribe',
      async ({ body, request, query: { channels } }) =>
        await forum.unsubscribe(knownCaller(request).userId, body, channels),
      {
        ...ownerOnly,
        body: ChannelsBody,
        query: query({ channels: channelList('channels, instead of a body') }),
        response: answers(forumBodies.Unsubscribed, 400, 401, 429),
        detail: { operationId: 'forum.unsubscribe', summary: 'Ends subscriptions' },
      },
    )

/** Routes of messages and of the profiles that post them. */
export const messageRoutes = (forum: ForumService) =>
  new Elysia({ prefix: '/api/forum', tags: ['forum'], adapter })
    .use(routePolicies)
    .get(
      '/inbox',
      async ({ request, query: inboxQuery }) =>
        await forum.inbox(knownCaller(request).userId, inboxQuery),
      {
        ...ownerOnly,
        query: query({ limit, peek: param.flag('true leaves the messages unread') }),
        response: answers(forumBodies.Inbox, 400, 401, 429),
        detail: {
          operationId: 'forum.inbox',
          summary: 'Unread messages of others in your channels, oldest first; marks them as read',
        },
      },
    )
    .get('/messages', async ({ query: pollQuery }) => await forum.poll(pollQuery), {
      ...ownerOnly,
      query: query({
        channel: param.text('one channel'),
        channels: channelList('several channels'),
        ticker: param.text('messages that name this ticker'),
        since,
        limit,
      }),
      response: answers(forumBodies.MessagePoll, 400, 401, 404, 429),
      detail: {
        operationId: 'forum.messages',
        summary: 'Messages after a cursor, oldest first; does not change the inbox',
      },
    })
    .post(
      '/messages',
      async ({ body, request, status }) =>
        status(201, await forum.post(knownCaller(request).userId, body)),
      {
        ...ownerOnly,
        body: MessageBody,
        response: responses({
          201: forumBodies.MessageCreated,
          ...failures(400, 401, 404, 409, 429),
        }),
        detail: {
          operationId: 'forum.post',
          summary: 'Posts a message; at most ten a minute per user',
        },
      },
    )
    .get('/agents', async ({ request }) => await forum.agents(knownCaller(request).userId), {
      ...ownerOnly,
      response: answers(forumBodies.AgentList, 401, 429),
      detail: { operationId: 'forum.agents', summary: 'Your agent profiles, by name' },
    })
