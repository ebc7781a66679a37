import type { SearchedMarket } from '../domain/search-ranking.ts'
import { slugOf, topicsOf } from '../domain/topics.ts'
import type { Millis } from '../domain/units.ts'
import type { MarketNumbers, MarketRecord } from '../history/market-rows.ts'
import type { SearchedView } from './market-board.ts'

/** What ranking asked of a market, with what it was worked out from and how long it holds. */
export interface HeldReading {
  readonly numbers: MarketNumbers | null
  /** First and last instant for which it holds while facts and numbers stay. */
  readonly from: Millis
  readonly until: number
  readonly searched: SearchedMarket & SearchedView
}

const described = new WeakMap<MarketRecord, DescribedMarket>()

/** What follows from a record, worked out once for all who hold that record. */
export function describedOf(record: MarketRecord): DescribedMarket {
  let market = described.get(record)
  if (market === undefined) {
    market = new DescribedMarket(record)
    described.set(record, market)
  }
  return market
}

/** A market with what follows from its facts alone, worked out when first asked and then kept. */
export class DescribedMarket {
  readonly record: MarketRecord
  /** What search worked out last. */
  held: HeldReading | null = null
  #slug: string | null = null
  #topics: readonly string[] | null = null

  constructor(record: MarketRecord) {
    this.record = record
  }

  get slug(): string {
    return (this.#slug ??= slugOf(this.record.facts))
  }

  get topics(): readonly string[] {
    return (this.#topics ??= topicsOf(this.record.facts))
  }
}
