import {
  agentKey,
  DELETED_AUTHOR,
  expiryOf,
  MAX_AGENTS_PER_USER,
  nextMessageTime,
  type AgentProfile,
  type ForumMessage,
  type MessageDraft,
  type MessageType,
} from '../../domain/forum/messages.ts'
import type { Ticker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { Conflict, NotFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { State } from '../../state/open.ts'
import { accountOf, channelWith } from './channels.store.ts'

/** Which messages a poll reads. */
export interface MessageFilter {
  /** Null for all channels. */
  readonly channels: readonly string[] | null
  readonly ticker: Ticker | null
}

/** The part of a message that is stored as JSON. */
type MessageRecord = Pick<ForumMessage, 'content' | 'payload' | 'tickers' | 'replyTo'>

/** A range of messages, each channel with its own start. */
interface MessageRange {
  readonly channel: string | null
  readonly after: Millis | null
  readonly ticker: Ticker | null
  /** Messages of this user are left out. */
  readonly notBy: string | null
  readonly now: Millis
  readonly max: number
}

const CLOCK = 1

const newestTime = async (state: State): Promise<Millis | null> => {
  const row = await state
    .selectFrom('forum_clock')
    .select('last_created_at')
    .where('id', '=', CLOCK)
    .executeTakeFirst()
  return row === undefined ? null : (row.last_created_at as Millis)
}

const messagesIn = async (
  state: State,
  { channel, after, ticker, notBy, now, max }: MessageRange,
): Promise<ForumMessage[]> => {
  let query = state
    .selectFrom('forum_message as message')
    .leftJoin('account', 'account.id', 'message.user_id')
    .leftJoin('forum_agent as agent', 'agent.id', 'message.agent_id')
    .select([
      'message.created_at',
      'message.id',
      'message.channel_id',
      'message.expires_at',
      'message.author_id',
      'message.type',
      'message.record',
      'account.name as user_name',
      'account.is_admin',
      'agent.name as agent_name',
    ])
    .where('message.expires_at', '>', now)
  if (channel !== null) query = query.where('message.channel_id', '=', channel)
  if (after !== null) query = query.where('message.created_at', '>', after)
  if (ticker !== null) {
    query = query.where('message.created_at', 'in', (eb) => {
      const channelMatch = eb
        .selectFrom('forum_message_ticker')
        .select('created_at')
        .where('ticker', '=', ticker)
      return after === null ? channelMatch : channelMatch.where('created_at', '>', after)
    })
  }
  if (notBy !== null) {
    query = query.where((eb) =>
      eb.or([eb('message.user_id', 'is', null), eb('message.user_id', '<>', notBy)]),
    )
  }
  const rows = await query.orderBy('message.created_at').limit(max).execute()
  return rows.map((row) => {
    const record = JSON.parse(row.record) as MessageRecord
    const isAgent = row.author_id.startsWith('agt_')
    return {
      id: row.id,
      channelId: row.channel_id,
      type: row.type as MessageType,
      ...record,
      createdAt: row.created_at as Millis,
      expiresAt: row.expires_at as Millis,
      author: {
        id: row.author_id,
        name: (isAgent ? row.agent_name : row.user_name) ?? DELETED_AUTHOR,
        role: isAgent ? 'agent' : row.is_admin === 1 ? 'admin' : null,
      },
    }
  })
}

/** The oldest messages of several ranges. Each is read by its index, so a page costs its size. */
const oldestOf = async (
  state: State,
  ranges: readonly MessageRange[],
  max: number,
): Promise<ForumMessage[]> => {
  const collectedMessages: ForumMessage[] = []
  for (const range of ranges) collectedMessages.push(...(await messagesIn(state, range)))
  return collectedMessages.toSorted((left, right) => left.createdAt - right.createdAt).slice(0, max)
}

/** The caller's profile of a name; created if it is missing. @throws Conflict AGENT_LIMIT */
const agentFor = async (state: State, userId: string, name: string, now: Millis) => {
  const existingMessage = await state
    .selectFrom('forum_agent')
    .select(['id', 'name'])
    .where('user_id', '=', userId)
    .where('name_key', '=', agentKey(name))
    .executeTakeFirst()
  if (existingMessage !== undefined) return existingMessage
  const { count } = await state
    .selectFrom('forum_agent')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (count >= MAX_AGENTS_PER_USER) {
    throw new Conflict(`At most ${MAX_AGENTS_PER_USER} agent profiles per user`, 'AGENT_LIMIT')
  }
  const agent = { id: newId('agt', now), name }
  await state
    .insertInto('forum_agent')
    .values({
      ...agent,
      user_id: userId,
      name_key: agentKey(name),
      created_at: now,
      last_posted_at: null,
    })
    .execute()
  return agent
}

/** Messages of the forum and the profiles of their authors. */
export function createMessagesStore(state: State) {
  return {
    /**
     * Adds a message. Its time is assigned inside the transaction, so that times are given in the
     * order in which messages become visible, and a cursor passes none.
     * @param admit called as the last check; what it throws undoes everything
     * @throws NotFound, Conflict, AuthInvalid
     */
    post: (
      draft: MessageDraft,
      userId: string,
      now: Millis,
      admit: () => void,
    ): Promise<ForumMessage> =>
      state.transaction().execute(async (transaction) => {
        const channel = await channelWith(transaction, draft.channelId)
        if (channel === null) throw new NotFound('Channel not found')
        if (draft.replyTo !== null) {
          const parent = await transaction
            .selectFrom('forum_message')
            .select('id')
            .where('id', '=', draft.replyTo)
            .where('channel_id', '=', channel.id)
            .where('expires_at', '>', now)
            .executeTakeFirst()
          if (parent === undefined) throw new NotFound('Message not found')
        }
        const account = await accountOf(transaction, userId)
        const agent =
          draft.agentName === null
            ? null
            : await agentFor(transaction, userId, draft.agentName, now)
        admit()
        const createdAt = nextMessageTime(now, await newestTime(transaction))
        await transaction
          .insertInto('forum_clock')
          .values({ id: CLOCK, last_created_at: createdAt })
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet({ last_created_at: createdAt }),
          )
          .execute()
        const { content, payload, tickers, replyTo } = draft
        const author =
          agent === null
            ? { id: userId, name: account.name, role: isAdmin(account) ? ('admin' as const) : null }
            : { ...agent, role: 'agent' as const }
        const message: ForumMessage = {
          id: newId('msg', createdAt),
          channelId: channel.id,
          type: draft.type,
          content,
          payload,
          tickers,
          replyTo,
          createdAt,
          expiresAt: expiryOf(createdAt, channel.defaultTtl),
          author,
        }
        const record: MessageRecord = { content, payload, tickers, replyTo }
        await transaction
          .insertInto('forum_message')
          .values({
            created_at: createdAt,
            id: message.id,
            channel_id: channel.id,
            expires_at: message.expiresAt,
            user_id: userId,
            agent_id: agent?.id ?? null,
            author_id: author.id,
            type: draft.type,
            record: JSON.stringify(record),
          })
          .execute()
        if (tickers.length > 0) {
          await transaction
            .insertInto('forum_message_ticker')
            .values(tickers.map((ticker) => ({ ticker, created_at: createdAt })))
            .execute()
        }
        if (agent !== null) {
          await transaction
            .updateTable('forum_agent')
            .set({ last_posted_at: createdAt })
            .where('id', '=', agent.id)
            .execute()
        }
        return message
      }),
    /**
     * The oldest messages after a time, and the newest time given to any message when they were
     * read. One transaction, so that no message appears between the reads of two channels.
     */
    poll: (
      { channels, ticker }: MessageFilter,
      after: Millis | null,
      max: number,
      now: Millis,
    ): Promise<{ readonly messages: ForumMessage[]; readonly newest: Millis | null }> =>
      state.transaction().execute(async (transaction) => {
        const ranges = (channels ?? [null]).map((channel) => ({
          channel,
          after,
          ticker,
          notBy: null,
          now,
          max,
        }))
        const messages = await oldestOf(transaction, ranges, max)
        return { messages, newest: await newestTime(transaction) }
      }),
    /**
     * The oldest unread messages of others in the subscribed channels. Unless peeking, the same
     * transaction marks them as read, so that of two readers one gets each message.
     */
    inbox: (
      userId: string,
      { limit, peek }: { readonly limit: number; readonly peek: boolean },
      now: Millis,
    ): Promise<{
      readonly messages: ForumMessage[]
      readonly hasMore: boolean
      readonly subscriptions: string[]
    }> =>
      state.transaction().execute(async (transaction) => {
        const subscriptionRows = await transaction
          .selectFrom('forum_subscription')
          .select(['channel_id', 'last_read'])
          .where('user_id', '=', userId)
          .orderBy('channel_id')
          .execute()
        const ranges = subscriptionRows.map(({ channel_id: channel, last_read: lastRead }) => ({
          channel,
          after: lastRead as Millis,
          ticker: null,
          notBy: userId,
          now,
          max: limit + 1,
        }))
        const oldestMessages = await oldestOf(transaction, ranges, limit + 1)
        const messages = oldestMessages.slice(0, limit)
        const hasMore = oldestMessages.length > limit
        const until = hasMore ? (messages.at(-1)?.createdAt ?? null) : await newestTime(transaction)
        if (!peek && until !== null) {
          await transaction
            .updateTable('forum_subscription')
            .set({ last_read: until })
            .where('user_id', '=', userId)
            .where('last_read', '<', until)
            .execute()
        }
        return {
          messages,
          hasMore,
          subscriptions: subscriptionRows.map(({ channel_id: id }) => id),
        }
      }),
    /** The profiles of a user by name. */
    async agents(userId: string): Promise<AgentProfile[]> {
      const rows = await state
        .selectFrom('forum_agent')
        .select(['id', 'name', 'created_at', 'last_posted_at'])
        .where('user_id', '=', userId)
        .orderBy('name_key')
        .execute()
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        createdAt: row.created_at as Millis,
        lastPostedAt: row.last_posted_at as Millis | null,
      }))
    },
    /** Deletes messages that are no longer served. */
    async removeExpired(now: Millis): Promise<void> {
      await state.deleteFrom('forum_message').where('expires_at', '<=', now).execute()
    },
  }
}
export type MessagesStore = ReturnType<typeof createMessagesStore>

const isAdmin = (account: { readonly is_admin: number }): boolean => account.is_admin === 1
