import type { Millis } from '../../domain/units.ts'

/** Half-open span of venue time. */
export interface Span {
  readonly from: Millis
  readonly to: Millis
}

/** Gaps end close to the present, so older reads need not be remembered. */
const MAX_READ = 100

/** Gaps of trades that have ended and are not filled, and the reads that may fill them. */
export class UnfilledGaps {
  #gaps: readonly Span[] = []
  /** Spans whose trades were read completely, for gaps that may still end inside them. */
  #read: readonly Span[] = []

  get all(): readonly Span[] {
    return this.#gaps
  }

  /** Starts with the gaps that an earlier run left. */
  resume(gaps: readonly Span[]): void {
    this.#gaps = gaps
  }

  add(gap: Span): void {
    this.#gaps = [...this.#gaps, gap]
  }

  /** Discards earlier reads: what they read was lost, so they fill no gap that is added later. */
  clearReads(): void {
    this.#read = []
  }

  /** Adds the gaps that do not lie inside a known one. */
  addGaps(gaps: readonly Span[]): void {
    const isNew = (gap: Span): boolean =>
      !this.#gaps.some(({ from, to }) => from <= gap.from && gap.to <= to)
    this.#gaps = [...this.#gaps, ...gaps.filter(isNew)].toSorted((a, b) => a.from - b.from)
  }

  /** Records that all trades of a span were requested and accepted. */
  recordRead(span: Span): void {
    this.#read = mergeSpans([...this.#read, span])
  }

  /** Removes and returns the gaps that earlier reads have filled. */
  drainFilled(): readonly Span[] {
    const isRead = (gap: Span): boolean =>
      this.#read.some((span) => span.from <= gap.from && span.to >= gap.to)
    const readGaps = this.#gaps.filter(isRead)
    this.#gaps = this.#gaps.filter((gap) => !isRead(gap))
    return readGaps
  }
}

/** Spans merged where they touch, limited to the newest. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last === undefined || span.from > last.to) result.push(span)
    else result.splice(-1, 1, { from: last.from, to: Math.max(last.to, span.to) as Millis })
  }
  return result.slice(-MAX_READ)
}
