/** A topic with who looks at it. */
export interface Entry<T> {
  readonly topic: T
  holders: number
  /** How many panes that hold still show it. */
  pauses: number
  /** Counts up with every hold, so that what was looked at last is dropped last. */
  touched: number
  /** When its last holder left, by the clock that only grows. */
  leftAt: number
  /** Its news wait for the next frame. */
  isChanged: boolean
}

/** A topic that nobody looks at any more is followed this much longer, for rows that scroll back. */
export const LINGER = 10_000
const MOST_KNOWN = 1_000
export const isHeld = ({ holders }: Entry<unknown>): boolean => holders > 0

/** Who looks at what, and which topics are followed for it. */
export class TopicEntries<T extends { readonly name: string }> {
  readonly #byName = new Map<string, Entry<T>>()
  #count = 0

  get(name: string): Entry<T> | null {
    return this.#byName.get(name) ?? null
  }

  /** The entry of a topic, made when there is none of that name. */
  of(topic: T): Entry<T> {
    const known = this.#byName.get(topic.name)
    if (known !== undefined) return known
    const entry = { topic, holders: 0, pauses: 0, touched: 0, leftAt: -Infinity, isChanged: false }
    this.#byName.set(topic.name, entry)
    return entry
  }

  hold(entry: Entry<T>): void {
    entry.holders += 1
    entry.touched = this.#count += 1
  }

  /** What panes stand on first, then rows in view, then rows just left; of each the last seen first. */
  followed(now: number): readonly Entry<T>[] {
    return [...this.#byName.values()]
      .filter(({ holders, leftAt }) => holders > 0 || now - leftAt < LINGER)
      .sort((left, right) => rankOf(left) - rankOf(right) || right.touched - left.touched)
  }

  /** Drops topics that nobody holds, once very many are known. */
  forget(): void {
    for (const [name, entry] of this.#byName) {
      if (this.#byName.size <= MOST_KNOWN) return
      if (!isHeld(entry)) this.#byName.delete(name)
    }
  }
}

const rankOf = ({ topic, holders }: Entry<{ readonly name: string }>): number => {
  if (holders === 0) return 2
  return topic.name.startsWith('ticker:') ? 1 : 0
}
