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
  holders: number
  /** Holders whose socket topics publish every change. */
  streamed: number
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
const isStreamed = ({ streamed, holders }: Poll): boolean => holders > 0 && streamed >= holders
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
  #arrived: (() => void)[] = []

  constructor(deps: LiveDeps) {
    this.#deps = deps
    this.clock = deps.clock
    this.topics = deps.topics
  }

  /** The shared source of a query; polling starts with `hold`. */
  source<T extends object>(query: PolledQuery<T>): Source<T> {
    const existing = this.#polls.get(query.path)
    // The routes' table guarantees one body type per path.
    if (existing !== undefined) return existing.source as Source<T>
    this.#forget()
    const source = new Source<T>(query)
    this.#polls.set(query.path, {
      source,
      holders: 0,
      streamed: 0,
      failures: 0,
      timer: null,
      request: null,
    })
    return source
  }

  /** Keeps a source polled until the returned function is called. */
  subscribe<T extends object>(source: Source<T>): () => void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return () => {}
    poll.holders += 1
    // An effect that holds a source must not run again with each of its answers.
    untrack(() => {
      this.#updateStreamed(poll)
      if (poll.holders === 1 || poll.streamed > 0) this.#wake(poll)
    })
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      poll.holders -= 1
      untrack(() => this.#updateStreamed(poll))
      if (poll.holders === 0) this.#rest(poll)
    }
  }

  /**
   * Marks that the socket publishes every change of a source to one holder, until the returned
   * function is called. A source whose holders are all covered is polled rarely or not at all.
   */
  feed<T extends object>(source: Source<T>): () => void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return () => {}
    const changeBy = (by: 1 | -1) => {
      poll.streamed += by
      this.#updateStreamed(poll)
      if (poll.holders > 0) this.#wake(poll)
    }
    untrack(() => changeBy(1))
    let feeding = true
    return () => {
      if (!feeding) return
      feeding = false
      untrack(() => changeBy(-1))
    }
  }

  /**
   * Pauses a source until the returned function is called: its answer stays. A source without an
   * answer is polled until it has one, and `refresh` still fetches a new one.
   */
  pause<T extends object>(source: Source<T>): () => void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return () => {}
    const changeBy = (by: 1 | -1) => {
      source.pauses += by
      this.#updateStreamed(poll)
      if (source.pauses === 0 && poll.holders > 0) this.#wake(poll)
    }
    untrack(() => changeBy(1))
    let pausing = true
    return () => {
      if (!pausing) return
      pausing = false
      untrack(() => changeBy(-1))
    }
  }

  /** Requests now, whatever the cadence. */
  refresh<T extends object>(source: Source<T>): void {
    const poll = this.#polls.get(source.path)
    if (poll !== undefined && poll.request === null) void this.#ask(poll, true)
  }

  /**
   * Requests before the cadence is due, unless a request is pending or no pane shows the source.
   */
  soon<T extends object>(source: Source<T>, wait: number): void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined || poll.holders === 0 || poll.request !== null) return
    if (isSuspended(poll) || !this.#deps.inView() || wait >= intervalOf(poll)) return
    this.#askIn(poll, Math.max(0, wait))
  }

  /** Requests again even while a response is pending, because that response may predate a write. */
  refetch<T extends object>(source: Source<T>): void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return
    this.#rest(poll)
    if (poll.holders > 0) void this.#ask(poll, true)
  }

  /** Clears every answer that belonged to the previous user, and requests the visible ones. */
  forgetOwn(): void {
    for (const poll of this.#polls.values()) {
      if (!poll.source.isOwn) continue
      poll.source.clear()
      this.refetch(poll.source)
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
      if (poll.holders === 0) continue
      if (this.#deps.inView()) this.#wake(poll)
      else this.#rest(poll)
    }
  }

  /** Evicts the least recently viewed answers. */
  #forget(): void {
    for (const [path, { holders }] of this.#polls) {
      if (this.#polls.size < MAX_ENTRIES) return
      if (holders === 0) this.#polls.delete(path)
    }
  }

  #updateStreamed(poll: Poll): void {
    poll.source.streamedAt =
      isStreamed(poll) && !isSuspended(poll) ? () => this.topics.receivedTime : null
  }

  #wake(poll: Poll): void {
    if (poll.request !== null || isSuspended(poll) || !this.#deps.inView()) return
    const { answeredAt, nextTryAt } = poll.source
    const interval = intervalOf(poll)
    const now = this.clock.read()
    if (nextTryAt === Infinity) return
    const due = nextTryAt ?? (answeredAt === null ? now : answeredAt + interval)
    if (due <= now) void this.#ask(poll)
    else this.#askIn(poll, Math.min(due - now, Math.max(interval, MAX_WAIT)))
  }

  #rest(poll: Poll): void {
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = null
    poll.request?.abort()
    poll.request = null
  }

  #askIn(poll: Poll, wait: number): void {
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = wait === Infinity ? null : setTimeout(() => void this.#ask(poll), wait)
  }

  async #ask(poll: Poll, isForced = false): Promise<void> {
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
      const wait = answer.ok ? intervalOf(poll) : waitAfter(answer.failure, poll.failures)
      const due = answeredAt + wait
      const mayRequest = poll.request === null && poll.holders > 0 && this.#deps.inView()
      if (mayRequest) this.#askIn(poll, Math.max(0, due - this.clock.read()))
      if (isSuspended(poll) && !isForced) return
      source.failure = answer.ok ? null : answer.failure
      source.nextTryAt = answer.ok ? null : due
      if (!answer.ok) return
      source.answeredAt = answeredAt
      source.body = answer.body
    })
  }

  /** One frame renders everything that arrived since the previous frame. */
  #show(change: () => void): void {
    this.#arrived.push(change)
    if (this.#arrived.length > 1) return
    this.#deps.onFrame(() => {
      const arrived = this.#arrived
      this.#arrived = []
      for (const apply of arrived) apply()
    })
  }
}
