import { calendarOf } from '../../backend/computed/calendar.ts'
import { isTrading } from '../../backend/simulator/catalogue/market.ts'
import { DAY, HOUR } from '../../backend/domain/units.ts'
import type { SampleMoment } from './sample-world.ts'
import { scoreOf, type Score } from './score.ts'

const AHEAD = 7 * DAY

/** Resolutions of the next week by market and hour, against the ends that the venues announced. */
export function scoreCatalysts({ at, worldSnapshot, catalogue }: SampleMoment): Score {
  const isSoon = (time: number): boolean => time > at && time <= at + AHEAD
  const keyOf = (ticker: string, time: number): string => `${ticker} ${Math.round(time / HOUR)}`
  const views = [...worldSnapshot.snapshot.markets.values()].map(({ view }) => view)
  const found = calendarOf(views, at)
    .filter((entry) => isSoon(entry.at))
    .flatMap((entry) => entry.tickers.map((ticker) => keyOf(ticker, entry.at)))
  const expected = (['venue_a', 'venue_b'] as const)
    .flatMap((venue) => catalogue.markets(venue, at))
    .filter((market) => isTrading(market, at) && isSoon(market.endAt))
    .map((market) => keyOf(market.id, market.endAt))
  return scoreOf(new Set(found), new Set(expected))
}
