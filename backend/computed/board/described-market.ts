import type { FinderMarket } from '../../domain/finder/find-markets.ts'
import { marketReading } from '../../domain/finder/reading.ts'
import type { MarketReading } from '../../domain/finder/reading.ts'
import { slugOf, topicsOf } from '../../domain/topics/topics.ts'
import type { Millis } from '../../domain/units.ts'
import type { MarketNumbers, MarketRecord } from '../../history/market-rows.ts'
import type { SearchedView } from './market-board.ts'

/** The ranking inputs of a market, with their sources and validity. */
export interface RankingInputs {
  readonly numbers: MarketNumbers | null
  /** First and last instant at which it is valid while facts and numbers are unchanged. */
  readonly from: Millis
  readonly until: number
  readonly searched: FinderMarket & SearchedView
}

const descriptions = new WeakMap<MarketRecord, DescribedMarket>()

/** Values derived from a record, shared by all holders of the record. */
export function describeMarket(record: MarketRecord): DescribedMarket {
  let market = descriptions.get(record)
  if (market === undefined) {
    market = new DescribedMarket(record)
    descriptions.set(record, market)
  }
  return market
}

/** A market with values derived from its facts alone, computed on first access. */
export class DescribedMarket {
  readonly record: MarketRecord
  /** The last search inputs. */
  current: RankingInputs | null = null
  #slug: string | null = null
  #topics: readonly string[] | null = null
  #reading: MarketReading | null = null

  constructor(record: MarketRecord) {
    this.record = record
  }

  get slug(): string {
    return (this.#slug ??= slugOf(this.record.facts))
  }

  get topics(): readonly string[] {
    return (this.#topics ??= topicsOf(this.record.facts))
  }

  get reading(): MarketReading {
    return (this.#reading ??= marketReading(this.record.facts))
  }
}
