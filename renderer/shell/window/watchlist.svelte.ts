import {
  readStoredOrProblem,
  writeStored,
  setAside,
  type KeyValueStore,
  type StorageProblem,
} from '../../lib/key-value-store.ts'

const NAME = 'augury.watchlist'
const KIND = 'augury-watchlist'
const VERSION = 1
/** The maximum number of tickers in one request. */
export const MAX_WATCHED = 100

export interface Watched {
  readonly ticker: string
  /** Instant in UTC. */
  readonly addedAt: string
}

/** Where a signed-in user's list is stored besides this machine. */
interface WatchStore {
  /** Why a market has to stay on the list; null when it can be removed. */
  refusal(ticker: string): string | null
  added(ticker: string): void
  removed(ticker: string): void
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const TICKER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

function watchedOf(value: unknown): readonly Watched[] | null {
  if (!Array.isArray(value)) return null
  const rows = value.map((row: unknown) => {
    const { ticker, addedAt } = isRecord(row) ? row : {}
    if (typeof ticker !== 'string' || !TICKER.test(ticker)) return null
    return { ticker, addedAt: typeof addedAt === 'string' ? addedAt : '' }
  })
  if (!rows.every((row) => row !== null)) return null
  // A market is listed once, even if a file names it again.
  return rows.filter(
    ({ ticker }, index) => rows.findIndex((row) => row.ticker === ticker) === index,
  )
}

/** The user's watchlist, in the order in which markets were added. */
export class Watchlist {
  readonly #storage: KeyValueStore
  all = $state.raw<readonly Watched[]>([])
  /** Id of the user whose stored list this is; null for a list made without an account. */
  owner: string | null = null
  /** The store of the signed-in user; null without one. */
  store: WatchStore | null = null
  readonly problem: StorageProblem | null

  constructor(storage: KeyValueStore) {
    this.#storage = storage
    const { value, problem } = this.#stored()
    this.problem = problem
    if (problem !== null) setAside(storage, NAME)
    this.#load(value)
  }

  #stored() {
    return readStoredOrProblem(this.#storage, NAME, VERSION, ({ markets, owner }) => {
      const all = watchedOf(markets)
      return all === null ? null : { all, owner: typeof owner === 'string' ? owner : null }
    })
  }

  #load(value: { readonly all: readonly Watched[]; readonly owner: string | null } | null): void {
    if (value === null) return
    this.all = value.all.slice(0, MAX_WATCHED)
    this.owner = value.owner
  }

  /** Reloads the list that another window stored, if it can be parsed. */
  recall(): void {
    this.#load(this.#stored().value)
  }

  /** The list of a user, as the service stores it. */
  replace(all: readonly Watched[], owner: string): void {
    this.owner = owner
    this.#set(all.slice(0, MAX_WATCHED))
  }

  has(ticker: string): boolean {
    return this.all.some((row) => row.ticker === ticker)
  }

  /** Adds a market; returns a message. */
  add(ticker: string, addedAt: string): { readonly done: boolean; readonly text: string } {
    if (this.has(ticker)) return { done: true, text: `${ticker} is already on the watchlist` }
    if (this.all.length >= MAX_WATCHED) {
      const text = `${MAX_WATCHED} markets are on the watchlist, which is the limit. UNWATCH one first`
      return { done: false, text }
    }
    this.#change([...this.all, { ticker, addedAt }])
    this.store?.added(ticker)
    return { done: true, text: `${ticker} added to the watchlist. WATCH lists it` }
  }

  remove(ticker: string): { readonly done: boolean; readonly text: string } {
    if (!this.has(ticker)) return { done: false, text: `${ticker} is not on the watchlist` }
    const refusal = this.store?.refusal(ticker) ?? null
    if (refusal !== null) return { done: false, text: refusal }
    this.#change(this.all.filter((row) => row.ticker !== ticker))
    this.store?.removed(ticker)
    return { done: true, text: `${ticker} removed from the watchlist` }
  }

  /** The list as a file. */
  file(exportedAt: string): string {
    return JSON.stringify({ kind: KIND, version: VERSION, exportedAt, markets: this.all }, null, 2)
  }

  /** Adds the markets of a file; a file that cannot be read changes nothing. */
  importFile(text: string): { readonly done: boolean; readonly text: string } {
    const unchanged = (why: string) => ({ done: false, text: `${why}. Nothing was changed` })
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return unchanged('The file is not valid JSON: it is damaged or not a watchlist')
    }
    if (!isRecord(value) || value['kind'] !== KIND) {
      return unchanged('The file contains no Augury watchlist')
    }
    const { version, markets } = value
    if (typeof version !== 'number') return unchanged('The file has no version')
    if (version > VERSION) {
      const ours = `this version reads up to ${VERSION}. Update Augury first`
      return unchanged(`The file has version ${version}; ${ours}`)
    }
    const read = watchedOf(markets)
    if (read === null) return unchanged('A row in the file has no market')
    const fresh = read.filter(({ ticker }) => !this.has(ticker))
    const room = MAX_WATCHED - this.all.length
    const added = fresh.slice(0, room)
    this.#change([...this.all, ...added])
    for (const { ticker } of added) this.store?.added(ticker)
    const left = Math.max(0, fresh.length - room)
    const note = left === 0 ? '' : `; ${left} did not fit`
    return { done: true, text: `Added ${fresh.length - left} of ${read.length} markets${note}` }
  }

  /** A change by the user. Without its store the list is no longer that of the account. */
  #change(all: readonly Watched[]): void {
    if (this.store === null) this.owner = null
    this.#set(all)
  }

  #set(all: readonly Watched[]): void {
    this.all = all
    writeStored(this.#storage, NAME, VERSION, { markets: all, owner: this.owner })
  }
}
