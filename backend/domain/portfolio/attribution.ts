import { CLOSINGS } from '../backtest/broker/positions.ts'
import type { Side } from '../market.ts'
import { roundTo, type Millis, type MoneyE6, type SizeE6 } from '../units.ts'
import { moneyOf } from '../backtest/broker/fill-model.ts'
import { reversedId } from './correction.ts'
import type { LedgerEntry } from './ledger.ts'
import { PositionFold } from './position-fold.ts'

/** Keys to which the profit of an entry or a lot is attributed. */
export const ATTRIBUTION_KEYS = [
  'source',
  'venue',
  'market',
  'thesis',
  'strategy',
  'view',
  'confidence',
] as const
export type AttributionKey = (typeof ATTRIBUTION_KEYS)[number]
export type AttributedTo = Readonly<Record<AttributionKey, string | null>>

/** Exact figures: money in 1e-6 dollars, contracts in 1e-6, in YES terms. */
export interface AttributedFigures {
  readonly realized: number
  readonly unrealizedDelta: number
  readonly cashDelta: number
  readonly fee: number
  /** Fees paid less those of contracts that closed: the change of what open contracts have paid. */
  readonly openFeeDelta: number
  readonly slippage: number
  readonly positionDelta: number
  readonly fills: number
  readonly settlements: number
  readonly entries: number
}

export const NO_FIGURES: AttributedFigures = {
  realized: 0,
  unrealizedDelta: 0,
  cashDelta: 0,
  fee: 0,
  openFeeDelta: 0,
  slippage: 0,
  positionDelta: 0,
  fills: 0,
  settlements: 0,
  entries: 0,
}

/** The share of an entry, or of a change in value, that belongs to one attribution. */
export interface AttributedPart extends AttributedFigures {
  readonly at: Millis
  readonly to: AttributedTo
  /** Null for a change of unrealised value. */
  readonly eventType: LedgerEntry['eventType'] | null
  readonly marketTitle: string | null
}

/** Contracts held at an instant, with the entry that opened them. */
export interface AttributedLot {
  readonly opening: LedgerEntry
  readonly direction: Side
  readonly size: SizeE6
  readonly cost: MoneyE6
}

export const attributionOf = (entry: LedgerEntry): AttributedTo => ({
  source: entry.source,
  venue: entry.venue,
  market: entry.ticker,
  thesis: entry.thesisId ?? null,
  strategy: entry.strategyId ?? null,
  view: entry.viewId ?? null,
  confidence: entry.confidence,
})

/**
 * Splits the entries of one market and account by attribution (methodology J4): what closes a lot
 * belongs to the attribution of that lot, the rest of a fill to its own. Fee, cash and slippage are
 * split by size, so the parts of an entry add up to it; its first part counts it. The parts of a
 * reversal change the sum of each attribution to what it is without the reversed entry.
 * @param entries oldest first
 * @param instants ascending
 * @returns parts, and the lots open before each instant
 */
export function attributeMarket(
  entries: readonly LedgerEntry[],
  instants: readonly Millis[],
): { readonly parts: readonly AttributedPart[]; readonly openLots: readonly AttributedLot[][] } {
  const parts: AttributedPart[] = []
  const openLots: AttributedLot[][] = []
  let market = new AttributedMarket()
  let emittedCount = 0
  for (const entry of entries) {
    while (instantAt(instants, openLots.length) <= entry.occurredAt) openLots.push(market.lots)
    const reversedEntry = reversedId(entry)
    if (reversedEntry === null) {
      market.apply(entry)
      continue
    }
    const previous = market.parts()
    parts.push(...previous.slice(emittedCount).flat())
    const correctedMarket = new AttributedMarket()
    for (const ledgerEntry of market.entries)
      if (ledgerEntry.id !== reversedEntry) correctedMarket.apply(ledgerEntry)
    parts.push(...changesBetween(previous.flat(), correctedMarket.parts().flat(), entry))
    market = correctedMarket
    emittedCount = market.entries.length
  }
  while (openLots.length < instants.length) openLots.push(market.lots)
  parts.push(...market.parts().slice(emittedCount).flat())
  return { parts, openLots }
}

/** The entries of a market that count, folded. */
class AttributedMarket {
  readonly entries: LedgerEntry[] = []
  readonly #fold = new PositionFold()
  readonly #closedAfter: number[] = []

  apply(entry: LedgerEntry): void {
    this.entries.push(entry)
    this.#fold.apply(entry)
    this.#closedAfter.push(this.#fold.closedCount)
  }

  get lots(): AttributedLot[] {
    return this.#fold.lots.flatMap(({ tag, side, size, price }) => {
      const opening = this.entries[tag]
      return opening === undefined
        ? []
        : [{ opening, size, direction: side, cost: moneyOf(price, size) }]
    })
  }

  /** The parts of each entry. */
  parts(): AttributedPart[][] {
    const lots = this.#fold.closedLots()
    let row = 0
    return this.entries.map((entry, n) => {
      const portions: Portion[] = []
      let left = entry.size ?? 0
      for (; row < (this.#closedAfter[n] ?? 0); row += 1) {
        const size = lots.size[row] ?? 0
        const opening = this.entries[lots.tag[row] ?? 0] ?? entry
        const isVoided = CLOSINGS[lots.closing[row] ?? 0] === 'voided'
        portions.push({
          to: attributionOf(opening),
          weight: isVoided ? size * (lots.entryPrice[row] ?? 0) : size,
          realized: lots.realised[row] ?? 0,
          closedFees: lots.fees[row] ?? 0,
          positionDelta: lots.isYes[row] === 1 ? -size : size,
        })
        left -= size
      }
      const opens = entry.eventType === 'fill' && left > 0
      if (opens || portions.length === 0) {
        const isLong = (entry.action === 'buy') === (entry.direction === 'yes')
        portions.push({
          to: attributionOf(entry),
          weight: Math.max(1, left),
          realized: 0,
          closedFees: 0,
          positionDelta: !opens ? 0 : isLong ? left : 0 - left,
        })
      }
      return partsOf(entry, portions)
    })
  }
}

/** What a reversal changes, by attribution; its first part counts it as an entry. */
function changesBetween(
  before: readonly AttributedPart[],
  after: readonly AttributedPart[],
  reversal: LedgerEntry,
): AttributedPart[] {
  const { occurredAt: at, eventType, marketTitle } = reversal
  const changes = new Map<string, AttributedPart>()
  const add = ({ to, ...part }: AttributedPart, sign: 1 | -1): void => {
    const name = JSON.stringify(to)
    const attributedPart = changes.get(name) ?? { ...NO_FIGURES, at, to, eventType, marketTitle }
    changes.set(name, { ...attributedPart, ...addFigures(attributedPart, applySign(part, sign)) })
  }
  for (const part of before) add(part, -1)
  for (const part of after) add(part, 1)
  const parts = [...changes.values()].filter((part) =>
    Object.keys(NO_FIGURES).some((name) => Reflect.get(part, name) !== 0),
  )
  const [first = { ...NO_FIGURES, at, to: attributionOf(reversal), eventType, marketTitle }] = parts
  return [{ ...first, entries: 1 }, ...parts.slice(1)]
}

/** The amounts of a part; a reversal uncounts no entry. */
const applySign = (part: AttributedFigures, sign: 1 | -1): AttributedFigures => ({
  ...NO_FIGURES,
  realized: sign * part.realized,
  cashDelta: sign * part.cashDelta,
  fee: sign * part.fee,
  openFeeDelta: sign * part.openFeeDelta,
  slippage: sign * part.slippage,
  positionDelta: sign * part.positionDelta,
})

interface Portion {
  readonly to: AttributedTo
  readonly weight: number
  readonly realized: number
  /** Of both legs. */
  readonly closedFees: number
  readonly positionDelta: number
}

const instantAt = (instants: readonly Millis[], n: number): number => instants[n] ?? Infinity

/** The parts of an entry that no position fold concerns, or that its portions share. */
function partsOf(entry: LedgerEntry, portions: readonly Portion[]): AttributedPart[] {
  const weights = portions.map(({ weight }) => weight)
  const cash = sharesOf(entry.cashDelta, weights)
  const fees = sharesOf(entry.fee, weights)
  const slippage = sharesOf(entry.slippage ?? 0, weights)
  return portions.map(({ to, realized: realized, closedFees, positionDelta }, n) => ({
    at: entry.occurredAt,
    to,
    eventType: entry.eventType,
    marketTitle: entry.marketTitle,
    realized,
    unrealizedDelta: 0,
    cashDelta: cash[n] ?? 0,
    fee: fees[n] ?? 0,
    openFeeDelta: (fees[n] ?? 0) - closedFees,
    slippage: slippage[n] ?? 0,
    positionDelta,
    fills: Number(n === 0 && entry.eventType === 'fill'),
    settlements: Number(n === 0 && entry.eventType === 'settlement'),
    entries: Number(n === 0),
  }))
}

/** The part of an entry that changes no position. */
export const attributeOther = (entry: LedgerEntry): AttributedPart[] =>
  partsOf(entry, [
    { to: attributionOf(entry), weight: 1, realized: 0, closedFees: 0, positionDelta: 0 },
  ])

/** The change of unrealised value of a lot. */
export const attributeValue = (
  { opening }: AttributedLot,
  unrealizedDelta: number,
  at: Millis,
): AttributedPart => ({
  ...NO_FIGURES,
  at,
  to: attributionOf(opening),
  eventType: null,
  marketTitle: opening.marketTitle,
  unrealizedDelta,
})

/** Splits an integer by weights; the shares add up to it. */
function sharesOf(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((before, weight) => before + weight, 0)
  let [assignedSum, weightSoFar] = [0, 0]
  return weights.map((weight) => {
    weightSoFar += weight
    const upTo = sum === 0 || weightSoFar === sum ? total : Math.round(total * (weightSoFar / sum))
    const share = upTo - assignedSum
    assignedSum = upTo
    return share
  })
}

/** Parts with equal keys, added up. */
export interface AttributedGroup extends AttributedFigures {
  /** Start of the UTC day; null when not grouped by day. */
  readonly day: number | null
  /** Values of the requested keys, in their order. */
  readonly values: readonly (string | null)[]
  readonly isUnknown: boolean
  readonly marketTitle: string | null
}

/**
 * Groups parts by keys. Parts of unknown confidence form groups of their own.
 * @param dayOf day of an instant; null for all instants to form one period
 */
export function groupParts(
  parts: Iterable<AttributedPart>,
  keys: readonly AttributionKey[],
  dayOf: (at: Millis) => number | null,
): AttributedGroup[] {
  const groups = new Map<string, AttributedGroup>()
  for (const part of parts) {
    const day = dayOf(part.at)
    const values = keys.map((key) => part.to[key])
    const isUnknown = part.to.confidence === 'unknown'
    const name = JSON.stringify([day, isUnknown, values])
    const group = groups.get(name)
    groups.set(name, {
      ...addFigures(group ?? NO_FIGURES, part),
      day,
      values,
      isUnknown,
      marketTitle: part.marketTitle ?? group?.marketTitle ?? null,
    })
  }
  return [...groups.values()]
}

export const addFigures = (a: AttributedFigures, b: AttributedFigures): AttributedFigures => ({
  realized: a.realized + b.realized,
  unrealizedDelta: a.unrealizedDelta + b.unrealizedDelta,
  cashDelta: a.cashDelta + b.cashDelta,
  fee: a.fee + b.fee,
  openFeeDelta: a.openFeeDelta + b.openFeeDelta,
  slippage: a.slippage + b.slippage,
  positionDelta: a.positionDelta + b.positionDelta,
  fills: a.fills + b.fills,
  settlements: a.settlements + b.settlements,
  entries: a.entries + b.entries,
})

const CENT = 10_000

/**
 * Whole cents of exact amounts (1e-6 dollars) that add up to the rounded total: the largest
 * remainders are rounded up, the first of equal ones.
 */
export function centsThatAddUp(amounts: readonly number[]): number[] {
  const total = amounts.reduce((sum, amount) => sum + amount, 0)
  const cents = amounts.map((amount) => Math.floor(amount / CENT))
  const missing = roundTo(total / CENT, 0) - cents.reduce((sum, value) => sum + value, 0)
  const byRemainder = amounts
    .map((amount, n) => ({ n, remainder: amount - (cents[n] ?? 0) * CENT }))
    .sort((a, b) => b.remainder - a.remainder || a.n - b.n)
  for (const { n } of byRemainder.slice(0, missing)) cents[n] = (cents[n] ?? 0) + 1
  return cents
}
