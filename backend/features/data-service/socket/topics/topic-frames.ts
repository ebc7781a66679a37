import { LIMITS } from '../limits.ts'
import type {
  AckFrame,
  ClientFrame,
  Position,
  Rejection,
  SnapshotReason,
} from '../../../../contract/socket.ts'
import type { Subscription } from '../subscription.ts'
import type { Subscriptions } from '../subscriptions.ts'
import type { TopicRegistry } from './topic-registry.ts'

export type TopicFrame = Extract<ClientFrame, { readonly topics: readonly string[] }>

/** The response to a frame about topics: its ack, and the starts of accepted topics. */
export interface TopicAnswer {
  readonly ack: Pick<AckFrame, 'topics' | 'rejected'>
  readonly beginnings: readonly {
    readonly subscription: Subscription
    readonly reason: SnapshotReason
    readonly from: Position | null
  }[]
}

/** Executes a frame about topics, up to its ack. */
export function answerTopicFrame(
  frame: TopicFrame,
  subscriptions: Subscriptions,
  topics: TopicRegistry,
): Promise<TopicAnswer> | TopicAnswer {
  if (frame.op === 'subscribe') return subscribe(frame, subscriptions, topics)
  return frame.op === 'resync'
    ? resync(frame, subscriptions, topics)
    : unsubscribe(frame, subscriptions, topics)
}

async function subscribe(
  { topics: topicNames, resume }: Extract<TopicFrame, { op: 'subscribe' }>,
  subscriptions: Subscriptions,
  topics: TopicRegistry,
): Promise<TopicAnswer> {
  const rejections: Rejection[] = []
  const beginnings = new Map<string, TopicAnswer['beginnings'][number]>()
  const positions = new Map(Object.entries(resume ?? {}))
  for (const text of topicNames) {
    const resolvedTopic = await topics.resolve(text)
    if ('code' in resolvedTopic) {
      rejections.push({ topic: text, ...resolvedTopic })
      continue
    }
    if (!subscriptions.isSubscribed(resolvedTopic.name) && subscriptions.size >= LIMITS.topics) {
      const message = `At most ${LIMITS.topics} topics per connection`
      rejections.push({ topic: text, code: 'TOPIC_LIMIT', message })
      continue
    }
    const subscription = subscriptions.hold(topics.open(resolvedTopic))
    const from = positions.get(text) ?? positions.get(resolvedTopic.name) ?? null
    beginnings.set(resolvedTopic.name, { subscription, reason: 'subscribe', from })
  }
  for (const [name, { subscription }] of beginnings) {
    if (subscriptions.get(name) === subscription) continue
    beginnings.delete(name)
    rejections.push({
      topic: name,
      code: 'INTERNAL_ERROR',
      message: 'The topic cannot be read now',
    })
  }
  return {
    ack: { topics: [...beginnings.keys()], rejected: rejections },
    beginnings: [...beginnings.values()],
  }
}

function resync(
  { topics: topicNames }: TopicFrame,
  subscriptions: Subscriptions,
  topics: TopicRegistry,
): TopicAnswer {
  const rejections: Rejection[] = []
  const beginnings = new Map<string, TopicAnswer['beginnings'][number]>()
  for (const text of topicNames) {
    const name = topics.nameOf(text)
    const subscription = typeof name === 'string' ? subscriptions.get(name) : null
    if (typeof name !== 'string') rejections.push({ topic: text, ...name })
    else if (subscription === null) {
      rejections.push({
        topic: text,
        code: 'UNKNOWN_TOPIC',
        message: 'The topic is not subscribed',
      })
    } else beginnings.set(name, { subscription, reason: 'resync', from: null })
  }
  return {
    ack: { topics: [...beginnings.keys()], rejected: rejections },
    beginnings: [...beginnings.values()],
  }
}

function unsubscribe(
  { topics: topicNames }: TopicFrame,
  subscriptions: Subscriptions,
  topics: TopicRegistry,
): TopicAnswer {
  const acceptedSources = new Set<string>()
  const rejections: Rejection[] = []
  for (const text of topicNames) {
    const name = topics.nameOf(text)
    if (typeof name === 'string') {
      subscriptions.drop(name)
      acceptedSources.add(name)
    } else rejections.push({ topic: text, ...name })
  }
  return { ack: { topics: [...acceptedSources], rejected: rejections }, beginnings: [] }
}
