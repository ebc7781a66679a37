import type { MarketLink } from '../../backend/domain/links/link-graph.ts'
import type { SimEvent, SimMarket } from '../../backend/simulator/catalogue/market.ts'
import type { SampleMoment } from './sample-world.ts'
import type { Score } from './score.ts'

/** Kinds that are found from words or from prices, not from what a venue lists together. */
const FOUND: ReadonlySet<MarketLink['kind']> = new Set(['thematic', 'lead_lag', 'series_sibling'])
/** Prices between these move enough to be led, and so do markets with so many trades a day. */
const MOVING = { min: 15, max: 85, trades: 4 }

/** Whether news that moves one of two markets moves the other: one state or one theme is behind both. */
const areMoved = (a: SimEvent, b: SimEvent): boolean =>
  a.sharedKey === b.sharedKey || a.template.theme === b.template.theme

/**
 * Links between markets of different events, against the themes that move markets together. Expected
 * are links that lead to the events that follow their theme by hours, from one that follows at once.
 */
export function scoreLinks({ worldSnapshot, marketOf }: SampleMoment): Score {
  const { links, markets } = worldSnapshot.snapshot
  const found = links
    .filter(({ kind }) => FOUND.has(kind))
    .map((link) => ({ link, a: marketOf(link.i).event, b: marketOf(link.j).event }))
  const right = found.filter(({ a, b }) => areMoved(a, b))
  const moving = [...markets].flatMap(([ticker, { view }]) => {
    const market = marketOf(ticker)
    return isMoving(market, view.mark) ? [market.event] : []
  })
  const delays = Map.groupBy(moving, ({ template }) => template.theme)
  const followers = new Set(
    moving.filter(({ themeDelay, template }) => {
      const others = delays.get(template.theme) ?? []
      return (themeDelay ?? 0) > 0 && others.some((event) => event.themeDelay === 0)
    }),
  )
  const led = new Set(
    found
      .filter(({ link, a, b }) => link.kind === 'lead_lag' && a.themeDelay !== b.themeDelay)
      .flatMap(({ a, b }) => [a, b]),
  )
  return {
    right: right.length,
    found: found.length,
    recalled: [...followers].filter((event) => led.has(event)).length,
    expected: followers.size,
  }
}

const isMoving = (market: SimMarket, mark: number | null): boolean =>
  mark !== null &&
  mark >= MOVING.min &&
  mark <= MOVING.max &&
  market.book === 'normal' &&
  market.tradesPerDay >= MOVING.trades
