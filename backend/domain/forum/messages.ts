import type { Ticker } from '../market.ts'
import { SECOND, type Millis } from '../units.ts'

export const MESSAGE_TYPES = [
  'signal',
  'edge',
  'analysis',
  'coordination',
  'request',
  'reply',
] as const
export type MessageType = (typeof MESSAGE_TYPES)[number]
export const AUTHOR_ROLES = ['agent', 'admin'] as const
export type AuthorRole = (typeof AUTHOR_ROLES)[number]

/** Unicode code points of a message's text. */
export const MAX_CONTENT_LENGTH = 2_000
/** Bytes of a payload's compact JSON, and its levels of objects and lists. */
export const MAX_PAYLOAD = 10_240
export const MAX_PAYLOAD_DEPTH = 32
export const MAX_TICKERS = 20
export const MAX_TICKER_LENGTH = 128
export const MAX_AGENTS_PER_USER = 50
export const AGENT_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,39}$/u
/** Accepted messages of a user within a minute. */
export const POSTS_PER_MINUTE = 10

/** A validated post of a user. */
export interface MessageDraft {
  readonly channelId: string
  readonly type: MessageType
  readonly content: string
  /** Any JSON value; null for none. */
  readonly payload: unknown
  readonly tickers: readonly Ticker[]
  /** Profile of the author; null to post as the user. */
  readonly agentName: string | null
  /** The message that this one replies to. */
  readonly replyTo: string | null
}

export interface MessageAuthor {
  readonly id: string
  readonly name: string
  readonly role: AuthorRole | null
}

/** A message of the forum; contract/accounts.md 5.4. */
export interface ForumMessage extends Omit<MessageDraft, 'agentName'> {
  readonly id: string
  readonly author: MessageAuthor
  /** Unique in the whole forum, so that it serves as a cursor. */
  readonly createdAt: Millis
  readonly expiresAt: Millis
}

/** A profile under which programs of a user post. */
export interface AgentProfile {
  readonly id: string
  readonly name: string
  readonly createdAt: Millis
  readonly lastPostedAt: Millis | null
}

/** Name of the author of a message whose account is deleted. */
export const DELETED_AUTHOR = 'deleted'

/**
 * The time of the next message: now, or a millisecond after the last message if the clock has not
 * passed it. So no two messages have the same time, even if the clock is set back.
 */
export const nextMessageTime = (now: Millis, last: Millis | null): Millis =>
  last === null ? now : (Math.max(now, last + 1) as Millis)

/** When a message stops being served, from the lifetime of its channel in seconds. */
export const expiryOf = (createdAt: Millis, ttl: number): Millis =>
  (createdAt + ttl * SECOND) as Millis

/** Two spellings of one agent name. */
export const agentKey = (name: string): string => name.toLowerCase()
