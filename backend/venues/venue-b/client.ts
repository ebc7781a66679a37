import type { Ticker } from '../../domain/market.ts'
import { MINUTE, type Millis } from '../../domain/units.ts'
import { VenueFailure, type HostPause } from '../connector.ts'
import { listOf, textOf, wireOf } from '../fields.ts'
import type { HttpClient, Query, RequestOptions } from '../http-client.ts'
import { chunksOf, walkPages } from '../paging.ts'

const MAX_PAGES = 5_000
/** Maximum number of conditions per listing request, and per tape request. */
export const CONDITIONS_PER_LISTING = 100
export const CONDITIONS_PER_TAPE = 20
const BOOKS_PER_CALL = 100

export type ReadOptions = Pick<RequestOptions, 'signal' | 'priority'>

/** Gamma (catalogue), the order book service, and the Data API (tape, resolutions). */
export interface VenueBHosts {
  readonly gamma: HttpClient
  readonly clob: HttpClient
  readonly data: HttpClient
}

/** REST calls of the venue: paths, parameters and page walks; bodies are returned unparsed. */
export class VenueBClient {
  readonly #hosts: VenueBHosts

  constructor(hosts: VenueBHosts) {
    this.#hosts = hosts
  }

  /**
   * The venue's time, preferably of the host that serves the tape; null until a host has answered.
   */
  get hostTime(): Millis | null {
    const { gamma, clob, data } = this.#hosts
    return data.hostTime ?? clob.hostTime ?? gamma.hostTime
  }

  /** State of each host, in order; null for one that is in use. */
  get pauses(): readonly (HostPause | null)[] {
    const { gamma, clob, data } = this.#hosts
    return [gamma.pause, clob.pause, data.pause]
  }

  time(signal: AbortSignal): Promise<unknown> {
    return this.#hosts.clob.read('/time', { signal, priority: 'live', retries: false })
  }

  openEvents(options: ReadOptions): AsyncGenerator {
    return this.#walkListing('/events/keyset', { limit: 500, closed: false }, options)
  }

  /** Closed markets whose planned end is at or after `endedFrom`, latest end first. */
  closedMarkets(endedFrom: string, options: ReadOptions): AsyncGenerator {
    const query = { limit: 100, closed: true, include_tag: true, end_date_min: endedFrom }
    return this.#walkListing(
      '/markets/keyset',
      { ...query, order: 'endDate', ascending: false },
      options,
    )
  }

  /** Up to 100 markets; closed ones are only found when requested as closed. */
  markets(tickers: readonly Ticker[], closed: boolean, options: ReadOptions): Promise<unknown> {
    const query = { limit: 100, condition_ids: tickers, closed, include_tag: true }
    return this.#hosts.gamma.read('/markets/keyset', { ...options, query })
  }

  /** Whole books; when the batch is refused they are read one by one, and missing ones left out. */
  async books(assetIds: readonly string[], options: ReadOptions): Promise<readonly unknown[]> {
    const books: unknown[] = []
    for (const chunk of chunksOf(assetIds, BOOKS_PER_CALL)) {
      books.push(...(await this.#readBooks(chunk, options)))
    }
    return books
  }

  async #readBooks(assetIds: readonly string[], options: ReadOptions): Promise<readonly unknown[]> {
    try {
      const body = assetIds.map((id) => ({ token_id: id }))
      const answer = await this.#hosts.clob.read('/books', { ...options, body })
      return listOf(answer)
    } catch (error) {
      if (!(error instanceof VenueFailure) || error.status !== 400) throw error
    }
    const books: unknown[] = []
    for (const id of assetIds) {
      const query = { token_id: id }
      const book = await this.#hosts.clob.read('/book', { ...options, query, mayBeAbsent: true })
      if (book !== null) books.push(book)
    }
    return books
  }

  /**
   * Midpoints of these assets' books, one body per call; when the batch is refused they are read
   * one by one. Assets without a midpoint are left out.
   */
  async midpoints(assetIds: readonly string[], options: ReadOptions): Promise<readonly unknown[]> {
    const bodies: unknown[] = []
    for (const chunk of chunksOf(assetIds, BOOKS_PER_CALL)) {
      const body = chunk.map((id) => ({ token_id: id }))
      try {
        bodies.push(await this.#hosts.clob.read('/midpoints', { ...options, body }))
      } catch (error) {
        if (!(error instanceof VenueFailure) || error.retryable) throw error
        for (const id of chunk) {
          const request = { ...options, query: { token_id: id }, mayBeAbsent: true }
          bodies.push({ [id]: await this.#hosts.clob.read('/midpoint', request) })
        }
      }
    }
    return bodies
  }

  /** Prices of one asset; the venue refuses ranges over fifteen days. */
  pricesHistory(
    assetId: string,
    range: { readonly from: number; readonly to: number; readonly fidelity: Millis },
    options: ReadOptions,
  ): Promise<unknown> {
    const query = {
      market: assetId,
      startTs: Math.floor(range.from / 1_000),
      endTs: Math.ceil(range.to / 1_000),
      fidelity: Math.max(1, Math.round(range.fidelity / MINUTE)),
    }
    return this.#hosts.clob.read('/prices-history', { ...options, query })
  }

  /** The tape, newest first; null is the feed of all markets (this month and the last). */
  trades(conditions: readonly Ticker[] | null, options: ReadOptions): AsyncGenerator {
    const condition = conditions === null ? null : conditions.join(',')
    const query = { limit: 1_000, taker_only: true, condition }
    return walkPages(
      'venue_b',
      async (cursor) => {
        const value = await this.#hosts.data.read('/v2/trades', {
          ...options,
          query: { ...query, cursor },
        })
        return { value, cursor: tapeCursor(value) }
      },
      MAX_PAGES,
    )
  }

  openInterest(conditions: readonly Ticker[], options: ReadOptions): Promise<unknown> {
    const query = { condition: conditions.join(',') }
    return this.#hosts.data.read('/v2/oi', { ...options, query })
  }

  /** Resolution of a condition; null when the venue does not know it. */
  resolution(condition: Ticker, options: ReadOptions): Promise<unknown> {
    const request = { ...options, query: { condition }, mayBeAbsent: true }
    return this.#hosts.data.read('/v2/resolutions', request)
  }

  /** The order book service's own record of a market; null when it has none. */
  clobMarket(condition: Ticker, options: ReadOptions): Promise<unknown> {
    const path = `/markets/${encodeURIComponent(condition)}`
    return this.#hosts.clob.read(path, { ...options, mayBeAbsent: true })
  }

  #walkListing(path: string, query: Query, options: ReadOptions): AsyncGenerator {
    return walkPages(
      'venue_b',
      async (after) => {
        const page = { ...query, after_cursor: after }
        const value = await this.#hosts.gamma.read(path, { ...options, query: page })
        return { value, cursor: textOf(wireOf(value)?.['next_cursor']) }
      },
      MAX_PAGES,
    )
  }
}

/** A page with more rows but no cursor is a failure of the venue, not the end of the tape. */
function tapeCursor(body: unknown): string | null {
  const pagination = wireOf(wireOf(body)?.['pagination'])
  const cursor = textOf(pagination?.['next_cursor'])
  if (cursor === null && pagination?.['has_more'] === true) {
    throw new VenueFailure('venue_b', 'the tape had more rows and no cursor', { retryable: true })
  }
  return cursor
}
