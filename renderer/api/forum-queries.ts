import type { ChannelList, MessagePoll } from '../../backend/contract/forum/forum.ts'
import { USER_QUERY } from './user-query.ts'
import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000

/** Channels of the forum with the user's unread counts. */
export const forumChannels: PolledQuery<ChannelList> = {
  path: pathOf('/api/forum/channels'),
  ...USER_QUERY,
  interval: 10 * SECOND,
}

/** The messages of a channel, or of all channels the user may read. */
export const forumMessages = (channel: string | null): PolledQuery<MessagePoll> => ({
  path: pathOf('/api/forum/messages', { channel, limit: 200 }),
  ...USER_QUERY,
  interval: 10 * SECOND,
})
