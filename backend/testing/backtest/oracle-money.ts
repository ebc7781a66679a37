import type { Venue } from '../../domain/market.ts'

interface HeldLot {
  readonly side: 'yes' | 'no'
  readonly price: bigint
  size: bigint
  fee: bigint
}

/** A fill as the oracle's accounting receives it. */
export interface OracleTrade {
  readonly id: number
  readonly market: number
  readonly action: 'buy' | 'sell'
  readonly side: 'yes' | 'no'
  /** Of the traded side, 1e-4 dollars. */
  readonly price: number
  readonly traded: number
  readonly isMaker: boolean
  /** The order's open size after it, and its limit price. */
  readonly rest: number
  readonly holdAt: number
}

const E4 = 10_000n
/** Rounds a quotient down or up to whole steps. */
const floorDiv = (a: bigint, b: bigint): bigint => (a >= 0n ? a / b : -((-a + b - 1n) / b))
const ceilDiv = (a: bigint, b: bigint): bigint => -floorDiv(-a, b)
/** Rounds half away from zero; for amounts of at least 0. */
const roundDiv = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b)
const cost = (price: bigint, size: bigint): bigint => roundDiv(price * size, E4)

/** Cash, lots and fees in whole 1e-6 dollars, computed with BigInt. */
export class OracleMoney {
  #cash: bigint
  #realised = 0n
  readonly #lots: HeldLot[][]
  readonly #venues: readonly Venue[]
  readonly #snapshot: bigint
  readonly #roundings = new Map<number, bigint>()
  readonly #heldMoney = new Map<number, bigint>()
  readonly #heldContracts = new Map<number, { market: number; size: number }>()
  readonly #settled = new Map<number, { net: number; cost: bigint; price: number | null }>()

  constructor(startCash: number, venues: readonly Venue[], snapshot: number) {
    this.#cash = BigInt(startCash)
    this.#venues = venues
    this.#snapshot = BigInt(snapshot)
    this.#lots = venues.map(() => [])
  }

  cash(): number {
    return Number(this.#cash)
  }
  realised(): number {
    return Number(this.#realised)
  }
  netOf(market: number): number {
    return this.heldOf(market, 'yes') - this.heldOf(market, 'no')
  }
  heldOf(market: number, side: 'yes' | 'no'): number {
    const lots = this.#lots[market]!.filter((lot) => lot.side === side)
    return Number(lots.reduce((sum, lot) => sum + lot.size, 0n))
  }
  soldOf(market: number): number {
    const reservations = [...this.#heldContracts.values()].filter((one) => one.market === market)
    return reservations.reduce((sum, { size }) => sum + size, 0)
  }

  holdContracts(id: number, market: number, size: number): void {
    this.#heldContracts.set(id, { market, size })
  }
  /** Reserves cash for a buy; false when there is too little. */
  holdMoney(id: number, market: number, price: number, size: number): boolean {
    const need = this.#worst(market, price, size)
    const total = [...this.#heldMoney.values()].reduce((sum, one) => sum + one, 0n)
    if (need > this.#cash - total) return false
    this.#heldMoney.set(id, need)
    return true
  }
  release(id: number): void {
    this.#heldMoney.delete(id)
    this.#heldContracts.delete(id)
  }

  /** Books a fill; returns its fee. */
  trade(fill: OracleTrade): number {
    const { market, side, action } = fill
    const [price, size] = [BigInt(fill.price), BigInt(fill.traded)]
    const fee = this.#feeOf(fill)
    const lots = this.#lots[market]!
    if (action === 'sell') {
      this.#cash += cost(price, size) - fee
      this.#close(market, size, price, fee)
      this.#heldContracts.set(fill.id, { market, size: fill.rest })
    } else {
      const against = lots.filter((lot) => lot.side !== side)
      const total = against.reduce((sum, lot) => sum + lot.size, 0n)
      const closing = size < total ? size : total
      const opening = size - closing
      const closingFee = opening === 0n ? fee : roundDiv(fee * closing, size)
      if (closing > 0n) {
        this.#cash += cost(E4 - price, closing) - closingFee
        this.#close(market, closing, E4 - price, closingFee)
      }
      if (opening > 0n) {
        this.#cash -= cost(price, opening) + fee - closingFee
        lots.push({ side, price, size: opening, fee: fee - closingFee })
      }
      const need = fill.rest === 0 ? 0n : this.#worst(market, fill.holdAt, fill.rest)
      this.#heldMoney.set(fill.id, need)
    }
    return Number(fee)
  }

  /** Pays out positions at settlement; null returns their cost. */
  settle(market: number, yesPrice: number | null): void {
    const net = this.netOf(market)
    if (net === 0) return
    const lotCost = this.#lots[market]!.reduce((sum, lot) => sum + cost(lot.price, lot.size), 0n)
    for (const lot of this.#lots[market]!) {
      const own = yesPrice === null ? lot.price : ownPrice(lot.side, yesPrice)
      this.#cash += cost(own, lot.size)
      this.#realised += cost(own, lot.size) - cost(lot.price, lot.size) - lot.fee
    }
    this.#lots[market] = []
    this.#settled.set(market, { net, cost: lotCost, price: yesPrice })
  }

  /** Pays the difference between a changed result and the one that was paid, or a new position. */
  amend(market: number, yesPrice: number | null): void {
    if (this.netOf(market) !== 0) return this.settle(market, yesPrice)
    const before = this.#settled.get(market)
    if (before === undefined || before.price === yesPrice) return
    const side = before.net > 0 ? 'yes' : 'no'
    const size = BigInt(Math.abs(before.net))
    const payout = (price: number | null): bigint =>
      price === null ? before.cost : cost(ownPrice(side, price), size)
    const change = payout(yesPrice) - payout(before.price)
    this.#cash += change
    this.#realised += change
    this.#settled.set(market, { ...before, price: yesPrice })
  }

  /**
   * Cash plus the value of lots at the opposite side of each book; at cost when no price is known.
   */
  equity(exits: readonly { bid: number | null; ask: number | null }[]): number {
    let sum = this.#cash
    for (const [market, lots] of this.#lots.entries()) {
      const [first] = lots
      if (first === undefined) continue
      const size = lots.reduce((total, lot) => total + lot.size, 0n)
      const exit = first.side === 'yes' ? exits[market]!.bid : exits[market]!.ask
      if (exit !== null) sum += cost(ownPrice(first.side, exit), size)
      else for (const lot of lots) sum += cost(lot.price, lot.size)
    }
    return Number(sum)
  }

  #close(market: number, size: bigint, price: bigint, fee: bigint): void {
    const lots = this.#lots[market]!
    let [left, feeLeft] = [size, fee]
    while (left > 0n) {
      const lot = lots[0]!
      const part = left < lot.size ? left : lot.size
      const rest = lot.size - part
      const entryFee = rest === 0n ? lot.fee : lot.fee - roundDiv(lot.fee * rest, lot.size)
      const exitFee = part === left ? feeLeft : roundDiv(feeLeft * part, left)
      this.#realised +=
        cost(price, part) - (cost(lot.price, lot.size) - cost(lot.price, rest)) - entryFee - exitFee
      lot.size = rest
      lot.fee -= entryFee
      left -= part
      feeLeft -= exitFee
      if (rest === 0n) lots.shift()
    }
  }

  /** Methodology A15: 7 % or 1.75 %, makers free, at venue_a; 4 % of takers at venue_b. */
  #feeOf({ id, market, action, price, traded, isMaker }: OracleTrade): bigint {
    if (isMaker) return 0n
    const [p, size] = [BigInt(price), BigInt(traded)]
    const variance = p * (E4 - p)
    if (this.#venues[market] === 'venue_b') {
      return floorDiv(size * 4n * variance, 100n * E4 * E4 * 10n) * 10n
    }
    const tradeFee = ceilDiv(size * 7n * variance, 100n * E4 * E4)
    // Cash in 1e-10 dollars, so that fractions of a contract keep theirs.
    const change = (action === 'buy' ? -1n : 1n) * size * p - tradeFee * E4
    const snapshot = this.#snapshot * E4
    const rounding = change - floorDiv(change, snapshot) * snapshot
    const gathered = (this.#roundings.get(id) ?? 0n) * E4 + rounding
    const back = floorDiv(gathered, snapshot)
    const max = floorDiv(tradeFee * E4 + rounding, snapshot)
    const rebate = (back < max ? back : max) * snapshot
    this.#roundings.set(id, roundDiv(gathered - rebate, E4))
    return roundDiv(tradeFee * E4 + rounding - rebate, E4)
  }

  #worst(market: number, price: number, size: number): bigint {
    const [p, s] = [BigInt(price), BigInt(size)]
    const at = p < 5_000n ? p : 5_000n
    const id = -1
    this.#roundings.delete(id)
    const fee = this.#feeOf({
      id,
      market,
      action: 'buy',
      side: 'yes',
      price: Number(at),
      traded: size,
      isMaker: false,
      rest: 0,
      holdAt: 0,
    })
    this.#roundings.delete(id)
    const rounding = this.#venues[market] === 'venue_a' ? 2n * this.#snapshot : 0n
    return cost(p, s) + fee + rounding
  }
}

const ownPrice = (side: 'yes' | 'no', yesPrice: number): bigint =>
  side === 'yes' ? BigInt(yesPrice) : E4 - BigInt(yesPrice)
