import {
  SPAN_KINDS,
  type Drawing,
  type DrawnPoint,
  type NewDrawing,
} from '../../charts/layers/drawing.ts'
import { readStored, writeStored, type KeyValueStore } from '../../lib/key-value-store.ts'

const NAME = 'augury.drawings'
const VERSION = 1
/** The most drawings of one market, and the most markets with drawings; the oldest are dropped. */
const MAX_PER_MARKET = 50
const MAX_MARKETS = 200

const MAX_TEXT_LENGTH = 120
const MAX_UNDONE = 50

type StoredDrawings = Readonly<Record<string, readonly Drawing[]>>

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isPrice = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= 100

function pointOf(value: unknown): DrawnPoint | null {
  if (!isRecord(value)) return null
  const { time, price } = value
  return typeof time === 'number' && Number.isFinite(time) && isPrice(price)
    ? { time, price }
    : null
}

function drawingOf(value: unknown): Drawing | null {
  if (!isRecord(value) || typeof value['id'] !== 'string') return null
  const { id, kind, price, text } = value
  if (kind === 'level') return isPrice(price) ? { id, kind, price } : null
  if (kind === 'text') {
    const at = pointOf(value['at'])
    return at === null || typeof text !== 'string'
      ? null
      : { id, kind, at, text: text.slice(0, MAX_TEXT_LENGTH) }
  }
  const span = SPAN_KINDS.find((candidate) => candidate === kind)
  const [from, to] = [pointOf(value['from']), pointOf(value['to'])]
  return span === undefined || from === null || to === null ? null : { id, kind: span, from, to }
}

function storedOf(value: unknown): StoredDrawings | null {
  if (!isRecord(value)) return null
  const rows = Object.entries(value).map(([ticker, drawings]) => [
    ticker,
    (Array.isArray(drawings) ? drawings : []).map(drawingOf).filter((drawing) => drawing !== null),
  ])
  return Object.fromEntries(rows) as StoredDrawings
}

/** Drawings of a market before a change. */
interface Edit {
  readonly ticker: string
  readonly before: readonly Drawing[]
}

const textOf = ({ time, price }: DrawnPoint): string => `${time}-${price}`

/** Equal drawings have equal ids. */
function idOf(drawing: NewDrawing): string {
  switch (drawing.kind) {
    case 'level':
      return `level-${drawing.price}`
    case 'text':
      return `text-${textOf(drawing.at)}-${drawing.text}`
    default:
      return `${drawing.kind}-${textOf(drawing.from)}-${textOf(drawing.to)}`
  }
}

/** Where a signed-in user's drawings are stored besides this machine. */
interface DrawingsStore {
  /** The drawings of a market were changed. */
  onChanged(ticker: string): void
}

/** The user's chart drawings by market; stored on this machine and in the account. */
export class Drawings {
  readonly #storage: KeyValueStore
  readonly #undoSteps: Edit[] = []
  readonly #redoSteps: Edit[] = []
  #all = $state.raw<StoredDrawings>({})
  /** Id of the user whose drawings these are; null for drawings made without an account. */
  owner: string | null = null
  /** The store of the signed-in user; null without one. */
  store: DrawingsStore | null = null
  /** Markets whose drawings the account does not have as they are here. */
  #unsent: readonly string[] = []

  constructor(storage: KeyValueStore) {
    this.#storage = storage
    this.reload()
  }

  /** Reloads the drawings that another window stored. */
  reload(): void {
    const stored = readStored(this.#storage, NAME, VERSION, ({ markets, owner, unsent }) => {
      const all = storedOf(markets)
      if (all === null) return null
      const tickers: readonly unknown[] = Array.isArray(unsent) ? unsent : []
      return {
        all,
        owner: typeof owner === 'string' ? owner : null,
        unsent: tickers.filter((ticker) => typeof ticker === 'string'),
      }
    })
    this.#all = stored?.all ?? {}
    this.owner = stored?.owner ?? null
    this.#unsent = stored?.unsent ?? []
  }

  /** Markets with drawings. */
  get tickers(): readonly string[] {
    return Object.keys(this.#all)
  }

  get unsent(): readonly string[] {
    return this.#unsent
  }
  /** The account has the drawings of a market as they are here. */
  markSent(ticker: string): void {
    this.#unsent = this.#unsent.filter((other) => other !== ticker)
    this.#keepAll(this.#all)
  }

  /** Takes over the drawings of a user, as the service stores them, and those not sent yet. */
  replace(
    all: readonly (readonly [string, readonly unknown[]])[],
    owner: string,
    unsent: readonly string[],
  ): void {
    this.owner = owner
    this.#unsent = unsent
    const rows = all.filter(([, drawings]) => drawings.length > 0).slice(-MAX_MARKETS)
    this.#keepAll(storedOf(Object.fromEntries(rows)) ?? {})
  }

  get(ticker: string | null): readonly Drawing[] {
    return ticker === null ? [] : (this.#all[ticker] ?? [])
  }

  /** Adds a drawing, unless the market has an equal one. */
  add(ticker: string, drawing: NewDrawing): void {
    const previous = this.get(ticker)
    const id = idOf(drawing)
    if (previous.some((candidate) => candidate.id === id)) return
    this.#edit(ticker, [...previous, { ...drawing, id }].slice(-MAX_PER_MARKET))
  }

  /** Adds a level, unless the market has one at this price. */
  addLevel(ticker: string, price: number): void {
    this.add(ticker, { kind: 'level', price })
  }

  /** Moves a level; onto another one they become one. */
  moveLevel(ticker: string, id: string, price: number): void {
    const movedLevel = { kind: 'level', price, id: idOf({ kind: 'level', price }) } as const
    const others = this.get(ticker).filter((drawing) => drawing.id !== movedLevel.id)
    this.#edit(
      ticker,
      others.map((drawing) => (drawing.id === id ? movedLevel : drawing)),
    )
  }

  remove(ticker: string, id: string): void {
    this.#edit(
      ticker,
      this.get(ticker).filter((drawing) => drawing.id !== id),
    )
  }

  clear(ticker: string): void {
    this.#edit(ticker, [])
  }

  /** Takes back the last change of a market's drawings; false when there is none. */
  undo(ticker: string): boolean {
    return this.#restore(ticker, this.#undoSteps, this.#redoSteps)
  }

  redo(ticker: string): boolean {
    return this.#restore(ticker, this.#redoSteps, this.#undoSteps)
  }

  #restore(ticker: string, from: Edit[], to: Edit[]): boolean {
    const index = from.findLastIndex((edit) => edit.ticker === ticker)
    const edit = from[index]
    if (edit === undefined) return false
    from.splice(index, 1)
    to.push({ ticker, before: this.get(ticker) })
    this.#set(ticker, edit.before)
    return true
  }

  #edit(ticker: string, drawings: readonly Drawing[]): void {
    this.#undoSteps.push({ ticker, before: this.get(ticker) })
    if (this.#undoSteps.length > MAX_UNDONE) this.#undoSteps.shift()
    this.#redoSteps.length = 0
    this.#set(ticker, drawings)
  }

  #set(ticker: string, drawings: readonly Drawing[]): void {
    const others = Object.entries(this.#all).filter(([name]) => name !== ticker)
    const rows = drawings.length === 0 ? others : [...others, [ticker, drawings] as const]
    if (this.owner !== null && !this.#unsent.includes(ticker)) {
      this.#unsent = [...this.#unsent, ticker]
    }
    this.#keepAll(Object.fromEntries(rows.slice(-MAX_MARKETS)))
    this.store?.onChanged(ticker)
  }

  #keepAll(all: StoredDrawings): void {
    this.#all = all
    const { owner } = this
    writeStored(this.#storage, NAME, VERSION, { markets: all, owner, unsent: this.#unsent })
  }
}
