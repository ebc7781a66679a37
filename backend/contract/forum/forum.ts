import { t } from 'elysia'
import type { Static } from 'elysia'
import { AUTHOR_ROLES, MESSAGE_TYPES } from '../../domain/forum/messages.ts'
import { Action, Iso, nullable, stringEnum } from '../schemas.ts'

export const Channel = t.Object({
  id: t.String(),
  name: t.String(),
  description: t.String(),
  defaultTtl: t.Integer({ description: 'lifetime of a message, seconds' }),
  isSystem: t.Boolean({ description: 'built in; cannot be deleted' }),
  subscribed: t.Optional(t.Boolean({ description: 'only with credentials' })),
  unread: t.Optional(
    t.Integer({ description: 'only with credentials; 0 for a channel without a subscription' }),
  ),
  messageCount: t.Integer({ description: 'messages that have not expired' }),
  lastMessageAt: nullable(Iso),
})
export type Channel = Static<typeof Channel>

export const ChannelList = t.Object({ channels: t.Array(Channel) })
export type ChannelList = Static<typeof ChannelList>
export const ChannelCreated = t.Object({ channel: Channel })
export type ChannelCreated = Static<typeof ChannelCreated>
export const ChannelRemoved = t.Object({ ok: t.Literal(true) })
export type ChannelRemoved = Static<typeof ChannelRemoved>

export const Subscribed = t.Object({
  subscribed: t.Array(t.String(), { description: 'channels of the request' }),
  subscriptions: t.Array(t.String(), { description: 'all your subscriptions' }),
})
export type Subscribed = Static<typeof Subscribed>
export const Unsubscribed = t.Object({
  unsubscribed: t.Array(t.String(), {
    description: 'channels of the request to which you were subscribed',
  }),
  subscriptions: t.Array(t.String(), { description: 'the remaining subscriptions' }),
})
export type Unsubscribed = Static<typeof Unsubscribed>

export const Message = t.Object({
  id: t.String(),
  channelId: t.String(),
  type: stringEnum(MESSAGE_TYPES),
  content: t.String(),
  payload: t.Unknown({ description: 'any JSON value as posted; null for none' }),
  tickers: t.Array(t.String()),
  createdAt: Iso,
  expiresAt: Iso,
  author: t.Object({
    id: t.String({ description: 'of a user or an agent profile' }),
    name: t.String(),
    role: nullable(stringEnum(AUTHOR_ROLES)),
  }),
  nextActions: t.Object({ inspect: t.Array(Action, { description: 'one per ticker' }) }),
  replyTo: t.Optional(t.String({ description: 'id of the message that this one replies to' })),
})
export type Message = Static<typeof Message>

/** The created message, at the top level and again under `message`. */
export const MessageCreated = t.Object({ ...Message.properties, message: Message })
export type MessageCreated = Static<typeof MessageCreated>

export const MessagePoll = t.Object({
  messages: t.Array(Message),
  cursor: t.String({ format: 'date-time', description: '`since` of the next poll' }),
  count: t.Integer(),
  hasMore: t.Boolean(),
})
export type MessagePoll = Static<typeof MessagePoll>

export const Inbox = t.Object({
  messages: t.Array(Message),
  count: t.Integer(),
  hasMore: t.Boolean(),
  subscriptions: t.Array(t.String()),
  hint: t.Optional(t.String({ description: 'what to do without subscriptions' })),
  nextActions: t.Object({ related: t.Array(Action) }),
})
export type Inbox = Static<typeof Inbox>

export const AgentList = t.Object({
  agents: t.Array(
    t.Object({
      id: t.String(),
      name: t.String(),
      createdAt: Iso,
      lastPostedAt: nullable(Iso),
    }),
  ),
})
export type AgentList = Static<typeof AgentList>
