import { DAY, HOUR } from '../../domain/units.ts'
import { keyOf, mix, normal, poisson, unit } from '../randomness.ts'
import { isPaused } from '../catalogue/market.ts'
import type { SimMarket } from '../catalogue/market.ts'
import { newsOf } from '../catalogue/figures.ts'
import { valueNoise } from '../walk.ts'
import type { Key } from '../randomness.ts'

/** Trades and volume of each hour of a market's life, computed once and cached. */
interface HourlyTotals {
  readonly firstHour: number
  counts: Uint16Array
  /** Hundredths of contracts traded before the end of each hour, from the opening on. */
  volumes: Float64Array
  /** The same in 1e-4 dollars of YES price, by the chance some hours before. */
  dollars: Float64Array
  /** Number of computed hours. */
  length: number
}

/**
 * Days whose hours have all their trades. Nothing computed reads single trades of earlier hours,
 * which have a quarter as many, with the same volume: a first start reads them all.
 */
const FULL_DAYS = 33
const LIGHT_SHARE = 1 / 4

/** Hours between two samples of the probability that determines activity and dollar volume. */
const PRICE_HOURS = 6

/** Counts of trades by hour. Random access is O(1) after the first pass. */
export class HourlyActivity {
  readonly #themes: (theme: string) => Key
  readonly #books = new Map<SimMarket, HourlyTotals>()
  readonly #activity: { readonly since: number; readonly factor: number }

  readonly #newsFactors = new Map<string, (hour: number) => number>()
  readonly #firstFullHour: number

  /**
   * @param activity multiple of the usual trading from an instant on
   * @param startedAt start of the simulation; 0 when every hour has all its trades
   */
  constructor(
    seedKey: Key,
    activity: { since: number; factor: number } = { since: 0, factor: 1 },
    startedAt = 0,
  ) {
    this.#themes = (theme) => keyOf(seedKey, theme)
    this.#activity = activity
    this.#firstFullHour = Math.floor((startedAt - FULL_DAYS * DAY) / HOUR)
  }

  /** Trades in an hour (hours since the epoch). */
  countAt(market: SimMarket, hour: number): number {
    const book = this.#ensureComputed(market, hour)
    return book.counts[hour - book.firstHour] ?? 0
  }

  /** Volume of one hour in hundredths of contracts. */
  volumeOf(market: SimMarket, hour: number): number {
    return this.volumeBefore(market, hour + 1) - this.volumeBefore(market, hour)
  }

  /** Hundredths of contracts traded before an hour begins. */
  volumeBefore(market: SimMarket, hour: number): number {
    const book = this.#ensureComputed(market, hour - 1)
    return book.volumes[Math.min(hour - book.firstHour, book.length) - 1] ?? 0
  }

  /** Dollars (times 1e6) traded before an hour begins. */
  dollarsBefore(market: SimMarket, hour: number): number {
    const book = this.#ensureComputed(market, hour - 1)
    return book.dollars[Math.min(hour - book.firstHour, book.length) - 1] ?? 0
  }

  #ensureComputed(market: SimMarket, hour: number): HourlyTotals {
    let book = this.#books.get(market)
    if (book === undefined) {
      const firstHour = Math.floor(market.openAt / HOUR)
      book = {
        firstHour,
        counts: new Uint16Array(0),
        volumes: new Float64Array(0),
        dollars: new Float64Array(0),
        length: 0,
      }
      this.#books.set(market, book)
    }
    const hourCount = Math.min(hour, Math.floor(market.closeAt / HOUR)) - book.firstHour + 1
    if (hourCount > book.length) this.#extend(market, book, hourCount)
    return book
  }

  #wakesOf(theme: string): (hour: number) => number {
    const existing = this.#newsFactors.get(theme)
    if (existing !== undefined) return existing
    const key = this.#themes(theme)
    const factors = new Map<number, number>()
    const wakeOf = (hour: number): number => {
      const factor = factors.get(hour) ?? newsFactor(key, hour * HOUR)
      factors.set(hour, factor)
      return factor
    }
    this.#newsFactors.set(theme, wakeOf)
    return wakeOf
  }

  #extend(market: SimMarket, book: HourlyTotals, hourCount: number): void {
    if (hourCount > book.counts.length) {
      const capacity = Math.max(hourCount + 24, Math.ceil(book.counts.length * 1.5))
      book.counts = copyInto(book.counts, new Uint16Array(capacity))
      book.volumes = copyInto(book.volumes, new Float64Array(capacity))
      book.dollars = copyInto(book.dollars, new Float64Array(capacity))
    }
    const wakeOf = this.#wakesOf(market.event.template.theme)
    let block = Number.NaN
    let chance = 0
    for (let i = book.length; i < hourCount; i++) {
      const hour = book.firstHour + i
      if (Math.floor(hour / PRICE_HOURS) !== block) {
        block = Math.floor(hour / PRICE_HOURS)
        // The chance at the start of the block: traders do not know what happens later.
        chance = market.chance(Math.max(market.openAt, block * PRICE_HOURS * HOUR))
      }
      const factor = hour * HOUR >= this.#activity.since ? this.#activity.factor : 1
      const rate = rateOf(market, hour, chance) * wakeOf(hour) * factor
      const count = Math.min(4_000, poisson(rate, market.key, hour))
      const volume = count === 0 ? 0 : hourVolume(market, hour, count)
      book.counts[i] = hour < this.#firstFullHour ? Math.ceil(count * LIGHT_SHARE) : count
      book.volumes[i] = (book.volumes[i - 1] ?? 0) + volume
      book.dollars[i] = (book.dollars[i - 1] ?? 0) + Math.round(volume * 10_000 * chance)
    }
    book.length = Math.max(book.length, hourCount)
  }
}

function copyInto<T extends Uint16Array | Float64Array>(from: T, to: T): T {
  to.set(from)
  return to
}

/** Factor of trading in the hours after news of the theme. */
function newsFactor(theme: Key, at: number): number {
  const day = Math.floor(at / DAY)
  let factor = 1
  for (const news of [newsOf(theme, day), newsOf(theme, day - 1)])
    if (news !== null && at + HOUR > news.at)
      factor += 3 * Math.abs(news.size) * Math.exp(-Math.max(0, at - news.at) / (4 * HOUR))
  return factor
}

/**
 * Expected trades of an hour: daily rhythm, bursts, a rush towards the end; few once the outcome is
 * clear.
 */
function rateOf(market: SimMarket, hour: number, chance: number): number {
  const at = hour * HOUR
  const share = (Math.min(market.closeAt, at + HOUR) - Math.max(market.openAt, at)) / HOUR
  if (
    share <= 0 ||
    market.tradesPerDay === 0 ||
    market.book === 'empty' ||
    isPaused(market, at + HOUR / 2)
  )
    return 0
  const rhythm = 1 + 0.55 * Math.sin(((hour % 24) - 12) * (Math.PI / 12))
  const burst = Math.exp(
    0.7 * valueNoise(market.key, at, 9 * HOUR) + 0.5 * valueNoise(market.key + 7, at, 2 * HOUR),
  )
  const left = market.endAt - at
  const rush = left > 3 * DAY ? 1 : 1 + 2.5 * Math.exp(-Math.max(0, left) / (10 * HOUR))
  const quiet = left < 0 ? 0.15 : 1
  const doubt = 0.06 + 3.2 * chance * (1 - chance)
  return (market.tradesPerDay / 24) * share * rhythm * burst * rush * quiet * doubt
}

/** Contracts of an hour, in hundredths; whole contracts in most markets. */
function hourVolume(market: SimMarket, hour: number, count: number): number {
  const mean =
    18 * Math.exp(0.9 * normal(market.key, 91)) * Math.exp(0.5 * normal(mix(market.key, 92), hour))
  const lot = lotOf(market)
  return Math.max(count, Math.round((count * mean * 100) / lot)) * lot
}

/** Smallest trade in hundredths of contracts: fractional ones occur in some markets. */
export const lotOf = (market: SimMarket): number => (unit(market.key, 93) < 0.8 ? 100 : 1)
