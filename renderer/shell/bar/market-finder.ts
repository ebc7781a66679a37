import type { MarketRow } from '../../../backend/contract/market.ts'
import type { MarketHit } from './market-hit.ts'

export type FinderRequest =
  | { readonly kind: 'add'; readonly markets: readonly MarketHit[] }
  | { readonly kind: 'find'; readonly id: number; readonly text: string; readonly limit: number }
export interface FinderAnswer {
  readonly id: number
  readonly hits: readonly MarketHit[]
}

/** The used part of a Worker. */
export interface FinderWorker {
  postMessage(request: FinderRequest): void
  onmessage: ((event: MessageEvent<FinderAnswer>) => void) | null
}

/** Finds markets by title or ticker; ranking runs in a worker so that typing never waits. */
export class MarketFinder {
  readonly #worker: FinderWorker
  readonly #waiting = new Map<number, (hits: readonly MarketHit[]) => void>()
  readonly #known = new Map<string, MarketHit>()
  #count = 0

  constructor(worker: FinderWorker) {
    this.#worker = worker
    worker.onmessage = ({ data }) => {
      this.#waiting.get(data.id)?.(data.hits.map((hit) => this.#known.get(hit.ticker) ?? hit))
      this.#waiting.delete(data.id)
    }
  }

  /** The number of searchable markets. */
  get size(): number {
    return this.#known.size
  }

  has(ticker: string): boolean {
    return this.#known.has(ticker)
  }

  /** Adds markets to the search; the figures of known ones are replaced. */
  add(rows: readonly MarketRow[]): void {
    const fresh = rows.filter(({ ticker }) => !this.#known.has(ticker))
    for (const row of rows) {
      this.#known.set(row.ticker, { ticker: row.ticker, title: row.title, row })
    }
    if (fresh.length === 0) return
    this.#worker.postMessage({
      kind: 'add',
      markets: fresh.map(({ ticker, title }) => ({ ticker, title })),
    })
  }

  find(text: string, limit: number): Promise<readonly MarketHit[]> {
    this.#count += 1
    const id = this.#count
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#worker.postMessage({ kind: 'find', id, text, limit })
    })
  }
}
