import type { Millis } from '../domain/units.ts'

/** Half-open stretch of venue time. */
export interface Span {
  readonly from: Millis
  readonly to: Millis
}

/** Gaps end near to now, so that older readings need not be kept. */
const MOST_READ = 100

/** Gaps of trades that have ended and are not filled, and what was read that may fill them. */
export class UnfilledGaps {
  #gaps: readonly Span[] = []
  /** Stretches whose trades were asked for completely, for gaps that may still end in them. */
  #read: readonly Span[] = []

  get all(): readonly Span[] {
    return this.#gaps
  }

  /** Begins with the gaps that an earlier run left. */
  resume(gaps: readonly Span[]): void {
    this.#gaps = gaps
  }

  add(gap: Span): void {
    this.#gaps = [...this.#gaps, gap]
  }

  /** What was read before is what was lost: it fills nothing that is added from here on. */
  forgetRead(): void {
    this.#read = []
  }

  /** Adds those that are not inside of one that is known. */
  takeUp(gaps: readonly Span[]): void {
    const isNews = (gap: Span): boolean =>
      !this.#gaps.some(({ from, to }) => from <= gap.from && gap.to <= to)
    this.#gaps = [...this.#gaps, ...gaps.filter(isNews)].toSorted((a, b) => a.from - b.from)
  }

  /** All trades of a stretch were asked for and taken. */
  noteRead(span: Span): void {
    this.#read = joined([...this.#read, span])
  }

  /** Takes out the gaps that what was read has filled. */
  takeFilled(): readonly Span[] {
    const isRead = (gap: Span): boolean =>
      this.#read.some((span) => span.from <= gap.from && span.to >= gap.to)
    const filled = this.#gaps.filter(isRead)
    this.#gaps = this.#gaps.filter((gap) => !isRead(gap))
    return filled
  }
}

/** Stretches joined where they touch, the newest alone. */
function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1)
    if (last === undefined || span.from > last.to) result.push(span)
    else if (span.to > last.to) result[result.length - 1] = { from: last.from, to: span.to }
  }
  return result.slice(-MOST_READ)
}
