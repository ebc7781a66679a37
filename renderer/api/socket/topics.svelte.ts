import type { Timeframe } from '../../../backend/domain/prices/candle.ts'
import type {
  BookData,
  CandlesData,
  MoversData,
  TickerData,
} from '../../../backend/contract/socket.ts'
import { untrack } from 'svelte'
import { DataSocket, type SocketDeps } from './data-socket.ts'
import type { LinkState } from './link.ts'
import type { WorldUpdate } from './replica.ts'
import { isSubscribed, UNSUBSCRIBE_DELAY, TopicEntries, type Entry } from './topic-entries.ts'

/** One topic shared by panes. */
export class Topic<Data extends object = object> {
  readonly name: string
  /** Last known state; replaced whole, at most once a frame. Null while it is not subscribed. */
  data = $state.raw<Data | null>(null)
  /** Every change is received: `data` is current. */
  live = $state(false)

  constructor(name: string) {
    this.name = name
  }
}

export interface TopicsDeps extends Omit<SocketDeps, 'onLink' | 'onTopic' | 'onTime'> {
  readonly onFrame: (work: () => void) => void
  readonly onTime: (serviceTime: number) => void
}

/**
 * The topics that the page's panes subscribe to, over one connection: counted by subscriber, at most
 * 200 at a time, rendered once a frame however many changed.
 */
export class Topics {
  link = $state.raw<LinkState>({ kind: 'connecting' })
  /** More topics are viewed than one connection may hold. */
  #isOverLimit = $state(false)
  readonly #deps: TopicsDeps
  readonly #socket: DataSocket
  readonly #entries = new TopicEntries<Topic>()
  #changedEntries: Entry<Topic>[] = []
  #pruneTimer: ReturnType<typeof setTimeout> | null = null

  constructor(deps: TopicsDeps) {
    this.#deps = deps
    const { open, clock, chance, onTime } = deps
    this.#socket = new DataSocket({
      open,
      clock,
      chance,
      onTime,
      onLink: (link) => this.#setLink(link),
      onTopic: (name) => this.#markChanged(name),
    })
  }

  /** Connects until the returned function is called. */
  readonly start = (): (() => void) => this.#socket.start()

  /** Call when the page becomes visible or the network returns. */
  readonly check = (): void => this.#socket.check()

  /** The connection is open; a topic that is not current reports that itself. */
  get isLive(): boolean {
    return this.link.kind === 'live'
  }

  /** Every viewed topic is subscribed, so no source has to be polled. */
  get isComplete(): boolean {
    return this.isLive && !this.#isOverLimit
  }

  /** Service time of the last received frame; not reactive. */
  get receivedTime(): number | null {
    return this.#socket.receivedTime
  }

  readonly ticker = (ticker: string): Topic<TickerData> => this.#topic(`ticker:${ticker}`)
  readonly book = (ticker: string): Topic<BookData> => this.#topic(`book:${ticker}`)
  readonly movers = (window: '24h'): Topic<MoversData> => this.#topic(`movers:${window}`)
  readonly candles = (ticker: string, timeframe: Timeframe): Topic<CandlesData> =>
    this.#topic(`candles:${ticker}:${timeframe}`)

  /** The newest snapshot of a region, '' for the whole world. */
  readonly world = (path: string): Topic<WorldUpdate> =>
    this.#topic(path === '' ? 'world' : `world:${path}`)

  /** Subscribes to topics until the returned function is called. */
  subscribe(topics: readonly Topic[]): () => void {
    const entries = topics.map((topic) => this.#entries.getOrCreate(topic))
    for (const entry of entries) this.#entries.subscribe(entry)
    untrack(() => this.#updateSubscriptions())
    let isActive = true
    return () => {
      if (!isActive) return
      isActive = false
      const now = this.#deps.clock.monotonic()
      for (const entry of entries) {
        entry.subscribers -= 1
        entry.idleSince = now
      }
      untrack(() => this.#updateSubscriptions())
    }
  }

  /** Pauses topics until the returned function is called: they keep what they show. */
  pause(topics: readonly Topic[]): () => void {
    const entries = topics.map((topic) => this.#entries.getOrCreate(topic))
    for (const entry of entries) entry.pauses += 1
    let isActive = true
    return () => {
      if (!isActive) return
      isActive = false
      for (const entry of entries) {
        entry.pauses -= 1
        if (entry.pauses === 0) this.#markChanged(entry.topic.name)
      }
    }
  }

  // The contract's table maps the name of a topic to the type of its data.
  #topic<Data extends object>(name: string): Topic<Data> {
    const existing = this.#entries.get(name) ?? this.#entries.getOrCreate(new Topic<Data>(name))
    return existing.topic as Topic<Data>
  }

  #updateSubscriptions(): void {
    const wantedTopics = this.#entries.byPriority(this.#deps.clock.monotonic())
    this.#socket.setTopics(wantedTopics.map(({ topic }) => topic.name))
    this.#isOverLimit = wantedTopics.filter(isSubscribed).length > this.#socket.maxTopics
    if (this.#pruneTimer === null && !wantedTopics.every(isSubscribed)) {
      this.#pruneTimer = setTimeout(() => {
        this.#pruneTimer = null
        this.#entries.prune()
        this.#updateSubscriptions()
      }, UNSUBSCRIBE_DELAY)
    }
  }

  #setLink(link: LinkState): void {
    this.link = link
    // A topic that is no longer received must not look current until its next frame.
    if (link.kind !== 'live') this.#show()
  }

  #markChanged(name: string): void {
    const entry = this.#entries.get(name)
    if (entry === null || entry.isChanged) return
    entry.isChanged = true
    this.#changedEntries.push(entry)
    if (this.#changedEntries.length === 1) this.#deps.onFrame(() => this.#show())
  }

  #show(): void {
    const changedEntries = this.#changedEntries
    this.#changedEntries = []
    for (const entry of changedEntries) {
      const { topic } = entry
      entry.isChanged = false
      if (entry.pauses > 0 && topic.data !== null) continue
      topic.data = this.#socket.dataOf(topic.name)
      topic.live = this.#socket.isLive(topic.name)
    }
  }
}
