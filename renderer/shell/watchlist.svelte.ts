import { recallOrTell, remember, setAside, type Keep, type KeptTrouble } from '../lib/keep.ts'

const NAME = 'augury.watchlist'
const KIND = 'augury-watchlist'
const VERSION = 1
/** As many as one question of the service names. */
export const MOST_WATCHED = 100

export interface Watched {
  readonly ticker: string
  /** Instant in UTC. */
  readonly addedAt: string
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
  return rows.every((row) => row !== null) ? rows : null
}

/** Markets that the reader keeps an eye on, in the order in which they were added. */
export class Watchlist {
  readonly #keep: Keep
  all = $state.raw<readonly Watched[]>([])
  readonly trouble: KeptTrouble | null

  constructor(keep: Keep) {
    this.#keep = keep
    const { value, trouble } = recallOrTell(keep, NAME, VERSION, ({ markets }) =>
      watchedOf(markets),
    )
    this.trouble = trouble
    if (trouble !== null) setAside(keep, NAME)
    this.all = (value ?? []).slice(0, MOST_WATCHED)
  }

  /** Takes what another window kept, when it can be read. */
  recall(): void {
    const { value } = recallOrTell(this.#keep, NAME, VERSION, ({ markets }) => watchedOf(markets))
    if (value !== null) this.all = value.slice(0, MOST_WATCHED)
  }

  has(ticker: string): boolean {
    return this.all.some((row) => row.ticker === ticker)
  }

  /** Adds a market; a sentence on what came of it. */
  add(ticker: string, addedAt: string): { readonly done: boolean; readonly text: string } {
    if (this.has(ticker)) return { done: true, text: `${ticker} is watched already` }
    if (this.all.length >= MOST_WATCHED) {
      const text = `${MOST_WATCHED} markets are watched, which is all there is room for: UNWATCH one first`
      return { done: false, text }
    }
    this.#set([...this.all, { ticker, addedAt }])
    return { done: true, text: `Watching ${ticker}. WATCH lists what is watched` }
  }

  remove(ticker: string): { readonly done: boolean; readonly text: string } {
    if (!this.has(ticker)) return { done: false, text: `${ticker} is not watched` }
    this.#set(this.all.filter((row) => row.ticker !== ticker))
    return { done: true, text: `${ticker} is not watched any more` }
  }

  /** The list as a file. */
  file(exportedAt: string): string {
    return JSON.stringify({ kind: KIND, version: VERSION, exportedAt, markets: this.all }, null, 2)
  }

  /** Adds the markets of a file; a file that cannot be read changes nothing. */
  take(text: string): { readonly done: boolean; readonly text: string } {
    const refused = (why: string) => ({ done: false, text: `${why}. Nothing was changed` })
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return refused('The file is no JSON: it is damaged, or no watchlist')
    }
    if (!isRecord(value) || value['kind'] !== KIND) {
      return refused('The file holds no watchlist of Augury')
    }
    const { version, markets } = value
    if (typeof version !== 'number') return refused('The file does not say its version')
    if (version > VERSION) {
      const ours = `and this Augury reads up to ${VERSION}: update it first`
      return refused(`The file is of version ${version}, ${ours}`)
    }
    const read = watchedOf(markets)
    if (read === null) return refused('A row of the file names no market')
    const fresh = read.filter(({ ticker }) => !this.has(ticker))
    const room = MOST_WATCHED - this.all.length
    this.#set([...this.all, ...fresh.slice(0, room)])
    const left = Math.max(0, fresh.length - room)
    const note = left === 0 ? '' : `; ${left} had no room`
    return { done: true, text: `Took ${fresh.length - left} of ${read.length} markets${note}` }
  }

  #set(all: readonly Watched[]): void {
    this.all = all
    remember(this.#keep, NAME, VERSION, { markets: all })
  }
}
