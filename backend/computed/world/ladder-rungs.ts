import { fingerprintOf } from '../../domain/pairing/fingerprint.ts'
import type { LadderRung } from '../../domain/world/world-market.ts'
import type { MarketFacts, Ticker } from '../../domain/market.ts'

type RungTexts = Pick<MarketFacts, 'title' | 'subtitle' | 'description' | 'closeTime' | 'eventId'>

interface Kept {
  readonly texts: RungTexts
  readonly rung: LadderRung | null
}

/**
 * Where a market stands on its event's ladder: its one strike, else the day by which it must have
 * happened. Null for a range, for several strikes, and for what names neither.
 */
export function rungOf(facts: MarketFacts): LadderRung | null {
  const { comparator, strikes, direction, time } = fingerprintOf({ ...facts, mark: null })
  if (comparator === 'range') return null
  const [strike, ...more] = strikes
  if (strike !== undefined) {
    return more.length > 0 ? null : { ladder: `${facts.eventId}|${direction ?? 0}`, at: strike }
  }
  return time.bound === 'by' && time.day !== null
    ? { ladder: `${facts.eventId}|by`, at: time.day }
    : null
}

const sameTexts = (a: RungTexts, b: RungTexts): boolean =>
  a.title === b.title &&
  a.subtitle === b.subtitle &&
  a.closeTime === b.closeTime &&
  a.eventId === b.eventId &&
  a.description === b.description

/** Rungs of markets, read from a market's texts once as long as these stay. */
export class LadderRungs {
  readonly #kept = new Map<Ticker, Kept>()

  of(facts: MarketFacts): LadderRung | null {
    const kept = this.#kept.get(facts.ticker)
    if (kept !== undefined && sameTexts(kept.texts, facts)) return kept.rung
    const rung = rungOf(facts)
    const { title, subtitle, description, closeTime, eventId } = facts
    this.#kept.set(facts.ticker, {
      texts: { title, subtitle, description, closeTime, eventId },
      rung,
    })
    return rung
  }

  /** Forgets markets that are not live any more. */
  keep(live: ReadonlySet<Ticker>): void {
    for (const ticker of this.#kept.keys()) if (!live.has(ticker)) this.#kept.delete(ticker)
  }
}
