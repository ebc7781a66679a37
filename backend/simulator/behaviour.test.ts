import { describe, expect, it } from 'vitest'
import { sampleSd } from '../domain/statistics/statistics.ts'
import { DAY, HOUR, MINUTE } from '../domain/units.ts'
import type { Millis } from '../domain/units.ts'
import { createCatalogue } from './catalogue/catalogue.ts'
import type { Flow } from './catalogue/character.ts'
import { isTrading } from './catalogue/market.ts'
import type { SimMarket } from './catalogue/market.ts'
import { mix } from './randomness.ts'
import { HourlyActivity } from './tape/hours.ts'
import { quoteAt } from './tape/quote.ts'
import { tradesWithin } from './tape/trade-feed.ts'
import { Tape } from './tape/trades.ts'
import { truthOf } from '../testing/sample-truth.ts'

const NOW = Date.parse('2026-11-20T14:00:00.000Z') as Millis
const SEED = 3
const catalogue = createCatalogue({ seed: SEED, markets: 2_000, from: NOW })
const truth = truthOf(catalogue, SEED)
const tape = new Tape(new HourlyActivity(mix(0x5eed, SEED)))
const listed = (['venue_a', 'venue_b'] as const).flatMap((venue) => catalogue.markets(venue, NOW))
const open = listed.filter((market) => isTrading(market, NOW))

const midAt = (market: SimMarket, at: number): number | null => {
  const { bid, ask } = quoteAt(market, at)
  return bid <= 0 || ask >= 10_000 ? null : (bid + ask) / 2
}

/** Share of what takers of a flow paid that makers lost again within five minutes, over a week. */
function lostShareOf(flow: Flow): number {
  let [paid, lost] = [0, 0]
  for (const market of open.filter(({ event, book }) => event.flow === flow && book === 'normal'))
    for (const { at, price, takerYes, isBlock } of tradesWithin(market, NOW - 7 * DAY, NOW, tape)) {
      const [before, after] = [midAt(market, at - 1), midAt(market, at + 5 * MINUTE)]
      if (isBlock || before === null || after === null) continue
      const sign = takerYes ? 1 : -1
      paid += sign * (price - before)
      lost += sign * (after - before)
    }
  return lost / paid
}

/** Trades of an hour, as a share of a usual day, over the hours of some days that a predicate picks. */
function rateWhere(picks: (market: SimMarket, hour: number) => boolean, days = 7): number {
  let [trades, hours] = [0, 0]
  for (const market of listed.filter(({ tradesPerDay }) => tradesPerDay > 0))
    for (let hour = Math.ceil((NOW - days * DAY) / HOUR); hour < NOW / HOUR; hour++) {
      const isOver = (hour + 1) * HOUR > market.endAt
      if (isOver || hour * HOUR < market.openAt + HOUR || !picks(market, hour)) continue
      trades += tape.hours.countAt(market, hour) / market.tradesPerDay
      hours += 1
    }
  return trades / hours
}

describe('the flow of a market', () => {
  it('loses makers what takers pay where takers know more, half of it where some do', () => {
    expect(lostShareOf('maker')).toBeLessThan(0.2)
    expect(lostShareOf('mixed')).toBeGreaterThan(0.35)
    expect(lostShareOf('mixed')).toBeLessThan(0.7)
    expect(lostShareOf('taker')).toBeGreaterThan(0.8)
  })

  it('exists of every kind among open markets', () => {
    const flows = Map.groupBy(open, ({ event }) => event.flow)
    for (const flow of ['maker', 'mixed', 'taker'] as const)
      expect(flows.get(flow)?.length ?? 0).toBeGreaterThan(30)
  })
})

describe('activity', () => {
  it('follows the hour of the day', () => {
    const ofDay = (hours: readonly number[]) =>
      rateWhere((_, hour) => hours.includes(((hour % 24) + 24) % 24))
    expect(ofDay([16, 17, 18, 19, 20])).toBeGreaterThan(2 * ofDay([4, 5, 6, 7, 8]))
  })

  it('rises after loud news of the theme', () => {
    const loud = truth.catalysts(NOW - 7 * DAY, NOW).filter(({ size }) => Math.abs(size) > 1)
    const isAfter = (market: SimMarket, hour: number): boolean =>
      loud.some(({ theme, at }) => {
        const since = hour * HOUR - at
        return theme === market.event.template.theme && since >= 0 && since < 2 * HOUR
      })
    expect(loud.length).toBeGreaterThan(5)
    expect(rateWhere(isAfter)).toBeGreaterThan(
      1.8 * rateWhere((market, hour) => !isAfter(market, hour)),
    )
  })

  it('rises in the hours before the close of what is undecided', () => {
    const isOpen = (market: SimMarket, hour: number): boolean => {
      const chance = market.chance(hour * HOUR)
      return chance > 0.25 && chance < 0.75
    }
    const rateOf = (min: number, max: number): number =>
      rateWhere((market, hour) => {
        const left = market.endAt - hour * HOUR
        return left >= min && left < max && isOpen(market, hour)
      }, 60)
    expect(rateOf(0, 12 * HOUR)).toBeGreaterThan(1.5 * rateOf(2 * DAY, 4 * DAY))
  })
})

describe('calm events', () => {
  it('are much traded, while opinions hardly move', () => {
    const calm = open.filter(({ event }) => event.calm && NOW - event.createdAt > 8 * DAY)
    const [some] = calm
    if (some === undefined) throw new Error('the world has no calm event')
    const spreadOf = ({ chance }: SimMarket): number =>
      sampleSd(Array.from({ length: 8 }, (_, day) => 100 * chance(NOW - day * DAY))) ?? 0
    for (const market of calm) expect(spreadOf(market)).toBeLessThan(3)
    expect(calm.filter((market) => spreadOf(market) < 1).length).toBeGreaterThan(calm.length / 2)
  })
})

describe('events that follow their theme', () => {
  it('move hours after news that moves others at once', () => {
    const loud = truth.catalysts(NOW - 60 * DAY, NOW).filter(({ size }) => Math.abs(size) > 1)
    const moves = (isLate: boolean, after: number): number[] =>
      loud.flatMap(({ theme, at }) =>
        listed
          .filter(({ event, openAt, closeAt, index }) => {
            const { themeDelay, template, calm } = event
            if (themeDelay === null || calm || index > 0) return false
            const isOpen = openAt < at - DAY && closeAt > at + DAY
            return template.theme === theme && isOpen && themeDelay > 0 === isLate
          })
          .map(({ chance, event }) => {
            const from = at + (after === 0 ? 0 : (event.themeDelay ?? 0))
            return Math.abs(chance(from + 10 * MINUTE) - chance(from))
          }),
      )
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length
    expect(moves(true, 0).length).toBeGreaterThan(5)
    expect(mean(moves(true, 0))).toBeLessThan(mean(moves(false, 0)) / 2)
    expect(mean(moves(true, 1))).toBeGreaterThan(2 * mean(moves(true, 0)))
  })
})

describe('the past that a first start reads and the present that follows it', () => {
  const span = 2 * DAY
  const throughout = listed.filter(
    ({ openAt, endAt }) => openAt < NOW - span && endAt > NOW + span + DAY,
  )
  const meanOf = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const tradesIn = (start: number): number =>
    throughout.reduce(
      (sum, market) => sum + tradesWithin(market, start, start + span, tape).length,
      0,
    )
  const spreadsIn = (start: number): number[] =>
    throughout.flatMap((market) =>
      Array.from({ length: 16 }, (_, i) => quoteAt(market, start + (i * span) / 16))
        .filter(({ bid, ask }) => bid > 0 && ask < 10_000)
        .map(({ bid, ask }) => ask - bid),
    )

  it('trade at the same rate', () => {
    const rate = tradesIn(NOW) / tradesIn(NOW - span)
    expect(throughout.length).toBeGreaterThan(100)
    expect(rate).toBeGreaterThan(0.75)
    expect(rate).toBeLessThan(1.33)
  })

  it('have the same spreads', () => {
    const ratio = meanOf(spreadsIn(NOW)) / meanOf(spreadsIn(NOW - span))
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.1)
  })
})
