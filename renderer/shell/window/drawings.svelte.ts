import { recall, remember, type Keep } from '../../lib/keep.ts'

const NAME = 'augury.drawings'
const VERSION = 1
/** The most drawings of one market, and the most markets with drawings; the oldest are dropped. */
const MOST_A_MARKET = 50
const MOST_MARKETS = 200

/** A horizontal line that the user drew. */
export interface DrawnLevel {
  readonly id: string
  readonly kind: 'level'
  /** Cents. */
  readonly price: number
}
export type Drawing = DrawnLevel

type Kept = Readonly<Record<string, readonly Drawing[]>>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function drawingOf(value: unknown): Drawing | null {
  if (!isRecord(value) || value['kind'] !== 'level') return null
  const { id, price } = value
  if (typeof id !== 'string' || typeof price !== 'number') return null
  return price >= 0 && price <= 100 ? { id, kind: 'level', price } : null
}

function keptOf(value: unknown): Kept | null {
  if (!isRecord(value)) return null
  const rows = Object.entries(value).map(([ticker, drawings]) => [
    ticker,
    (Array.isArray(drawings) ? drawings : []).map(drawingOf).filter((known) => known !== null),
  ])
  return Object.fromEntries(rows) as Kept
}

/** What the user drew on charts, by market; stored on this machine. */
export class Drawings {
  readonly #keep: Keep
  #all = $state.raw<Kept>({})

  constructor(keep: Keep) {
    this.#keep = keep
    this.recall()
  }

  /** Reloads the drawings that another window stored. */
  recall(): void {
    this.#all = recall(this.#keep, NAME, VERSION, ({ markets }) => keptOf(markets)) ?? {}
  }

  of(ticker: string | null): readonly Drawing[] {
    return ticker === null ? [] : (this.#all[ticker] ?? [])
  }

  /** Adds a level, unless the market has one at this price. */
  addLevel(ticker: string, price: number): void {
    const before = this.of(ticker)
    if (before.some((drawing) => drawing.price === price)) return
    const level: DrawnLevel = { id: `level-${price}`, kind: 'level', price }
    this.#set(ticker, [...before, level].slice(-MOST_A_MARKET))
  }

  remove(ticker: string, id: string): void {
    this.#set(
      ticker,
      this.of(ticker).filter((drawing) => drawing.id !== id),
    )
  }

  clear(ticker: string): void {
    this.#set(ticker, [])
  }

  #set(ticker: string, drawings: readonly Drawing[]): void {
    const others = Object.entries(this.#all).filter(([name]) => name !== ticker)
    const rows = drawings.length === 0 ? others : [...others, [ticker, drawings] as const]
    this.#all = Object.fromEntries(rows.slice(-MOST_MARKETS))
    remember(this.#keep, NAME, VERSION, { markets: this.#all })
  }
}
