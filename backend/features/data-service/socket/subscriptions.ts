import type { Outbox } from './outbox.ts'
import type { SnapshotReason } from '../../../contract/socket.ts'
import { Subscription, type Batch, type SubscriptionHost } from './subscription.ts'
import type { Topic } from './topics/topic.ts'

/**
 * The subscriptions of one connection: which start next, and which are behind. Only the place of a
 * topic is queued here, so a slow client costs no memory.
 */
export class Subscriptions implements SubscriptionHost {
  readonly outbox: Outbox
  readonly #byName = new Map<string, Subscription>()
  #queue: Subscription[] = []
  readonly #laggingSubscriptions = new Set<Subscription>()
  readonly #onLost: (topic: Topic) => void

  /** @param onLost called when a topic cannot be served and its subscription ended */
  constructor(outbox: Outbox, onLost: (topic: Topic) => void) {
    this.outbox = outbox
    this.#onLost = onLost
  }

  get size(): number {
    return this.#byName.size
  }

  isSubscribed(name: string): boolean {
    return this.#byName.has(name)
  }

  /** Subscribes to a topic, possibly again; `begin` sends its start. */
  hold(topic: Topic): Subscription {
    let subscription = this.#byName.get(topic.name)
    if (subscription === undefined) {
      subscription = new Subscription(topic, this)
      this.#byName.set(topic.name, subscription)
      topic.readers.add(subscription)
    }
    return subscription
  }

  get(name: string): Subscription | null {
    return this.#byName.get(name) ?? null
  }

  /** Starts these subscriptions in order; their deltas wait until all have started. */
  begin(
    requests: readonly {
      readonly subscription: Subscription
      readonly reason: SnapshotReason
      readonly from: { readonly epoch: string; readonly seq: number } | null
    }[],
  ): void {
    const all = requests.map(({ subscription }) => subscription)
    const batch: Batch = { left: new Set(all), all }
    for (const { subscription, reason, from } of requests) {
      this.#removeFromQueue(subscription)
      subscription.begin(reason, from, batch)
      this.#queue.push(subscription)
    }
    this.beginNext()
  }

  /** Unsubscribes from a topic; nothing more is sent for it. */
  drop(name: string): void {
    const subscription = this.#byName.get(name)
    if (subscription === undefined) return
    this.#byName.delete(name)
    this.#removeFromQueue(subscription)
    this.#laggingSubscriptions.delete(subscription)
    subscription.topic.readers.delete(subscription)
  }

  dropAll(): void {
    for (const name of [...this.#byName.keys()]) this.drop(name)
  }

  /** Sends what is queued, as far as there is room. */
  catchUp(): void {
    this.beginNext()
    for (const subscription of [...this.#laggingSubscriptions]) {
      if (this.outbox.isCrowded) return
      if (subscription.catchUp()) this.#laggingSubscriptions.delete(subscription)
    }
  }

  beginNext(): void {
    for (;;) {
      const first = this.#queue[0]
      if (first === undefined || this.outbox.isCrowded || !first.sendBeginning()) return
      this.#removeFromQueue(first)
    }
  }

  restart(subscription: Subscription, reason: SnapshotReason): void {
    this.#laggingSubscriptions.delete(subscription)
    this.begin([{ subscription, reason, from: null }])
  }

  fallBehind(subscription: Subscription): void {
    this.#laggingSubscriptions.add(subscription)
  }

  dropSubscription(subscription: Subscription): void {
    this.drop(subscription.topic.name)
    if (subscription.isKnown) this.#onLost(subscription.topic)
    this.beginNext()
  }

  #removeFromQueue(subscription: Subscription): void {
    this.#queue = this.#queue.filter((other) => other !== subscription)
    const { batch } = subscription
    if (batch === null || !batch.left.delete(subscription) || batch.left.size > 0) return
    for (const member of batch.all) if (member.batch === batch) member.release()
  }
}
