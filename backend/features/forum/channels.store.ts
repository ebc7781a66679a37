import {
  MAX_CHANNELS_PER_USER,
  systemChannel,
  SYSTEM_CHANNELS,
  type ForumChannel,
} from '../../domain/forum/channels.ts'
import type { Millis } from '../../domain/units.ts'
import { AuthInvalid, Conflict } from '../../lib/errors.ts'
import type { State } from '../../state/open.ts'
import type { ForumChannelTable } from '../../state/forum-schema.ts'

/** Messages of a channel that are served now. */
export interface ChannelActivity {
  readonly messageCount: number
  readonly lastMessageAt: Millis | null
}

const channelOf = (row: ForumChannelTable): ForumChannel => ({
  id: row.id,
  name: row.name,
  description: row.description,
  defaultTtl: row.default_ttl,
  isSystem: false,
  creatorId: row.creator_id,
  createdAt: row.created_at as Millis,
})

/** The channel of an id; null for an unknown one. */
export async function channelWith(state: State, id: string): Promise<ForumChannel | null> {
  const channel = systemChannel(id)
  if (channel !== null) return channel
  const row = await state
    .selectFrom('forum_channel')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : channelOf(row)
}

async function unknownChannel(state: State, ids: readonly string[]): Promise<string | null> {
  const addedChannels = ids.filter((id) => systemChannel(id) === null)
  if (addedChannels.length === 0) return null
  const rows = await state
    .selectFrom('forum_channel')
    .select('id')
    .where('id', 'in', addedChannels)
    .execute()
  const channelIds = new Set(rows.map(({ id }) => id))
  return addedChannels.find((id) => !channelIds.has(id)) ?? null
}

const subscriptionsOf = async (state: State, userId: string): Promise<string[]> => {
  const rows = await state
    .selectFrom('forum_subscription')
    .select('channel_id')
    .where('user_id', '=', userId)
    .orderBy('channel_id')
    .execute()
  return rows.map(({ channel_id: id }) => id)
}

const subscribe = async (
  state: State,
  userId: string,
  channels: readonly string[],
): Promise<void> => {
  const rows = channels.map((id) => ({ user_id: userId, channel_id: id, last_read: 0 }))
  await state
    .insertInto('forum_subscription')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** @throws AuthInvalid if the account was deleted while the request ran */
export async function accountOf(state: State, userId: string) {
  const account = await state
    .selectFrom('account')
    .select(['name', 'is_admin'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (account === undefined) throw new AuthInvalid()
  return account
}

/** Channels of the forum and the subscriptions to them. */
export function createChannelsStore(state: State) {
  return {
    channel: (id: string): Promise<ForumChannel | null> => channelWith(state, id),
    /** The first of these ids that is no channel; null if all are. */
    unknown: (ids: readonly string[]): Promise<string | null> => unknownChannel(state, ids),
    /** System channels in their order, then those of users, oldest first. */
    async channels(): Promise<ForumChannel[]> {
      const rows = await state
        .selectFrom('forum_channel')
        .selectAll()
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return [...SYSTEM_CHANNELS, ...rows.map(channelOf)]
    },
    /** Activity by channel; channels without a message are absent. */
    async activity(now: Millis): Promise<ReadonlyMap<string, ChannelActivity>> {
      const rows = await state
        .selectFrom('forum_message')
        .select(({ fn }) => [
          'channel_id',
          fn.countAll<number>().as('count'),
          fn.max<number>('created_at').as('last'),
        ])
        .where('expires_at', '>', now)
        .groupBy('channel_id')
        .execute()
      return new Map(
        rows.map(({ channel_id: id, count, last }) => [
          id,
          { messageCount: count, lastMessageAt: last as Millis },
        ]),
      )
    },
    /** Unread messages of others, by subscribed channel. */
    async unread(userId: string, now: Millis): Promise<ReadonlyMap<string, number>> {
      const rows = await state
        .selectFrom('forum_subscription as subscription')
        .leftJoin('forum_message as message', (join) =>
          join
            .onRef('message.channel_id', '=', 'subscription.channel_id')
            .onRef('message.created_at', '>', 'subscription.last_read')
            .on('message.expires_at', '>', now)
            .on((joinBuilder) =>
              joinBuilder.or([
                joinBuilder('message.user_id', 'is', null),
                joinBuilder('message.user_id', '<>', userId),
              ]),
            ),
        )
        .select(({ fn }) => [
          'subscription.channel_id',
          fn.count<number>('message.created_at').as('count'),
        ])
        .where('subscription.user_id', '=', userId)
        .groupBy('subscription.channel_id')
        .execute()
      return new Map(rows.map(({ channel_id: id, count }) => [id, count]))
    },
    /** Adds a channel, to which its creator is subscribed. @throws Conflict, AuthInvalid */
    add: (channel: ForumChannel, creatorId: string): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await accountOf(transaction, creatorId)
        if ((await channelWith(transaction, channel.id)) !== null) {
          throw new Conflict('Channel already exists')
        }
        const { count } = await transaction
          .selectFrom('forum_channel')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('creator_id', '=', creatorId)
          .executeTakeFirstOrThrow()
        if (count >= MAX_CHANNELS_PER_USER) {
          throw new Conflict(`At most ${MAX_CHANNELS_PER_USER} channels per user`, 'CHANNEL_LIMIT')
        }
        await transaction
          .insertInto('forum_channel')
          .values({
            id: channel.id,
            name: channel.name,
            description: channel.description,
            default_ttl: channel.defaultTtl,
            creator_id: creatorId,
            created_at: channel.createdAt,
          })
          .execute()
        await subscribe(transaction, creatorId, [channel.id])
      }),
    /** Removes a channel with its messages and subscriptions. */
    remove: (id: string): Promise<void> =>
      state.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('forum_message').where('channel_id', '=', id).execute()
        await transaction.deleteFrom('forum_subscription').where('channel_id', '=', id).execute()
        await transaction.deleteFrom('forum_channel').where('id', '=', id).execute()
      }),
    subscriptions: (userId: string): Promise<string[]> => subscriptionsOf(state, userId),
    /**
     * Subscribes to all of these channels or to none; what is served now is unread in a new
     * subscription.
     * @returns all subscriptions, or the first unknown channel
     */
    subscribe: (
      userId: string,
      channels: readonly string[],
    ): Promise<{ readonly subscriptions: string[] } | { readonly unknown: string }> =>
      state.transaction().execute(async (transaction) => {
        const unknown = await unknownChannel(transaction, channels)
        if (unknown !== null) return { unknown }
        await accountOf(transaction, userId)
        await subscribe(transaction, userId, channels)
        return { subscriptions: await subscriptionsOf(transaction, userId) }
      }),
    /** Ends subscriptions; channels without one are passed over. */
    unsubscribe: (
      userId: string,
      channels: readonly string[],
    ): Promise<{ readonly unsubscribed: string[]; readonly subscriptions: string[] }> =>
      state.transaction().execute(async (transaction) => {
        const previous = new Set(await subscriptionsOf(transaction, userId))
        await transaction
          .deleteFrom('forum_subscription')
          .where('user_id', '=', userId)
          .where('channel_id', 'in', channels)
          .execute()
        return {
          unsubscribed: channels.filter((id) => previous.has(id)),
          subscriptions: await subscriptionsOf(transaction, userId),
        }
      }),
  }
}
export type ChannelsStore = ReturnType<typeof createChannelsStore>
