import type { Delivery } from '../../domain/webhooks/delivery.ts'
import type { OutgoingEvent } from '../../domain/webhooks/payload.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { PerUserQueue } from '../../lib/per-user-queue.ts'
import type { EventOutbox, RuleTarget } from '../../state/event-outbox.ts'
import type { State } from '../../state/open.ts'
import { createRepeatedWrites, type AnswerSeal } from '../../state/repeated-writes.ts'
import type { MessageChannels } from './channels/channel.ts'
import { createSendEmail, type SmtpSettings } from './channels/email.ts'
import { createSendTelegram, type TelegramSettings } from './channels/telegram.ts'
import { DeliveryQueue } from './delivery-queue.ts'
import { createUrlPolicy } from './url-policy.ts'
import { createSendWebhook, type SendWebhook } from './webhook-request.ts'
import { endpointDeliveryRoutes, endpointRoutes } from './webhooks.routes.ts'
import { secretsOf } from './endpoint-secrets.ts'
import { createThesisEndpoints } from './thesis-endpoints.ts'
import { createWebhooksService } from './webhooks.service.ts'
import { createWebhooksStore } from './webhooks.store.ts'

/** Senders of messages to people. */
export interface NotificationSettings {
  readonly smtp: SmtpSettings | null
  readonly telegram: TelegramSettings | null
}

/** Webhook endpoints of users and the deliveries to them. */
export function createWebhooks(deps: {
  readonly state: State
  readonly outbox: EventOutbox
  /** The key with which secrets are encrypted at rest. */
  readonly installationKey: () => string
  /** Encrypts stored answers, which hold the secrets of endpoints. */
  readonly responseCipher: AnswerSeal
  readonly allowLoopback: boolean
  /** Addresses of the service, which no endpoint may have. */
  readonly ownAddresses: readonly string[]
  /** Mail server and bot that send messages; a channel without settings is null. */
  readonly notifications: NotificationSettings
  /** A delivery of an alert rule has ended. */
  readonly onEnded: (delivery: Delivery) => void
  /** An endpoint was deleted. */
  readonly onRemoved: (userId: string, endpointId: string) => Promise<void>
  /** Process time: schedules do not follow a replayed clock. */
  readonly clock: Clock
  readonly log: Logger
  /** Replaces the HTTPS client in tests. */
  readonly send?: SendWebhook
}) {
  const { state, outbox, installationKey, allowLoopback, ownAddresses, onEnded } = deps
  const { onRemoved, clock, log } = deps
  const { smtp, telegram } = deps.notifications
  const policy = createUrlPolicy({ allowLoopback, ownAddresses })
  const store = createWebhooksStore(state)
  const channels: MessageChannels = {
    ...(smtp !== null && { email: createSendEmail(smtp, clock) }),
    ...(telegram !== null && { telegram: createSendTelegram(telegram, clock) }),
  }
  const queue = new DeliveryQueue({
    store,
    send: deps.send ?? createSendWebhook({ policy, clock }),
    channels,
    secretsOf: secretsOf(installationKey),
    onEnded,
    clock,
    log,
  })
  outbox.onWake(() => queue.wake())
  const userQueue = new PerUserQueue()
  const service = createWebhooksService({
    store,
    queue,
    policy,
    userQueue,
    installationKey,
    onRemoved,
    isReplay: outbox.isReplay,
    clock,
  })
  const repeats = createRepeatedWrites(state, clock, deps.responseCipher)
  return {
    routes: [endpointRoutes(service, repeats), endpointDeliveryRoutes(service)] as const,
    /** For alert rules that name an endpoint or a person. */
    endpoints: {
      expectOwn: (userId: string, id: string) => service.expectOwn(userId, id),
      isConfigured: (channel: 'email' | 'telegram') => channels[channel] !== undefined,
      test: (event: OutgoingEvent, target: RuleTarget) => service.testRule(event, target),
    },
    /** For theses that have a webhook address. */
    thesisEndpoints: createThesisEndpoints({ store, service, policy, userQueue, clock }),
    /** Attempts due deliveries until the signal aborts. */
    run: (signal: AbortSignal) => queue.run(signal),
    settled: async (): Promise<void> => {
      await userQueue.idle()
      await queue.waitUntilSettled()
    },
  }
}
export type Webhooks = ReturnType<typeof createWebhooks>
