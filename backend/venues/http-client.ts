import type { Venue } from '../domain/market.ts'
import type { Millis } from '../domain/units.ts'
import type { Clock } from '../lib/clock.ts'
import { retry, retryAfter, type RetryDecision, type RetryPolicy } from '../lib/retry.ts'
import { CircuitBreaker } from './circuit-breaker.ts'
import { VenueFailure, type HostPause } from './connector.ts'
import { textOf, wireOf } from './fields.ts'
import type { FeedLedger } from './feed-ledger.ts'
import { BadBody, readJson } from './http-body.ts'
import { QueueFull, type Priority, type RequestBudget } from './request-budget.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Query values; a list repeats its key, null and undefined leave it out. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | null>>

export interface HttpClientOptions {
  readonly venue: Venue
  readonly baseUrl: string
  readonly clock: Clock
  readonly random: () => number
  readonly budget: RequestBudget
  readonly ledger: FeedLedger
  readonly fetch: Fetch
  /**
   * Headers of a signed request, created for each attempt; `path` starts with a slash, no query.
   */
  readonly sign?: ((method: string, path: string) => Readonly<Record<string, string>>) | null
  readonly policy?: RetryPolicy
  readonly timeoutMs?: number
  readonly maxBodyBytes?: number
}

export interface RequestOptions {
  readonly signal: AbortSignal
  readonly priority: Priority
  readonly query?: Query
  /** Sent as a JSON body by POST; only for calls that read. */
  readonly body?: unknown
  readonly signed?: boolean
  /** A 404 means that there is no such object, read as null, instead of a failure. */
  readonly mayBeAbsent?: boolean
  /**
   * A refusal by the host itself (5xx) with a JSON body that this accepts is read as a response.
   */
  readonly isAnswer?: (body: unknown) => boolean
  /** False sends the request once, whatever the response. */
  readonly retries?: boolean
}

const DEFAULT_POLICY: RetryPolicy = { attempts: 5, firstDelay: 1_000, factor: 2, maxDelay: 30_000 }
const TIMEOUT = 20_000
const MAX_BODY = 32 * 1024 * 1024
const MAX_RETRY_AFTER = 600_000
/** A larger difference (ms) between host time and ours is a clock jump, not drift. */
const CLOCK_JUMP = 5_000
const RETRYABLE = new Set([408, 425, 429, 500, 502, 503, 504])

/** A failed attempt; `after` is the wait that the host requested. */
class FailedAttempt extends VenueFailure {
  readonly after: number | null
  constructor(
    venue: Venue,
    message: string,
    details: { status: number | null; retryable: boolean; after: number | null; cause?: unknown },
  ) {
    super(venue, message, details)
    this.after = details.after
  }
}

/**
 * Reads JSON from one host within its request budget, with retries, Retry-After, timeout, size
 * bound and circuit breaker.
 */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #breaker: CircuitBreaker
  /** Host time minus monotonic time. */
  #hostClockOffset: number | null = null
  /** The same from a response whose time differed a lot, until a second one confirms it. */
  #unconfirmedOffset: number | null = null

  constructor(options: HttpClientOptions) {
    this.#options = options
    this.#breaker = new CircuitBreaker(options.clock)
  }

  /**
   * Host time minus our time in ms, from the Date header (resolution one second); 0 until known.
   */
  get clockOffset(): number {
    const { hostTime } = this
    return hostTime === null ? 0 : hostTime - this.#options.clock.now()
  }

  /** The time at the host, independent of jumps of our wall clock; null until known. */
  get hostTime(): Millis | null {
    if (this.#hostClockOffset === null) return null
    return (this.#options.clock.monotonic() + this.#hostClockOffset) as Millis
  }

  /**
   * Since when the host is not called because it kept failing, and why; null while it is called.
   */
  get pause(): HostPause | null {
    const { openCircuit } = this.#breaker
    return openCircuit === null
      ? null
      : { host: new URL(this.#options.baseUrl).host, ...openCircuit }
  }

  /**
   * The parsed JSON of a read.
   * @throws VenueFailure when the host refused, or kept failing; the signal's reason when aborted
   */
  async read(path: string, options: RequestOptions): Promise<unknown> {
    const { venue, clock, random, ledger, policy = DEFAULT_POLICY } = this.#options
    const admission = this.#breaker.admit()
    if (admission === 'refused') {
      throw new VenueFailure(venue, 'was not called: it failed repeatedly', { retryable: true })
    }
    try {
      const body = await retry(() => this.#try(path, options), {
        policy:
          options.retries === false || admission === 'trial' ? { ...policy, attempts: 1 } : policy,
        clock,
        random,
        signal: options.signal,
        decide: decideRetry,
      })
      this.#breaker.recordSuccess()
      return body
    } catch (error) {
      if (options.signal.aborted) throw error
      if (error instanceof VenueFailure && error.cause instanceof QueueFull) throw error
      if (error instanceof VenueFailure && !error.retryable) this.#breaker.recordSuccess()
      else this.#breaker.recordFailure(error instanceof Error ? error.message : 'unknown failure')
      if (options.mayBeAbsent === true && isAbsence(error)) return null
      ledger.recordFailure(error)
      throw error
    }
  }

  async #try(path: string, options: RequestOptions): Promise<unknown> {
    const { venue, budget, clock, ledger, timeoutMs = TIMEOUT } = this.#options
    const release = await budget
      .acquire(options.priority, options.signal)
      .catch((cause: unknown) => {
        if (!(cause instanceof QueueFull)) throw cause
        throw new VenueFailure(venue, `${path}: ${cause.message}`, { retryable: true, cause })
      })
    ledger.recordRequest()
    const timeout = new AbortController()
    const completion = new AbortController()
    void clock.sleep(timeoutMs, completion.signal).then(
      () => timeout.abort(new Error(`no answer within ${timeoutMs} ms`)),
      () => undefined,
    )
    try {
      return await this.#exchange(path, options, AbortSignal.any([options.signal, timeout.signal]))
    } catch (error) {
      if (options.signal.aborted || error instanceof VenueFailure) throw error
      const cause: unknown = timeout.signal.aborted ? timeout.signal.reason : error
      const message = `${path}: ${cause instanceof Error ? cause.message : 'the request failed'}`
      const retryable = !(error instanceof BadBody) || error.retryable
      throw new FailedAttempt(venue, message, { status: null, retryable, after: null, cause })
    } finally {
      completion.abort()
      release()
    }
  }

  async #exchange(path: string, options: RequestOptions, signal: AbortSignal): Promise<unknown> {
    const { baseUrl, sign, maxBodyBytes = MAX_BODY, fetch, ledger, clock } = this.#options
    const url = new URL(`${baseUrl}${path}${queryText(options.query ?? {})}`)
    const method = options.body === undefined ? 'GET' : 'POST'
    const response = await fetch(url.href, {
      method,
      signal,
      redirect: 'error',
      headers: {
        accept: 'application/json',
        'user-agent': 'Augury/0.1 (market data reader)',
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.signed === true ? sign?.(method, url.pathname) : {}),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    })
    this.#recordDate(response)
    const body = response.ok
      ? await readJson(response, maxBodyBytes)
      : await this.#failureOf(path, response, options)
    ledger.recordMessage(clock.now())
    return body
  }

  /** Returns the body of a refusal that is a valid response; throws otherwise. */
  async #failureOf(
    path: string,
    response: Response,
    { isAnswer }: RequestOptions,
  ): Promise<unknown> {
    const { venue, budget, clock } = this.#options
    const { status } = response
    const statedDelay = retryAfter(response.headers.get('retry-after'), clock.now())
    const retryDelay = statedDelay === null ? null : Math.min(MAX_RETRY_AFTER, statedDelay)
    if (retryDelay !== null) budget.pause(retryDelay)
    const body = await readJson(response, 65_536).catch((error: unknown) => error)
    if (status >= 500 && isAnswer?.(body) === true) return body
    // A challenge page of the network in front of the venue is temporary; a refusal by the venue is
    // not.
    const isChallenge = status === 403 && body instanceof BadBody
    throw new FailedAttempt(venue, `${path}: ${status} ${refusalText(body)}`, {
      status,
      retryable: RETRYABLE.has(status) || isChallenge,
      after: retryDelay,
    })
  }

  #recordDate(response: Response): void {
    const at = Date.parse(response.headers.get('date') ?? '')
    if (!Number.isFinite(at)) return
    const measuredOffset = at + 500 - this.#options.clock.monotonic()
    const [confirmedOffset, unconfirmedOffset] = [this.#hostClockOffset, this.#unconfirmedOffset]
    this.#unconfirmedOffset = null
    if (confirmedOffset !== null && Math.abs(measuredOffset - confirmedOffset) < CLOCK_JUMP) {
      this.#hostClockOffset = confirmedOffset * 0.8 + measuredOffset * 0.2
    } else if (
      confirmedOffset === null ||
      (unconfirmedOffset !== null && Math.abs(measuredOffset - unconfirmedOffset) < CLOCK_JUMP)
    ) {
      // Monotonic time stops while a machine sleeps: the old difference is useless.
      this.#hostClockOffset = measuredOffset
    } else this.#unconfirmedOffset = measuredOffset
  }
}

const isAbsence = (error: unknown): boolean => error instanceof VenueFailure && error.status === 404

const decideRetry = (error: unknown): RetryDecision =>
  error instanceof FailedAttempt && error.retryable
    ? { retry: true, after: error.after }
    : { retry: false }

/** The venues state errors as `{error:{message}}`, `{message}`, `{error:"…"}` or plain text. */
export function refusalText(body: unknown): string {
  if (body instanceof Error) return body.message
  const outer = wireOf(body)
  const inner = wireOf(outer?.['error'])
  const text =
    textOf(inner?.['message']) ??
    textOf(inner?.['code']) ??
    textOf(outer?.['error']) ??
    textOf(outer?.['message'])
  return (text ?? 'without a reason').slice(0, 200)
}

function queryText(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query)) {
    if (value === null) continue
    if (typeof value === 'object') for (const item of value) parameters.append(key, item)
    else parameters.append(key, String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}
