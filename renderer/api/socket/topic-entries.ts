/** A topic with its viewers. */
export interface Entry<T> {
  readonly topic: T
  holders: number
  /** How many paused panes show it. */
  pauses: number
  /** Grows with every hold, so that the least recently viewed is evicted first. */
  touched: number
  /** When its last holder left, in monotonic time. */
  leftAt: number
  /** Its change waits for the next frame. */
  isChanged: boolean
}

/** A topic without viewers stays subscribed this much longer, for rows that scroll back. */
export const UNSUBSCRIBE_DELAY = 10_000
const MAX_KNOWN = 1_000
export const isHeld = ({ holders }: Entry<unknown>): boolean => holders > 0

/** Viewers by topic, and the subscriptions that they need. */
export class TopicEntries<T extends { readonly name: string }> {
  readonly #byName = new Map<string, Entry<T>>()
  #count = 0

  get(name: string): Entry<T> | null {
    return this.#byName.get(name) ?? null
  }

  /** The entry of a topic, created on first use. */
  getOrCreate(topic: T): Entry<T> {
    const existing = this.#byName.get(topic.name)
    if (existing !== undefined) return existing
    const entry = { topic, holders: 0, pauses: 0, touched: 0, leftAt: -Infinity, isChanged: false }
    this.#byName.set(topic.name, entry)
    return entry
  }

  hold(entry: Entry<T>): void {
    entry.holders += 1
    entry.touched = this.#count += 1
  }

  /**
   * Topics by priority: those of panes, then visible rows, then rows just left; among equals the
   * most recently viewed first.
   */
  byPriority(now: number): readonly Entry<T>[] {
    return [...this.#byName.values()]
      .filter(({ holders, leftAt }) => holders > 0 || now - leftAt < UNSUBSCRIBE_DELAY)
      .sort((left, right) => rankOf(left) - rankOf(right) || right.touched - left.touched)
  }

  /** Removes topics without holders once there are very many. */
  forget(): void {
    for (const [name, entry] of this.#byName) {
      if (this.#byName.size <= MAX_KNOWN) return
      if (!isHeld(entry)) this.#byName.delete(name)
    }
  }
}

const rankOf = ({ topic, holders }: Entry<{ readonly name: string }>): number => {
  if (holders === 0) return 2
  return topic.name.startsWith('ticker:') ? 1 : 0
}
