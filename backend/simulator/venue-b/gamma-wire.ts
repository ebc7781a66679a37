import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import { isTrading } from '../catalogue/market.ts'
import type { SimEvent, SimMarket } from '../catalogue/market.ts'
import { hexOf, keyOf, unit } from '../randomness.ts'
import { slugOf } from '../catalogue/listing.ts'
import { venueBTick } from '../tape/quote.ts'
import type { Tape } from '../tape/trades.ts'
import { midOf, tokenQuote } from './prices.ts'
import { isClosed, isResolved, oracleStatus } from './state.ts'
import { dateOf, iso, spacedTime } from './times.ts'

export interface Tag {
  readonly id: string
  readonly label: string
  readonly slug: string
}

/** A tag by its label; the id is the label's own. */
export const tagOf = (label: string): Tag => ({
  id: String(100 + (keyOf(7, label) % 900_000)),
  label,
  slug: slugOf(label),
})
export const tagsOf = (event: SimEvent): Tag[] =>
  event.template.tags.map((label) => tagOf(label.replace('{name}', event.subject.name)))

/** The series of events that recur every few days or weeks; null for others. */
export function seriesOf(
  event: SimEvent,
): { id: string; ticker: string; slug: string; title: string; recurrence: string } | null {
  const { cadence, name } = event.template
  if (cadence.every !== 'days') return null
  const slug = slugOf(`${name} ${event.subject.code}`)
  const recurrence = cadence.step === 7 ? 'weekly' : cadence.step < 7 ? 'daily' : 'monthly'
  return {
    id: String(10_000 + (keyOf(3, slug) % 90_000)),
    ticker: slug,
    slug,
    title: event.seriesTitle,
    recurrence,
  }
}

/** Prices in the metadata are as old as its cache. */
const CACHE = MINUTE

export const dollarVolume = (market: SimMarket, at: number, tape: Tape): number =>
  Math.round(tape.dollarsAt(market, at)) / 1e6
export const openInterestOf = (market: SimMarket, at: number, tape: Tape): number =>
  isResolved(market, at)
    ? 0
    : Math.round(dollarVolume(market, at, tape) * (0.1 + 0.3 * unit(market.key, 301)) * 100) / 100

/** A market of the metadata service as of an instant. */
export function gammaMarket(
  market: SimMarket,
  at: number,
  tape: Tape,
  withEvents: boolean,
  withTags: boolean,
): Record<string, unknown> {
  const { event } = market
  const cachedAt = Math.max(market.createdAt, Math.floor(at / CACHE) * CACHE)
  const closed = isClosed(market, at)
  const quote = tokenQuote(market, 0, cachedAt)
  const last = tape.lastBefore(market, cachedAt)
  const volume = dollarVolume(market, cachedAt, tape)
  const volumeOver = (span: number): number =>
    Math.max(0, Math.round((volume - dollarVolume(market, cachedAt - span, tape)) * 1e6) / 1e6)
  const isNew = at < market.openAt + HOUR
  const status = oracleStatus(market, at)
  const fees = feesOf(market)
  const price = pricesOf(market, at, cachedAt, last?.price ?? null)
  const isGame = event.template.shape.kind === 'game'
  const changeOver = (span: number): number | undefined => {
    const then = tape.lastBefore(market, cachedAt - span)
    return then === null || last === null ? undefined : (last.price - then.price) / 10_000
  }
  return {
    id: market.number,
    question: market.placeholder ? market.choice.label : market.question,
    conditionId: market.id,
    slug: market.slug,
    resolutionSource: event.template.series.source.url,
    startDate: iso(market.openAt),
    endDate: iso(market.endAt),
    startDateIso: dateOf(market.openAt),
    endDateIso: dateOf(market.endAt),
    description: `${market.rules}\n\n${market.rulesMore}`,
    outcomes: JSON.stringify(market.outcomes),
    outcomePrices: JSON.stringify(price),
    clobTokenIds: JSON.stringify(market.tokens),
    volume: String(volume),
    volumeNum: volume,
    liquidity: '0',
    liquidityNum: 0,
    ...(isNew || closed
      ? {}
      : {
          volume24hr: volumeOver(DAY),
          volume24hrClob: volumeOver(DAY),
          volume1wk: volumeOver(7 * DAY),
          volume1mo: volumeOver(30 * DAY),
        }),
    volumeClob: volume,
    active: !market.placeholder,
    closed,
    archived: false,
    new: at < market.openAt + DAY,
    featured: false,
    restricted: true,
    acceptingOrders: isTrading(market, at),
    acceptingOrdersTimestamp: iso(market.openAt),
    enableOrderBook: true,
    groupItemTitle: event.markets.length > 1 ? market.choice.label : '',
    groupItemThreshold: String(market.index),
    questionID: `0x${hexOf(keyOf(market.key, 'question'), 64)}`,
    orderPriceMinTickSize: venueBTick(market, at - 10 * MINUTE) / 10_000,
    orderMinSize: 5,
    negRisk: event.exclusive && !isGame,
    ...(event.exclusive && !isGame
      ? {
          negRiskMarketID: negRiskId(event),
          negRiskRequestID: `0x${hexOf(keyOf(market.key, 'request'), 64)}`,
        }
      : {}),
    negRiskOther: false,
    ...(quote.bid > 0 ? { bestBid: quote.bid / 10_000 } : {}),
    ...(quote.ask < 10_000 ? { bestAsk: quote.ask / 10_000 } : {}),
    ...(quote.bid > 0 && quote.ask < 10_000 ? { spread: (quote.ask - quote.bid) / 10_000 } : {}),
    ...(last === null ? {} : { lastTradePrice: last.price / 10_000 }),
    ...(changeOver(DAY) === undefined ? {} : { oneDayPriceChange: changeOver(DAY) }),
    secondsDelay: isGame ? 3 : 0,
    ...(isGame
      ? { gameStartTime: spacedTime(market.endAt - 3 * HOUR), sportsMarketType: 'moneyline' }
      : {}),
    ...fees,
    umaBond: '500',
    umaReward: '5',
    ...(status === null ? {} : { umaResolutionStatus: status }),
    umaResolutionStatuses: JSON.stringify(
      status === null ? [] : status === 'resolved' ? ['proposed', 'resolved'] : [status],
    ),
    ...(closed
      ? { closedTime: spacedTime(market.determinedAt), umaEndDate: iso(market.determinedAt) }
      : {}),
    createdAt: iso(market.createdAt),
    updatedAt: iso(cachedAt),
    pendingDeployment: false,
    automaticallyResolved: false,
    cyom: false,
    rfqEnabled: false,
    ...(withTags ? { tags: tagsOf(event) } : {}),
    ...(withEvents ? { events: [eventHead(event)] } : {}),
  }
}

/** Prices of both outcomes as texts. */
function pricesOf(
  market: SimMarket,
  at: number,
  cachedAt: number,
  last: number | null,
): [string, string] {
  if (isResolved(market, at)) return [String(market.payout), String(1 - market.payout)]
  const mid = Math.round(midOf(tokenQuote(market, 0, cachedAt)) ?? last ?? 5_000)
  return [String(mid / 10_000), String((10_000 - mid) / 10_000)]
}

function feesOf(market: SimMarket): Record<string, unknown> {
  const kind = market.event.template.tags[0] ?? ''
  const rates: Record<string, number> = {
    Crypto: 0.07,
    Sports: 0.05,
    Geopolitics: 0,
    Politics: 0.04,
    Tech: 0.04,
    Finance: 0.04,
  }
  const rate = rates[kind] ?? 0.05
  if (rate === 0) return { feesEnabled: false, feeType: null }
  return {
    feesEnabled: true,
    feeType: `${kind.toLowerCase().replace(' ', '_')}_fees`,
    feeSchedule: { exponent: 1, rate, takerOnly: true, rebateRate: 0.25 },
  }
}

const negRiskId = (event: SimEvent): string => `0x${hexOf(keyOf(event.key, 'negrisk'), 62)}00`

function eventHead(event: SimEvent): Record<string, unknown> {
  const series = seriesOf(event)
  return {
    id: event.id,
    ticker: event.slug,
    slug: event.slug,
    title: event.title,
    ...(series === null ? {} : { series: [series], seriesSlug: series.slug }),
  }
}

/** An event of the metadata service with all its markets. */
export function gammaEvent(event: SimEvent, at: number, tape: Tape): Record<string, unknown> {
  const listedMarkets = event.markets.filter((market) => market.createdAt <= at)
  const markets = listedMarkets.map((market) => gammaMarket(market, at, tape, false, false))
  const closed = listedMarkets.every((market) => isClosed(market, at))
  const sum = (name: string): number =>
    markets.reduce(
      (total, market) => total + (typeof market[name] === 'number' ? market[name] : 0),
      0,
    )
  const exclusive = event.exclusive && event.template.shape.kind !== 'game'
  return {
    ...eventHead(event),
    subtitle: '',
    description: markets[0]?.['description'] ?? '',
    category: event.template.tags[0] ?? '',
    tags: tagsOf(event),
    markets,
    active: true,
    closed,
    archived: false,
    new: at < event.createdAt + DAY,
    featured: false,
    restricted: true,
    startDate: iso(event.createdAt),
    creationDate: iso(event.createdAt),
    endDate: iso(event.endsAt),
    ...(closed
      ? { closedTime: iso(Math.max(...listedMarkets.map((market) => market.determinedAt))) }
      : {}),
    createdAt: iso(event.createdAt),
    updatedAt: iso(Math.floor(at / CACHE) * CACHE),
    volume: sum('volumeNum'),
    volume24hr: sum('volume24hr'),
    liquidity: 0,
    openInterest: listedMarkets.reduce(
      (total, market) => total + openInterestOf(market, at, tape),
      0,
    ),
    enableOrderBook: true,
    negRisk: exclusive,
    enableNegRisk: exclusive,
    negRiskAugmented: event.augmented,
    ...(exclusive ? { negRiskMarketID: negRiskId(event) } : {}),
    cumulativeMarkets: event.template.shape.kind === 'deadline',
  }
}
