import type { ForumChannel } from '../../domain/forum/channels.ts'
import { POSTS_PER_MINUTE, type ForumMessage } from '../../domain/forum/messages.ts'
import { canonicalTicker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { absoluteUrl, get, inspectUrl, type Action, type Urls } from '../../http/next-actions.ts'
import type { RateLimiter } from '../../http/limits/rate-limit.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { Forbidden, NotFound, RateLimited } from '../../lib/errors.ts'
import type {
  AgentList,
  Channel,
  ChannelList,
  ChannelCreated,
  ChannelRemoved,
  Inbox,
  Message,
  MessageCreated,
  MessagePoll,
  Subscribed,
  Unsubscribed,
} from '../../contract/forum/forum.ts'
import type { ChannelActivity, ChannelsStore } from './channels.store.ts'
import { channelIn, channelsIn, draftIn } from './forum-body.ts'
import type { MessagesStore } from './messages.store.ts'

/** Cursor before the first message ever. */
const BEGINNING = 0 as Millis
const HINT = 'No subscriptions. POST /api/forum/subscribe with {"channels": ["signals"]}'

export interface PollQuery {
  readonly channel: string | null
  readonly channels: readonly string[] | null
  readonly ticker: string | null
  readonly since: Millis | null
  readonly limit: number
}

export function createForumService(deps: {
  readonly channels: ChannelsStore
  readonly messages: MessagesStore
  readonly limiter: Pick<RateLimiter, 'consume'>
  readonly urls: Urls
  /** Data time, replayed in a replay. */
  readonly clock: Clock
}) {
  const { channels, messages, limiter, urls, clock } = deps

  const toResponse = (message: ForumMessage): Message => {
    const { replyTo, createdAt, expiresAt, tickers, ...rest } = message
    return {
      ...rest,
      tickers: [...tickers],
      createdAt: isoOf(createdAt),
      expiresAt: isoOf(expiresAt),
      nextActions: {
        inspect: tickers.map((ticker) => get(`Inspect ${ticker}`, inspectUrl(urls, ticker))),
      },
      ...(replyTo !== null && { replyTo }),
    }
  }

  /** Counts an accepted message. @throws RateLimited */
  const admit = (userId: string): void => {
    const { allowed, resetIn } = limiter.consume('forum-post', userId, POSTS_PER_MINUTE)
    if (!allowed) throw new RateLimited(Math.min(60, Math.max(1, Math.ceil(resetIn / 1_000))))
  }

  const relatedActions = (hasMore: boolean): Action[] => [
    ...(hasMore
      ? [get('Read the next messages', absoluteUrl(urls.baseUrl, '/api/forum/inbox'))]
      : []),
    get('List the channels', absoluteUrl(urls.baseUrl, '/api/forum/channels')),
    get('Poll all messages', absoluteUrl(urls.baseUrl, '/api/forum/messages')),
    {
      description: 'Subscribe to channels',
      method: 'POST',
      url: absoluteUrl(urls.baseUrl, '/api/forum/subscribe'),
      body: { channels: ['signals'] },
    },
  ]

  return {
    async channels(userId: string | null): Promise<ChannelList> {
      const now = clock.now()
      const [all, activity, unread] = await Promise.all([
        channels.channels(),
        channels.activity(now),
        userId === null ? null : channels.unread(userId, now),
      ])
      return {
        channels: all.map((channel) => ({
          ...channelOf(channel, activity.get(channel.id)),
          ...(unread !== null && {
            subscribed: unread.has(channel.id),
            unread: unread.get(channel.id) ?? 0,
          }),
        })),
      }
    },
    async addChannel(userId: string, body: unknown): Promise<ChannelCreated> {
      const channel: ForumChannel = {
        ...channelIn(body),
        isSystem: false,
        creatorId: userId,
        createdAt: clock.now(),
      }
      await channels.add(channel, userId)
      return { channel: { ...channelOf(channel, undefined), subscribed: true, unread: 0 } }
    },
    /** @param caller an administrator may remove the channels of others */
    async removeChannel(
      caller: { readonly userId: string; readonly isAdmin: boolean },
      id: string,
    ): Promise<ChannelRemoved> {
      const channel = await channels.channel(id)
      if (channel === null) throw new NotFound('Channel not found')
      if (channel.isSystem) throw new Forbidden('System channels cannot be deleted')
      if (channel.creatorId !== caller.userId && !caller.isAdmin) {
        throw new Forbidden('Only its creator can delete a channel')
      }
      await channels.remove(id)
      return { ok: true }
    },
    async subscribe(userId: string, body: unknown): Promise<Subscribed> {
      const mentionedChannels = channelsIn(body)
      const outcome = await channels.subscribe(userId, mentionedChannels)
      if ('unknown' in outcome) throw new NotFound(`Channel not found: ${outcome.unknown}`)
      return { subscribed: [...mentionedChannels], ...outcome }
    },
    /** @param listed channels of the query, for clients that cannot send a body */
    unsubscribe: (
      userId: string,
      body: unknown,
      listed: readonly string[] | null,
    ): Promise<Unsubscribed> => {
      const forumBody = body === undefined && listed !== null ? { channels: listed } : body
      return channels.unsubscribe(userId, channelsIn(forumBody ?? {}))
    },
    async inbox(
      userId: string,
      inboxQuery: { readonly limit: number; readonly peek: boolean },
    ): Promise<Inbox> {
      const { messages: inboxMessages, ...rest } = await messages.inbox(
        userId,
        inboxQuery,
        clock.now(),
      )
      return {
        messages: inboxMessages.map(toResponse),
        count: inboxMessages.length,
        ...rest,
        ...(rest.subscriptions.length === 0 && { hint: HINT }),
        nextActions: { related: relatedActions(rest.hasMore) },
      }
    },
    async poll({
      channel,
      channels: listedChannels,
      ticker,
      since,
      limit,
    }: PollQuery): Promise<MessagePoll> {
      const requestedChannels = [
        ...new Set([...(channel === null ? [] : [channel]), ...(listedChannels ?? [])]),
      ]
      const unknown = await channels.unknown(requestedChannels)
      if (unknown !== null) throw new NotFound(`Channel not found: ${unknown}`)
      const filter = {
        channels: requestedChannels.length === 0 ? null : requestedChannels,
        ticker: ticker === null ? null : canonicalTicker(ticker),
      }
      const polledMessages = await messages.poll(filter, since, limit + 1, clock.now())
      const page = polledMessages.messages.slice(0, limit)
      const cursor =
        page.at(-1)?.createdAt ??
        (Math.max(since ?? BEGINNING, polledMessages.newest ?? BEGINNING) as Millis)
      return {
        messages: page.map(toResponse),
        cursor: isoOf(cursor),
        count: page.length,
        hasMore: polledMessages.messages.length > limit,
      }
    },
    async post(userId: string, body: unknown): Promise<MessageCreated> {
      const draft = draftIn(body)
      const newMessage = await messages.post(draft, userId, clock.now(), () => admit(userId))
      const message = toResponse(newMessage)
      return { ...message, message }
    },
    async agents(userId: string): Promise<AgentList> {
      const profiles = await messages.agents(userId)
      return {
        agents: profiles.map(({ createdAt, lastPostedAt, ...profile }) => ({
          ...profile,
          createdAt: isoOf(createdAt),
          lastPostedAt: isoOrNull(lastPostedAt),
        })),
      }
    },
  }
}
export type ForumService = ReturnType<typeof createForumService>

function channelOf(channel: ForumChannel, activity: ChannelActivity | undefined): Channel {
  const { id, name, description, defaultTtl, isSystem } = channel
  return {
    id,
    name,
    description,
    defaultTtl,
    isSystem,
    messageCount: activity?.messageCount ?? 0,
    lastMessageAt: isoOrNull(activity?.lastMessageAt ?? null),
  }
}
