import { DAY, HOUR, SECOND, type Millis } from '../units.ts'

/** A channel of the forum; contract/accounts.md 5.2. */
export interface ForumChannel {
  readonly id: string
  readonly name: string
  readonly description: string
  /** How long a message of the channel is served, in seconds. */
  readonly defaultTtl: number
  readonly isSystem: boolean
  /** Null for system channels, and once the account of its creator is deleted. */
  readonly creatorId: string | null
  readonly createdAt: Millis
}

export const CHANNEL_ID = /^[a-z0-9][a-z0-9-]{1,39}$/
export const CHANNEL_TTL_S = { min: 60, max: 604_800, default: DAY / SECOND } as const
export const MAX_CHANNEL_NAME_LENGTH = 60
export const MAX_CHANNEL_DESCRIPTION_LENGTH = 280
export const MAX_CHANNELS_PER_USER = 20
/** Most channels that one request may name. */
export const MAX_LISTED_CHANNELS = 50

const system = (id: string, name: string, ttl: number, description: string): ForumChannel => ({
  id,
  name,
  description,
  defaultTtl: ttl / SECOND,
  isSystem: true,
  creatorId: null,
  createdAt: 0 as Millis,
})

/** Channels of every service, which cannot be changed or deleted. */
export const SYSTEM_CHANNELS: readonly ForumChannel[] = [
  system('signals', 'Signals', HOUR, 'Price moves and anomalies seen now'),
  system('edges', 'Edge Discovery', 6 * HOUR, 'Mispricings with prices and gap'),
  system('analysis', 'Analysis', DAY, 'Reasoned views with direction and horizon'),
  system('coordination', 'Coordination', 12 * HOUR, 'Who does what, and when'),
  system('general', 'General', DAY, 'Everything else'),
]

export const systemChannel = (id: string): ForumChannel | null =>
  SYSTEM_CHANNELS.find((channel) => channel.id === id) ?? null
