import { untrack } from 'svelte'
import type { ApiClient, ApiFailure } from './client.ts'
import type { PageClock } from '../lib/clock.svelte.ts'
import { Source, type PolledQuery } from './source.svelte.ts'
import type { Topics } from './socket/topics.svelte.ts'

/** The page's environment, replaced in tests. */
export interface LiveDeps {
  readonly client: ApiClient
  readonly clock: PageClock
  readonly topics: Topics
  /** Whether the page is visible. Nothing is requested while it is hidden. */
  readonly inView: () => boolean
  /** Runs work in the next animation frame. */
  readonly onFrame: (work: () => void) => void
}

interface Poll {
  readonly source: Source
  subscribers: number
  /** Subscribers whose socket topics publish every change. */
  streams: number
  failures: number
  timer: ReturnType<typeof setTimeout> | null
  request: AbortController | null
}

const MAX_WAIT = 30_000
const MAX_ENTRIES = 100

/** Delay before the next retry after `failures` consecutive failures: 2, 4, 8 … 30 s. */
export const backoff = (failures: number): number => Math.min(MAX_WAIT, 1000 * 2 ** failures)

/** Errors that a retry cannot fix: the address is invalid or the resource does not exist. */
const isFinal = ({ kind, status }: ApiFailure): boolean =>
  kind === 'refused' && status !== null && status >= 400 && status < 500 && status !== 408

/** A resource that does not exist is an answer: it is not requested again unless the user asks. */
const isAbsent = ({ status }: ApiFailure): boolean => status === 404

const waitAfter = (failure: ApiFailure, failures: number): number =>
  isAbsent(failure)
    ? Infinity
    : Math.max(failure.retryAfter ?? 0, isFinal(failure) ? MAX_WAIT : backoff(failures))

/** Paused: its answer does not change. */
const isSuspended = ({ source }: Poll): boolean => source.pauses > 0 && source.body !== null
const isStreamed = ({ streams, subscribers }: Poll): boolean =>
  subscribers > 0 && streams >= subscribers
/** The polling interval of a source in its current state; `Infinity` for never. */
const intervalOf = (poll: Poll): number =>
  isStreamed(poll) ? (poll.source.streamedInterval ?? Infinity) : poll.source.interval

/**
 * Polls each route at its cadence while at least one pane is visible, with one request per path
 * however many panes share it. Answers of one frame are rendered together.
 */
export class Live {
  readonly clock: PageClock
  /** Connects the page's sources to the socket's topics. */
  readonly topics: Topics
  readonly #deps: LiveDeps
  readonly #polls = new Map<string, Poll>()
  /** Sources that were evicted; one that a pane still references is used again. */
  readonly #evicted = new Map<string, WeakRef<Source>>()
  #pendingChanges: (() => void)[] = []

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.clock = deps.clock
    this.topics = deps.topics
  }

  /** The shared source of a query; polling starts with `subscribe`. */
  source<T extends object>(query: PolledQuery<T>): Source<T> {
    const existing =
      this.#polls.get(query.path)?.source ?? this.#evicted.get(query.path)?.deref() ?? null
    // The routes' table guarantees one body type per path.
    if (existing !== null) return existing as Source<T>
    const source = new Source<T>(query)
    this.#add(source)
    return source
  }

  #add(source: Source): Poll {
    this.#evict()
    const poll: Poll = {
      source,
      subscribers: 0,
      streams: 0,
      failures: 0,
      timer: null,
      request: null,
    }
    this.#polls.set(source.path, poll)
    this.#evicted.delete(source.path)
    return poll
  }

  /** The poll of a source, added again if it was evicted; null for one of another page. */
  #pollOf(source: Source): Poll | null {
    const poll = this.#polls.get(source.path)
    if (poll !== undefined) return poll
    return this.#evicted.get(source.path)?.deref() === source ? this.#add(source) : null
  }

  /** Keeps a source polled until the returned function is called. */
  subscribe<T extends object>(source: Source<T>): () => void {
    const poll = this.#pollOf(source)
    if (poll === null) return () => {}
    poll.subscribers += 1
    // The most recently viewed are last.
    this.#polls.delete(source.path)
    this.#polls.set(source.path, poll)
    // An effect that subscribes to a source must not run again with each of its answers.
    untrack(() => {
      this.#updateStreamed(poll)
      if (poll.subscribers === 1 || poll.streams > 0) this.#scheduleNext(poll)
    })
    let isSubscribed = true
    return () => {
      if (!isSubscribed) return
      isSubscribed = false
      poll.subscribers -= 1
      untrack(() => this.#updateStreamed(poll))
      if (poll.subscribers === 0) this.#cancel(poll)
    }
  }

  /**
   * Marks that the socket publishes every change of a source to one subscriber, until the returned
   * function is called. A source whose subscribers are all covered is polled rarely or not at all.
   */
  feed<T extends object>(source: Source<T>): () => void {
    const poll = this.#pollOf(source)
    if (poll === null) return () => {}
    const changeBy = (by: 1 | -1) => {
      poll.streams += by
      this.#updateStreamed(poll)
      if (poll.subscribers > 0) this.#scheduleNext(poll)
    }
    untrack(() => changeBy(1))
    let isFeeding = true
    return () => {
      if (!isFeeding) return
      isFeeding = false
      untrack(() => changeBy(-1))
    }
  }

  /**
   * Pauses a source until the returned function is called: its answer stays. A source without an
   * answer is polled until it has one, and `refresh` still fetches a new one.
   */
  pause<T extends object>(source: Source<T>): () => void {
    const poll = this.#pollOf(source)
    if (poll === null) return () => {}
    const changeBy = (by: 1 | -1) => {
      source.pauses += by
      this.#updateStreamed(poll)
      if (source.pauses === 0 && poll.subscribers > 0) this.#scheduleNext(poll)
    }
    untrack(() => changeBy(1))
    let isPausing = true
    return () => {
      if (!isPausing) return
      isPausing = false
      untrack(() => changeBy(-1))
    }
  }

  /** Requests now, whatever the cadence. */
  refresh<T extends object>(source: Source<T>): void {
    const poll = this.#pollOf(source)
    if (poll !== null && poll.request === null) void this.#request(poll, true)
  }

  /**
   * Requests before the cadence is due, unless a request is pending or no pane shows the source.
   */
  requestSoon<T extends object>(source: Source<T>, wait: number): void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined || poll.subscribers === 0 || poll.request !== null) return
    if (isSuspended(poll) || !this.#deps.inView() || wait >= intervalOf(poll)) return
    this.#requestIn(poll, Math.max(0, wait))
  }

  /** Requests again even while a response is pending, because that response may predate a write. */
  refetch<T extends object>(source: Source<T>): void {
    const poll = this.#pollOf(source)
    if (poll === null) return
    this.#cancel(poll)
    if (poll.subscribers > 0) void this.#request(poll, true)
  }

  /** Clears every answer that belonged to the previous user, and requests the visible ones. */
  forgetOwn(): void {
    for (const poll of this.#polls.values()) {
      if (!poll.source.isOwn) continue
      poll.source.clear()
      this.refetch(poll.source)
    }
    for (const evicted of this.#evicted.values()) {
      const source = evicted.deref()
      if (source?.isOwn === true) source.clear()
    }
  }

  /** Reads a path once, independent of any cadence. */
  readonly read: ApiClient['get'] = (path, signal) => this.#deps.client.get(path, signal)
  /** Writes once. */
  readonly send: ApiClient['send'] = (method, path, body, timeoutMs, repeatKey) =>
    this.#deps.client.send(method, path, body, timeoutMs, repeatKey)

  /** Call when the page becomes visible or hidden. */
  viewChanged(): void {
    for (const poll of this.#polls.values()) {
      if (poll.subscribers === 0) continue
      if (this.#deps.inView()) this.#scheduleNext(poll)
      else this.#cancel(poll)
    }
  }

  /** Evicts the answers that were viewed least recently. */
  #evict(): void {
    for (const [path, { subscribers, source }] of this.#polls) {
      if (this.#polls.size < MAX_ENTRIES) break
      if (subscribers > 0) continue
      this.#polls.delete(path)
      this.#evicted.set(path, new WeakRef(source))
    }
    for (const [path, evicted] of this.#evicted) {
      if (evicted.deref() === undefined) this.#evicted.delete(path)
    }
  }

  #updateStreamed(poll: Poll): void {
    poll.source.streamedAt =
      isStreamed(poll) && !isSuspended(poll) ? () => this.topics.receivedTime : null
  }

  #scheduleNext(poll: Poll): void {
    if (poll.request !== null || isSuspended(poll) || !this.#deps.inView()) return
    const { answeredAt, nextTryAt } = poll.source
    const interval = intervalOf(poll)
    const now = this.clock.read()
    if (nextTryAt === Infinity) return
    const dueAt = nextTryAt ?? (answeredAt === null ? now : answeredAt + interval)
    if (dueAt <= now) void this.#request(poll)
    else this.#requestIn(poll, Math.min(dueAt - now, Math.max(interval, MAX_WAIT)))
  }

  #cancel(poll: Poll): void {
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = null
    poll.request?.abort()
    poll.request = null
  }

  #requestIn(poll: Poll, wait: number): void {
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = wait === Infinity ? null : setTimeout(() => void this.#request(poll), wait)
  }

  async #request(poll: Poll, isForced = false): Promise<void> {
    if (isSuspended(poll) && !isForced) return
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = null
    const request = new AbortController()
    poll.request = request
    const { source } = poll
    source.loading = true
    const answer = await this.#deps.client.get<object>(source.path, request.signal)
    if (answer === null) {
      // A newer request may be running: this one was aborted meanwhile.
      if (poll.request === request) poll.request = null
      source.loading = poll.request !== null
      return
    }
    const answeredAt = this.clock.read()
    poll.failures = answer.ok ? 0 : poll.failures + 1
    this.#show(() => {
      // Pending until it is shown: otherwise a topic that becomes current in this frame would find
      // the source without an answer and request it again. It may also change the interval.
      if (poll.request === request) poll.request = null
      source.loading = poll.request !== null
      // The answer may belong to the previous user, or predate a write.
      if (request.signal.aborted) return
      const wait = answer.ok ? intervalOf(poll) : waitAfter(answer.failure, poll.failures)
      const nextAt = answeredAt + wait
      const mayRequest = poll.request === null && poll.subscribers > 0 && this.#deps.inView()
      if (mayRequest) this.#requestIn(poll, Math.max(0, nextAt - this.clock.read()))
      if (isSuspended(poll) && !isForced) return
      source.failure = answer.ok ? null : answer.failure
      source.nextTryAt = answer.ok ? null : nextAt
      if (!answer.ok) return
      source.answeredAt = answeredAt
      source.body = answer.body
    })
  }

  /** One frame renders everything that arrived since the previous frame. */
  #show(change: () => void): void {
    this.#pendingChanges.push(change)
    if (this.#pendingChanges.length > 1) return
    this.#deps.onFrame(() => {
      const changes = this.#pendingChanges
      this.#pendingChanges = []
      for (const apply of changes) apply()
    })
  }
}
