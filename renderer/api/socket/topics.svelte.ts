import type {
  BookData,
  CandlesData,
  MoversData,
  TickerData,
} from '../../../backend/features/data-service/socket/protocol.ts'
import { untrack } from 'svelte'
import type { Timeframe } from '../types.ts'
import { DataSocket, type SocketSurroundings } from './data-socket.ts'
import type { LinkState } from './link.ts'

/** One topic as panes look at it together. */
export class Topic<Data extends object = object> {
  readonly name: string
  /** Last known state; replaced whole, at most once a frame. Null while it is not followed. */
  data = $state.raw<Data | null>(null)
  /** Every change is heard: what `data` say holds now. */
  live = $state(false)

  constructor(name: string) {
    this.name = name
  }
}

interface Entry {
  readonly topic: Topic
  holders: number
  /** Counts up with every hold, so that what was looked at last is dropped last. */
  touched: number
  /** When its last holder left, by the clock that only grows. */
  leftAt: number
}

export interface TopicsSurroundings extends Omit<
  SocketSurroundings,
  'onLink' | 'onTopic' | 'onTime'
> {
  readonly onFrame: (work: () => void) => void
  readonly onTime: (serviceTime: number) => void
}

/** A topic that nobody looks at any more is followed this much longer, for rows that scroll back. */
const LINGER = 10_000
const MOST_KNOWN = 1_000
const isHeld = ({ holders }: Entry): boolean => holders > 0

/**
 * The topics that the page's panes follow, over one connection: counted by holder, at most 200 at a
 * time, and put on screen once a frame however many changed.
 */
export class Topics {
  link = $state.raw<LinkState>({ kind: 'connecting' })
  /** More is looked at than one connection may follow. */
  #isCrowded = $state(false)
  readonly #around: TopicsSurroundings
  readonly #socket: DataSocket
  readonly #entries = new Map<string, Entry>()
  readonly #changed = new Set<string>()
  #count = 0
  #pruning: ReturnType<typeof setTimeout> | null = null

  constructor(around: TopicsSurroundings) {
    this.#around = around
    const { open, clock, chance, onTime } = around
    this.#socket = new DataSocket({
      ...{ open, clock, chance, onTime },
      onLink: (link) => this.#relink(link),
      onTopic: (name) => this.#note(name),
    })
  }

  /** Connects until the returned function is called. */
  readonly start = (): (() => void) => this.#socket.start()

  /** To be called when the page comes back into view or the network does. */
  readonly wake = (): void => this.#socket.wake()

  /** The connection stands; a topic that is not current all the same says so itself. */
  get isLive(): boolean {
    return this.link.kind === 'live'
  }

  /** Everything that somebody looks at is followed, so that nobody has to ask. */
  get isComplete(): boolean {
    return this.isLive && !this.#isCrowded
  }

  /** When the service was last heard, in its own time; not reactive. */
  get heardTime(): number | null {
    return this.#socket.heardTime
  }

  readonly ticker = (ticker: string): Topic<TickerData> => this.#topic(`ticker:${ticker}`)
  readonly book = (ticker: string): Topic<BookData> => this.#topic(`book:${ticker}`)
  readonly movers = (window: '24h'): Topic<MoversData> => this.#topic(`movers:${window}`)
  readonly candles = (ticker: string, timeframe: Timeframe): Topic<CandlesData> =>
    this.#topic(`candles:${ticker}:${timeframe}`)

  /** Follows topics until the returned function is called. */
  hold(topics: readonly Topic[]): () => void {
    const entries = topics.map((topic) => this.#entryOf(topic))
    for (const entry of entries) {
      entry.holders += 1
      entry.touched = this.#count += 1
    }
    untrack(() => this.#choose())
    let held = true
    return () => {
      if (!held) return
      held = false
      const now = this.#around.clock.monotonic()
      for (const entry of entries) {
        entry.holders -= 1
        entry.leftAt = now
      }
      untrack(() => this.#choose())
    }
  }

  // The name of a topic says what its data are: the contract's table holds that.
  #topic<Data extends object>(name: string): Topic<Data> {
    const known = this.#entries.get(name)
    if (known !== undefined) return known.topic as Topic<Data>
    return this.#entryOf(new Topic<Data>(name)).topic as Topic<Data>
  }

  #entryOf(topic: Topic): Entry {
    const known = this.#entries.get(topic.name)
    if (known !== undefined) return known
    const entry: Entry = { topic, holders: 0, touched: 0, leftAt: -Infinity }
    this.#entries.set(topic.name, entry)
    return entry
  }

  /** What is followed: first what panes stand on, then rows in view, then rows just left. */
  #choose(): void {
    const now = this.#around.clock.monotonic()
    const wanted = [...this.#entries.values()].filter(
      ({ holders, leftAt }) => holders > 0 || now - leftAt < LINGER,
    )
    const rank = ({ topic, holders }: Entry): number =>
      holders === 0 ? 2 : topic.name.startsWith('ticker:') ? 1 : 0
    wanted.sort((left, right) => rank(left) - rank(right) || right.touched - left.touched)
    this.#socket.want(wanted.map(({ topic }) => topic.name))
    this.#isCrowded = wanted.filter(isHeld).length > this.#socket.mostTopics
    if (this.#pruning === null && !wanted.every(isHeld)) {
      this.#pruning = setTimeout(() => {
        this.#pruning = null
        this.#forget()
        this.#choose()
      }, LINGER)
    }
  }

  #forget(): void {
    for (const [name, { holders }] of this.#entries) {
      if (this.#entries.size <= MOST_KNOWN) return
      if (holders === 0) this.#entries.delete(name)
    }
  }

  #relink(link: LinkState): void {
    this.link = link
    // What is no longer heard must not look current until a next frame.
    if (link.kind !== 'live') this.#show()
  }

  #note(name: string): void {
    this.#changed.add(name)
    if (this.#changed.size === 1) this.#around.onFrame(() => this.#show())
  }

  #show(): void {
    for (const name of this.#changed) {
      const topic = this.#entries.get(name)?.topic
      if (topic === undefined) continue
      topic.data = this.#socket.dataOf(name)
      topic.live = this.#socket.isLive(name)
    }
    this.#changed.clear()
  }
}
