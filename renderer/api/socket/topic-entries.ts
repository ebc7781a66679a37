/** A topic with its viewers. */
export interface Entry<T> {
  readonly topic: T
  subscribers: number
  /** Number of paused panes that show it. */
  pauses: number
  /** Number of the last subscription, so that the least recently viewed is evicted first. */
  order: number
  /** When its last subscriber unsubscribed, in monotonic time. */
  idleSince: number
  /** Its change waits for the next frame. */
  isChanged: boolean
}

/** A topic without viewers stays subscribed this much longer, for rows that scroll back. */
export const UNSUBSCRIBE_DELAY = 10_000
const MAX_ENTRIES = 1_000
export const isSubscribed = ({ subscribers }: Entry<unknown>): boolean => subscribers > 0

/** Viewers by topic, and the subscriptions that they need. */
export class TopicEntries<T extends { readonly name: string }> {
  readonly #byName = new Map<string, Entry<T>>()
  #subscriptionCount = 0

  get(name: string): Entry<T> | null {
    return this.#byName.get(name) ?? null
  }

  /** The entry of a topic, created on first use. */
  getOrCreate(topic: T): Entry<T> {
    const existing = this.#byName.get(topic.name)
    if (existing !== undefined) return existing
    const entry = {
      topic,
      subscribers: 0,
      pauses: 0,
      order: 0,
      idleSince: -Infinity,
      isChanged: false,
    }
    this.#byName.set(topic.name, entry)
    return entry
  }

  subscribe(entry: Entry<T>): void {
    entry.subscribers += 1
    entry.order = this.#subscriptionCount += 1
  }

  /**
   * Topics by priority: those of panes, then visible rows, then rows just left; among equals the
   * most recently viewed first.
   */
  byPriority(now: number): readonly Entry<T>[] {
    return [...this.#byName.values()]
      .filter(
        ({ subscribers, idleSince }) => subscribers > 0 || now - idleSince < UNSUBSCRIBE_DELAY,
      )
      .sort((left, right) => rankOf(left) - rankOf(right) || right.order - left.order)
  }

  /** Removes topics without subscribers once there are very many. */
  prune(): void {
    for (const [name, entry] of this.#byName) {
      if (this.#byName.size <= MAX_ENTRIES) return
      if (!isSubscribed(entry)) this.#byName.delete(name)
    }
  }
}

const rankOf = ({ topic, subscribers }: Entry<{ readonly name: string }>): number => {
  if (subscribers === 0) return 2
  return topic.name.startsWith('ticker:') ? 1 : 0
}
