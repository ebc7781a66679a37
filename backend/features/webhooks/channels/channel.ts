import type { AlertChannel } from '../../../domain/alerts/alert-rule.ts'
import type { AttemptResult } from '../../../domain/webhooks/delivery.ts'
import { SECOND } from '../../../domain/units.ts'

/** Time limit of one attempt. */
export const ATTEMPT_TIME = 10 * SECOND

/** Channels that send a text to a person. */
export type MessageChannel = Extract<AlertChannel, 'email' | 'telegram'>

/** A text for a person, as the body of its delivery holds it. */
export interface Message {
  /** Email address, or id of a chat. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Sends one message; it never rejects. */
export type SendMessage = (message: Message, signal: AbortSignal) => Promise<AttemptResult>

/** The channels that the service has settings for. */
export type MessageChannels = Readonly<Partial<Record<MessageChannel, SendMessage>>>
