import type { MarketId } from '../../../../history/market-key.ts'
import { sleepUnless, type Clock } from '../../../../lib/clock.ts'
import { BookModel } from './book-model.ts'
import { CandlesModel } from './candles-model.ts'
import { IDLE_TIMEOUT } from '../limits.ts'
import { MoversModel } from './movers-model.ts'
import type { Rejection, TopicAddress } from '../../../../contract/socket.ts'
import type { SocketSources, TopicMarket, TopicTime } from '../sources.ts'
import { TickerModel } from './ticker-model.ts'
import { parseTopic, nameOf } from './topic-address.ts'
import { Topic } from './topic.ts'
import type { MarketUpdate, TopicModel } from './topic-model.ts'
import { TradesModel } from './trades-model.ts'
import { WorldModel } from './world-model.ts'

/** A valid topic. */
export interface ResolvedTopic {
  readonly name: string
  readonly address: TopicAddress
  /** Its market; null if it covers all markets. */
  readonly market: TopicMarket | null
}
type TopicRejection = Omit<Rejection, 'topic'>

/**
 * The topics with subscribers now or within the last five minutes. Work grows with the topics that
 * changed, not with all active ones.
 */
export class TopicRegistry {
  readonly #topics = new Map<string, Topic>()
  readonly #byMarket = new Map<MarketId, Set<Topic>>()
  readonly #dirty = new Set<Topic>()
  readonly #waitingTopics = new Set<Topic>()
  readonly #sources: SocketSources
  readonly #time: TopicTime
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #newEpoch: () => string
  readonly #onUpdate: () => void
  readonly #onError: (error: unknown, topic: string) => void

  constructor(options: {
    sources: SocketSources
    time: TopicTime
    /** Process time, for the update rates of topics. */
    clock: Clock
    signal: AbortSignal
    newEpoch: () => string
    /** Called when there are changes to report. */
    onUpdate: () => void
    onError: (error: unknown, topic: string) => void
  }) {
    this.#sources = options.sources
    this.#time = options.time
    this.#clock = options.clock
    this.#signal = options.signal
    this.#newEpoch = options.newEpoch
    this.#onUpdate = options.onUpdate
    this.#onError = options.onError
  }

  get size(): number {
    return this.#topics.size
  }

  /** The canonical name of a topic, whether or not its market exists. */
  nameOf(text: string): string | TopicRejection {
    const address = parseTopic(text)
    return 'kind' in address ? nameOf(address) : address
  }

  /** Resolves a topic name, or returns why it cannot be subscribed. */
  async resolve(text: string): Promise<ResolvedTopic | TopicRejection> {
    const address = parseTopic(text)
    if (!('kind' in address)) return address
    if (address.kind === 'movers') return { name: nameOf(address), address, market: null }
    if (address.kind === 'world') {
      if (this.#sources.world?.knows(address.path) !== true) {
        return { code: 'UNKNOWN_TOPIC', message: 'Unknown topic' }
      }
      return { name: nameOf(address), address, market: null }
    }
    const market = await this.#sources.find(address.ticker)
    if (market === null) return { code: 'UNKNOWN_TICKER', message: 'Market not found' }
    const canonical = { ...address, ticker: market.ticker }
    return { name: nameOf(canonical), address: canonical, market }
  }

  /** The topic of that name; opened if it is not active. */
  open(resolvedTopic: ResolvedTopic): Topic {
    const { name, market } = resolvedTopic
    const existing = this.#topics.get(name)
    if (existing !== undefined) return existing
    const topic: Topic = new Topic({
      name,
      market: market?.market ?? null,
      model: () => this.#modelOf(resolvedTopic),
      newEpoch: this.#newEpoch,
      time: this.#time,
      onUpdate: () => this.#markChanged(topic),
      onGap: () => this.#closeUnlessOpened(topic, topic.restart('epoch')),
      onError: (error) => this.#onError(error, name),
    })
    this.#topics.set(name, topic)
    if (market !== null) {
      const topics = this.#byMarket.get(market.market)
      if (topics === undefined) this.#byMarket.set(market.market, new Set([topic]))
      else topics.add(topic)
    }
    this.#closeUnlessOpened(topic, topic.open())
    return topic
  }

  /** Forwards an update of a market to its topics. */
  receive(market: MarketId, update: MarketUpdate): void {
    const topics = this.#byMarket.get(market)
    if (topics === undefined) return
    for (const topic of topics) if (topic.receive(update)) this.#markChanged(topic)
  }

  /** Reports the changes that are due. */
  report(): void {
    for (const topic of this.#dirty) {
      const { wait } = topic
      if (wait <= 0) {
        this.#dirty.delete(topic)
        topic.report()
      } else if (!this.#waitingTopics.has(topic)) {
        this.#waitingTopics.add(topic)
        void sleepUnless(this.#signal, this.#clock, wait).then((waited) => {
          this.#waitingTopics.delete(topic)
          if (waited) this.#onUpdate()
        })
      }
    }
  }

  /** Checks what time changes: states that depend on it, and topics without subscribers. */
  check(): void {
    const now = this.#time.monotonic()
    for (const topic of this.#topics.values()) {
      if (topic.readers.size > 0) topic.idleSince = null
      else topic.idleSince ??= now
      if (topic.idleSince !== null && now - topic.idleSince >= IDLE_TIMEOUT) this.#close(topic)
      else if (topic.check()) this.#markChanged(topic)
    }
  }

  /** Data time was moved: every state is read again under a new epoch. */
  restart(): void {
    for (const topic of this.#topics.values())
      this.#closeUnlessOpened(topic, topic.restart('clock'))
  }

  close(): void {
    for (const topic of this.#topics.values()) this.#close(topic)
  }

  #markChanged(topic: Topic): void {
    this.#dirty.add(topic)
    if (!this.#waitingTopics.has(topic)) this.#onUpdate()
  }

  /** A topic that could not be read is removed, so that the next subscription tries again. */
  #closeUnlessOpened(topic: Topic, opening: Promise<boolean>): void {
    void opening.then((opened) => {
      if (!opened && this.#topics.get(topic.name) === topic) this.#close(topic)
    })
  }

  #close(topic: Topic): void {
    this.#topics.delete(topic.name)
    this.#dirty.delete(topic)
    const { market } = topic
    const others = market === null ? undefined : this.#byMarket.get(market)
    if (market !== null && others?.delete(topic) === true && others.size === 0) {
      this.#byMarket.delete(market)
    }
    topic.close()
  }

  #modelOf({ address, market }: ResolvedTopic): TopicModel {
    const sources = this.#sources
    const time = this.#time
    if (address.kind === 'movers') return new MoversModel(address.window ?? '1h', sources, time)
    if (address.kind === 'world') {
      if (sources.world === null) throw new Error('There is no world snapshot yet')
      return new WorldModel(address.path, sources.world)
    }
    if (market === null) throw new Error(`${address.kind} needs a market`)
    switch (address.kind) {
      case 'ticker':
        return new TickerModel(market, sources, time)
      case 'trades':
        return new TradesModel(market, sources)
      case 'book':
        return new BookModel(market, sources, time)
      case 'candles':
        return new CandlesModel(market, address.timeframe, sources, time)
    }
  }
}
