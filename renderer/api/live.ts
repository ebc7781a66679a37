import { untrack } from 'svelte'
import type { ApiClient, ApiFailure } from './client.ts'
import type { PageClock } from '../lib/clock.svelte.ts'
import { Source, type Question } from './source.svelte.ts'
import type { Topics } from './socket/topics.svelte.ts'

/** The page's own surroundings, replaced in tests. */
export interface LiveSurroundings {
  readonly client: ApiClient
  readonly clock: PageClock
  readonly topics: Topics
  /** Is the page in view? Nothing is asked while it is not. */
  readonly inView: () => boolean
  /** Runs work with the next frame. */
  readonly onFrame: (work: () => void) => void
}

interface Poll {
  readonly source: Source
  holders: number
  /** Holders to whom the socket tells every change. */
  fed: number
  failures: number
  timer: ReturnType<typeof setTimeout> | null
  asking: AbortController | null
}

const LONGEST_WAIT = 30_000
const MOST_KEPT = 100

/** Wait before the next try after `failures` failures in a row: 2, 4, 8 … 30 s. */
export const backoff = (failures: number): number => Math.min(LONGEST_WAIT, 1000 * 2 ** failures)

/** Asking again soon cannot help: the address is wrong, or names nothing. */
const isFinal = ({ kind, status }: ApiFailure): boolean =>
  kind === 'refused' && status !== null && status >= 400 && status < 500 && status !== 408

const waitAfter = (failure: ApiFailure, failures: number): number =>
  Math.max(failure.retryAfter ?? 0, isFinal(failure) ? LONGEST_WAIT : backoff(failures))

/** Its answer stays as it is for now. */
const isHeldStill = ({ source }: Poll): boolean => source.pauses > 0 && source.body !== null
const isFed = ({ fed, holders }: Poll): boolean => holders > 0 && fed >= holders
/** How often a source is asked as it is now; never is `Infinity`. */
const everyOf = (poll: Poll): number =>
  isFed(poll) ? (poll.source.everyFed ?? Infinity) : poll.source.every

/**
 * Asks the service on each route's cadence for as long as somebody looks, one request a path
 * however many panes share it. Answers of a frame are put on screen together.
 */
export class Live {
  readonly clock: PageClock
  /** What the socket tells while it stands. */
  readonly topics: Topics
  readonly #around: LiveSurroundings
  readonly #polls = new Map<string, Poll>()
  #arrived: (() => void)[] = []

  constructor(around: LiveSurroundings) {
    this.#around = around
    this.clock = around.clock
    this.topics = around.topics
  }

  /** The shared source of a question; asking starts with `hold`. */
  source<T extends object>(question: Question<T>): Source<T> {
    const known = this.#polls.get(question.path)
    // A path names one body type: the routes' table holds that.
    if (known !== undefined) return known.source as Source<T>
    this.#forget()
    const source = new Source<T>(question)
    this.#polls.set(question.path, {
      source,
      holders: 0,
      fed: 0,
      failures: 0,
      timer: null,
      asking: null,
    })
    return source
  }

  /** Keeps a source asked until the returned function is called. */
  hold<T extends object>(source: Source<T>): () => void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return () => {}
    poll.holders += 1
    // Who holds a source inside an effect must not run again with each of its answers.
    untrack(() => {
      this.#noteFed(poll)
      if (poll.holders === 1 || poll.fed > 0) this.#wake(poll)
    })
    let held = true
    return () => {
      if (!held) return
      held = false
      poll.holders -= 1
      untrack(() => this.#noteFed(poll))
      if (poll.holders === 0) this.#rest(poll)
    }
  }

  /**
   * Says that the socket tells one holder every change of a source, until the returned function is
   * called. A source whose holders all are told is asked seldom or not at all.
   */
  feed<T extends object>(source: Source<T>): () => void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return () => {}
    const changeBy = (by: 1 | -1) => {
      poll.fed += by
      this.#noteFed(poll)
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
   * Has a source keep its answer until the returned function is called; one without an answer is
   * asked until it has one, and `refresh` still brings a new one.
   */
  pause<T extends object>(source: Source<T>): () => void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return () => {}
    const changeBy = (by: 1 | -1) => {
      source.pauses += by
      this.#noteFed(poll)
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

  /** Asks now, whatever the cadence. */
  refresh<T extends object>(source: Source<T>): void {
    const poll = this.#polls.get(source.path)
    if (poll !== undefined && poll.asking === null) void this.#ask(poll, true)
  }

  /** Asks sooner than its cadence would, unless it is being asked or nobody looks at it now. */
  soon<T extends object>(source: Source<T>, wait: number): void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined || poll.holders === 0 || poll.asking !== null) return
    if (isHeldStill(poll) || !this.#around.inView() || wait >= everyOf(poll)) return
    this.#askIn(poll, Math.max(0, wait))
  }

  /** Asks anew, also while an answer is on its way: that one may be of before a write. */
  renew<T extends object>(source: Source<T>): void {
    const poll = this.#polls.get(source.path)
    if (poll === undefined) return
    this.#rest(poll)
    if (poll.holders > 0) void this.#ask(poll, true)
  }

  /** Drops every answer that was made for who was signed in, and asks for those looked at. */
  forgetOwn(): void {
    for (const poll of this.#polls.values()) {
      if (!poll.source.isOwn) continue
      poll.source.clear()
      this.renew(poll.source)
    }
  }

  /** Reads a path once, outside any cadence. */
  readonly read: ApiClient['get'] = (path, signal) => this.#around.client.get(path, signal)
  /** Writes once. */
  readonly send: ApiClient['send'] = (method, path, body, patience) =>
    this.#around.client.send(method, path, body, patience)

  /** To be called when the page comes into view or leaves it. */
  viewChanged(): void {
    for (const poll of this.#polls.values()) {
      if (poll.holders === 0) continue
      if (this.#around.inView()) this.#wake(poll)
      else this.#rest(poll)
    }
  }

  /** Drops the answers that nobody has looked at for longest. */
  #forget(): void {
    for (const [path, { holders }] of this.#polls) {
      if (this.#polls.size < MOST_KEPT) return
      if (holders === 0) this.#polls.delete(path)
    }
  }

  #noteFed(poll: Poll): void {
    poll.source.fedAt = isFed(poll) && !isHeldStill(poll) ? () => this.topics.heardTime : null
  }

  #wake(poll: Poll): void {
    if (poll.asking !== null || isHeldStill(poll) || !this.#around.inView()) return
    const { answeredAt, nextTryAt } = poll.source
    const every = everyOf(poll)
    const now = this.clock.read()
    const due = nextTryAt ?? (answeredAt === null ? now : answeredAt + every)
    if (due <= now) void this.#ask(poll)
    else this.#askIn(poll, Math.min(due - now, Math.max(every, LONGEST_WAIT)))
  }

  #rest(poll: Poll): void {
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = null
    poll.asking?.abort()
    poll.asking = null
  }

  #askIn(poll: Poll, wait: number): void {
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = wait === Infinity ? null : setTimeout(() => void this.#ask(poll), wait)
  }

  async #ask(poll: Poll, isWanted = false): Promise<void> {
    if (isHeldStill(poll) && !isWanted) return
    if (poll.timer !== null) clearTimeout(poll.timer)
    poll.timer = null
    const asking = new AbortController()
    poll.asking = asking
    const { source } = poll
    source.loading = true
    const answer = await this.#around.client.get<object>(source.path, asking.signal)
    // Somebody else may be asking by now: this attempt was given up in between.
    if (poll.asking === asking) poll.asking = null
    if (answer === null) {
      source.loading = poll.asking !== null
      return
    }
    const answeredAt = this.clock.read()
    poll.failures = answer.ok ? 0 : poll.failures + 1
    const wait = answer.ok ? everyOf(poll) : waitAfter(answer.failure, poll.failures)
    this.#show(() => {
      source.loading = false
      if (isHeldStill(poll) && !isWanted) return
      source.failure = answer.ok ? null : answer.failure
      source.nextTryAt = answer.ok ? null : this.clock.read() + wait
      if (!answer.ok) return
      source.answeredAt = answeredAt
      source.body = answer.body
    })
    if (poll.holders > 0 && this.#around.inView()) this.#askIn(poll, wait)
  }

  /** One frame draws everything that arrived since the last. */
  #show(change: () => void): void {
    this.#arrived.push(change)
    if (this.#arrived.length > 1) return
    this.#around.onFrame(() => {
      const arrived = this.#arrived
      this.#arrived = []
      for (const apply of arrived) apply()
    })
  }
}
