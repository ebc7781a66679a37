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
  onAdded(ticker: string): void
  onRemoved(ticker: string): void
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
    const { value, problem } = this.#readStored()
    this.problem = problem
    if (problem !== null) setAside(storage, NAME)
    this.#load(value)
  }

  #readStored() {
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
  reload(): void {
    this.#load(this.#readStored().value)
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
  add(ticker: string, addedAt: string): { readonly ok: boolean; readonly text: string } {
    if (this.has(ticker)) return { ok: true, text: `${ticker} is already on the watchlist` }
    if (this.all.length >= MAX_WATCHED) {
      const text = `${MAX_WATCHED} markets are on the watchlist, which is the limit. UNWATCH one first`
      return { ok: false, text }
    }
    this.#change([...this.all, { ticker, addedAt }])
    this.store?.onAdded(ticker)
    return { ok: true, text: `${ticker} added to the watchlist. WATCH lists it` }
  }

  remove(ticker: string): { readonly ok: boolean; readonly text: string } {
    if (!this.has(ticker)) return { ok: false, text: `${ticker} is not on the watchlist` }
    const refusal = this.store?.refusal(ticker) ?? null
    if (refusal !== null) return { ok: false, text: refusal }
    this.#change(this.all.filter((row) => row.ticker !== ticker))
    this.store?.onRemoved(ticker)
    return { ok: true, text: `${ticker} removed from the watchlist` }
  }

  /** The list as a file. */
  file(exportedAt: string): string {
    return JSON.stringify({ kind: KIND, version: VERSION, exportedAt, markets: this.all }, null, 2)
  }

  /** Adds the markets of a file; a file that cannot be read changes nothing. */
  importFile(text: string): { readonly ok: boolean; readonly text: string } {
    const rejectedResult = (reason: string) => ({
      ok: false,
      text: `${reason}. Nothing was changed`,
    })
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return rejectedResult('The file is not valid JSON: it is damaged or not a watchlist')
    }
    if (!isRecord(value) || value['kind'] !== KIND) {
      return rejectedResult('The file contains no Augury watchlist')
    }
    const { version, markets } = value
    if (typeof version !== 'number') return rejectedResult('The file has no version')
    if (version > VERSION) {
      const versionText = `this version reads up to ${VERSION}. Update Augury first`
      return rejectedResult(`The file has version ${version}; ${versionText}`)
    }
    const read = watchedOf(markets)
    if (read === null) return rejectedResult('A row in the file has no market')
    const newMarkets = read.filter(({ ticker }) => !this.has(ticker))
    const freeCount = MAX_WATCHED - this.all.length
    const addedMarkets = newMarkets.slice(0, freeCount)
    this.#change([...this.all, ...addedMarkets])
    for (const { ticker } of addedMarkets) this.store?.onAdded(ticker)
    const omittedCount = Math.max(0, newMarkets.length - freeCount)
    const note = omittedCount === 0 ? '' : `; ${omittedCount} did not fit`
    return {
      ok: true,
      text: `Added ${newMarkets.length - omittedCount} of ${read.length} markets${note}`,
    }
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
