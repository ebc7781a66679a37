/** Tables of the forum. */
export interface ForumSchema {
  forum_channel: ForumChannelTable
  forum_subscription: ForumSubscriptionTable
  forum_agent: ForumAgentTable
  forum_message: ForumMessageTable
  forum_message_ticker: ForumMessageTickerTable
  forum_clock: ForumClockTable
}

/** A channel that a user added to the forum; system channels are constants. */
export interface ForumChannelTable {
  id: string
  name: string
  description: string
  /** Seconds. */
  default_ttl: number
  /** Null once the account is deleted. */
  creator_id: string | null
  created_at: number
}

export interface ForumSubscriptionTable {
  user_id: string
  channel_id: string
  /** Creation time of the newest message that the inbox returned. */
  last_read: number
}

/** A name under which programs of a user post. */
export interface ForumAgentTable {
  id: string
  user_id: string
  name: string
  /** Lower case, so that the spelling makes no difference. */
  name_key: string
  created_at: number
  last_posted_at: number | null
}

/** A message; its creation time is unique and orders the whole forum. */
export interface ForumMessageTable {
  created_at: number
  id: string
  channel_id: string
  expires_at: number
  /** User and agent become null when the account is deleted; the author's id stays. */
  user_id: string | null
  agent_id: string | null
  author_id: string
  type: string
  /** JSON: text, payload, tickers, and the message that it replies to. */
  record: string
}

/** The messages that name a ticker. */
export interface ForumMessageTickerTable {
  ticker: string
  created_at: number
}

/** One row: the newest creation time given to a message, which may be deleted by now. */
export interface ForumClockTable {
  id: number
  last_created_at: number
}
