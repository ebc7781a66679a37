import type { Scenario } from './scenario.ts'

/** A displayed level, and the size left for the run's orders. */
interface Level {
  readonly price: number
  /** Null when the size was not published. */
  readonly size: number | null
}
interface Memory {
  readonly price: number
  displayed: number
  rest: number
}

/** A book that is rebuilt with each update: lists of levels, searched from the start. */
export class OracleBook {
  bids: Level[] = []
  asks: Level[] = []
  ts: number | null = null
  last: number | null = null
  /** Sides with known levels below the best. */
  #deep = { bids: false, asks: false }
  #memory: { bids: Memory[]; asks: Memory[] } = { bids: [], asks: [] }
  readonly #assumed: number

  constructor(model: Scenario['model']) {
    this.#assumed = Math.round(model.assumedLevelContracts * 1e6)
  }

  stateBest(ts: number, bid: Level | null, ask: Level | null): void {
    const [bids, asks] = valid(bid === null ? [] : [bid], ask === null ? [] : [ask])
    const before = { bids: this.bids, asks: this.asks }
    for (const side of ['bids', 'asks'] as const) {
      const [best] = side === 'bids' ? bids : asks
      const stays = this.#deep[side] && before[side][0]?.price === best?.price
      if (!stays) this.#deep[side] = false
      this[side] = best === undefined ? [] : [best, ...(stays ? before[side].slice(1) : [])]
    }
    this.ts = ts
    this.#remember()
  }

  stateWhole(ts: number, bids: Level[], asks: Level[]): void {
    ;[this.bids, this.asks] = valid(bids, asks)
    this.#deep = { bids: true, asks: true }
    this.ts = ts
    this.#remember()
  }

  /** Available size of each level, best first. */
  takeable(side: 'bids' | 'asks'): { price: number; size: number; isAssumed: boolean }[] {
    return this[side].map(({ price, size }) => {
      const displayed = size ?? this.#assumed
      const memory = this.#memory[side].find((one) => one.price === price)
      const left = memory === undefined ? displayed : Math.min(memory.rest, displayed)
      return { price, size: left, isAssumed: size === null }
    })
  }

  consume(side: 'bids' | 'asks', price: number, size: number): void {
    const memory = this.#memory[side].find((one) => one.price === price)
    if (memory !== undefined) memory.rest -= size
    else {
      const displayed = this.#shownAt(side, price)
      this.#memory[side].push({ price, displayed, rest: displayed - size })
    }
  }

  /** Size ahead of an order that joins the queue at a price; null when it is not known. */
  queueAt(side: 'bids' | 'asks', price: number): number | null {
    const levels = this[side]
    const level = levels.find((one) => one.price === price)
    if (level !== undefined) return level.size
    const worst = levels.at(-1)
    if (worst === undefined) return 0
    const isBelow = side === 'bids' ? price < worst.price : price > worst.price
    if (!isBelow) return 0
    return this.#deep[side] && levels.length < 5 ? 0 : null
  }

  #shownAt(side: 'bids' | 'asks', price: number): number {
    const level = this[side].find((one) => one.price === price)
    return level === undefined ? 0 : (level.size ?? this.#assumed)
  }

  #remember(): void {
    for (const side of ['bids', 'asks'] as const) {
      const memories: Memory[] = []
      for (const memory of this.#memory[side]) {
        const displayed = this.#shownAt(side, memory.price)
        if (displayed === memory.displayed) memories.push(memory)
        else if (displayed > 0 && displayed <= memory.rest) {
          memories.push({ price: memory.price, displayed, rest: displayed })
        }
      }
      this.#memory[side] = memories
    }
  }
}

/** Without empty sides (0 and 100), and without both when they cross. */
function valid(bids: Level[], asks: Level[]): [Level[], Level[]] {
  const best = { bid: bids[0]?.price ?? 0, ask: asks[0]?.price ?? 10_000 }
  const isPrice = (price: number): boolean => price > 0 && price < 10_000
  const levels: [Level[], Level[]] = [isPrice(best.bid) ? bids : [], isPrice(best.ask) ? asks : []]
  return levels[0].length > 0 && levels[1].length > 0 && best.bid >= best.ask ? [[], []] : levels
}
