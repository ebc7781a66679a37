import { boundedText } from '../text/bounded-text.ts'
import type { Millis } from '../units.ts'
import type { MarketIndex } from './event-columns.ts'
import { ColumnLog } from './column-log.ts'
import { TIMES_IN_FORCE, type Fill, type Order, type OrderEnd } from './broker/orders.ts'

/** Columns of fills; prices in 1e-4 dollars of the traded side, −1 for unknown. */
export const FILL_COLUMNS = [
  ...(['at', 'order', 'market', 'isBuy', 'isYes', 'isMaker', 'price', 'size', 'fee'] as const),
  ...(['isEstimated', 'decidedPrice', 'decidedAt', 'tag'] as const),
] as const
export type FillColumns = Record<(typeof FILL_COLUMNS)[number], Float64Array>

/** All decisions of a strategy, orders and cancels (size 0), in order. */
export const DECISION_COLUMNS = [
  ...(['at', 'order', 'market', 'isBuy', 'isYes', 'size', 'limit', 'inForce'] as const),
] as const
export type DecisionColumns = Record<(typeof DECISION_COLUMNS)[number], Float64Array>

/** Hourly samples of the account; money in 1e-6 dollars. */
export const SAMPLE_COLUMNS = ['at', 'cash', 'equity', 'cost', 'held'] as const
export type SampleColumns = Record<(typeof SAMPLE_COLUMNS)[number], Float64Array>

/** Payouts of settlements; price of YES in 1e-4 dollars, −1 for a void. */
export const SETTLEMENT_COLUMNS = ['at', 'market', 'price', 'net', 'paid'] as const
export type SettlementColumns = Record<(typeof SETTLEMENT_COLUMNS)[number], Float64Array>

const MAX_NOTES = 1_000
const NOTE_LIMIT = 500

/** A line that a strategy wrote to its report. */
export interface RunNote {
  readonly at: Millis
  readonly text: string
}

/** The recorded fills, decisions, samples, settlements and notes of a run. */
export class RunLog {
  readonly fills = new ColumnLog(FILL_COLUMNS)
  readonly decisions = new ColumnLog(DECISION_COLUMNS)
  readonly samples = new ColumnLog(SAMPLE_COLUMNS)
  readonly settlements = new ColumnLog(SETTLEMENT_COLUMNS)
  /** Orders that ended unfilled, in whole or in part, by reason. */
  readonly ends = new Map<OrderEnd, number>()
  readonly #notes: RunNote[] = []
  #notesLeftOut = 0

  /** The first notes, and a last one with the number of omitted notes. */
  get notes(): readonly RunNote[] {
    const last = this.#notes.at(-1)
    if (last === undefined || this.#notesLeftOut === 0) return this.#notes
    const text = `${this.#notesLeftOut} more notes were left out: a report holds ${MAX_NOTES}`
    return [...this.#notes, { at: last.at, text }]
  }

  // Written number by number in column order: strategies that trade a lot write millions of these
  // rows.

  fill(fill: Fill, tag: number): void {
    const { fills } = this
    const { order } = fill
    fills.begin()
    fills.push(fill.at)
    fills.push(order.id)
    fills.push(fill.market)
    fills.push(fill.action === 'buy' ? 1 : 0)
    fills.push(fill.side === 'yes' ? 1 : 0)
    fills.push(fill.role === 'maker' ? 1 : 0)
    fills.push(fill.price)
    fills.push(fill.size)
    fills.push(fill.fee)
    fills.push(fill.isEstimated ? 1 : 0)
    fills.push(order.decidedPrice ?? -1)
    fills.push(order.decidedAt)
    fills.push(tag)
  }

  logOrder(order: Order): void {
    const { decisions } = this
    decisions.begin()
    decisions.push(order.decidedAt)
    decisions.push(order.id)
    decisions.push(order.market)
    decisions.push(order.action === 'buy' ? 1 : 0)
    decisions.push(order.side === 'yes' ? 1 : 0)
    decisions.push(order.size)
    decisions.push(order.limit ?? -1)
    decisions.push(TIMES_IN_FORCE.indexOf(order.timeInForce))
  }

  logCancel(order: Order, at: Millis): void {
    this.decisions.add({
      at,
      order: order.id,
      market: order.market,
      size: 0,
      isBuy: 0,
      isYes: 0,
      limit: -1,
      inForce: 0,
    })
  }

  countEnd(orderEnd: OrderEnd): void {
    this.ends.set(orderEnd, (this.ends.get(orderEnd) ?? 0) + 1)
  }

  sample(row: { at: Millis; cash: number; equity: number; cost: number; held: number }): void {
    this.samples.add(row)
  }

  logSettlement(row: {
    at: Millis
    market: MarketIndex
    price: number
    net: number
    paid: number
  }) {
    this.settlements.add(row)
  }

  /** @param text from a strategy, of any type */
  append(at: Millis, text: unknown): void {
    if (this.#notes.length >= MAX_NOTES) this.#notesLeftOut++
    else this.#notes.push({ at, text: boundedText(String(text), NOTE_LIMIT) })
  }
}
