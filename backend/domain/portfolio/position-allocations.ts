import type { Side } from '../market.ts'
import type { SizeE6 } from '../units.ts'
import type { LedgerEntry } from './ledger.ts'

/** Contracts of an open position that were bought for one thesis, strategy or view, or for none. */
export interface PositionAllocation {
  readonly thesisId: string | null
  readonly strategyId: string | null
  readonly viewId: string | null
  readonly size: SizeE6
}

type BasisEntry = Pick<
  LedgerEntry,
  'eventType' | 'action' | 'direction' | 'size' | 'thesisId' | 'strategyId' | 'viewId'
>

/**
 * Basis for which the open contracts of one market were bought. A sale takes those of its own basis
 * first, then the oldest; profit follows the lots and not these parts.
 */
export class PositionAllocations {
  #side: Side | null = null
  /** Oldest first. */
  #parts: PositionAllocation[] = []

  get open(): readonly PositionAllocation[] {
    return this.#parts
  }

  apply(entry: BasisEntry): void {
    const { eventType, action, direction, size } = entry
    if (eventType === 'settlement') this.#parts = []
    if (eventType !== 'fill' || action === null || direction === null || size === null) return
    const boughtSide = action === 'buy' ? direction : direction === 'yes' ? 'no' : 'yes'
    const { thesisId = null, strategyId = null, viewId = null } = entry
    const tradedAllocation: PositionAllocation = { thesisId, strategyId, viewId, size }
    const opening =
      this.#parts.length > 0 && this.#side !== boughtSide ? this.#close(tradedAllocation) : size
    if (opening === 0) return
    this.#side = boughtSide
    const existing = this.#parts.find((part) => isSameBasis(part, tradedAllocation))
    if (existing === undefined) this.#parts.push({ ...tradedAllocation, size: opening })
    else this.#replace(existing, existing.size + opening)
  }

  /** Returns the size that is left when nothing more is held. */
  #close(soldAllocation: PositionAllocation): SizeE6 {
    let left: number = soldAllocation.size
    const sameBasis = this.#parts.filter((part) => isSameBasis(part, soldAllocation))
    for (const part of [
      ...sameBasis,
      ...this.#parts.filter((other) => !sameBasis.includes(other)),
    ]) {
      const takenSize = Math.min(left, part.size)
      left -= takenSize
      this.#replace(part, part.size - takenSize)
    }
    return left as SizeE6
  }

  #replace(part: PositionAllocation, size: number): void {
    this.#parts = this.#parts.flatMap((candidate) => {
      if (candidate !== part) return [candidate]
      return size === 0 ? [] : [{ ...candidate, size: size as SizeE6 }]
    })
  }
}

const isSameBasis = (a: PositionAllocation, b: PositionAllocation): boolean =>
  a.thesisId === b.thesisId && a.strategyId === b.strategyId && a.viewId === b.viewId
