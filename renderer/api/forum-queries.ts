import type { ChannelList } from '../../backend/contract/forum/forum.ts'
import { pathOf } from './path.ts'
import type { PolledQuery } from './source.svelte.ts'

const SECOND = 1_000

/** Channels of the forum with the user's unread counts. */
export const forumChannels: PolledQuery<ChannelList> = {
  path: pathOf('/api/forum/channels'),
  isOwn: true,
  cadence: 60 * SECOND,
  timeOf: (_body: object, answeredAt: string): string => answeredAt,
  every: 10 * SECOND,
}
