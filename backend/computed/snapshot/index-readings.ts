import { DAY, type Cents, type Millis } from '../../domain/units.ts'
import type { BasketMember, Theatre } from '../../domain/world/gauges/geo-basket.ts'
import {
  activeTheatres,
  theatreLevel,
  type MemberReading,
} from '../../domain/world/gauges/geo-risk.ts'
import { readIndex, type IndexReading } from '../../domain/world/gauges/index-reading.ts'
import { isInRegion, regionOf } from '../../domain/world/regions/region.ts'
import { universeOf } from '../../domain/world/universe.ts'
import type { WorldMarket } from '../../domain/world/world-market.ts'
import type { ContextStore } from '../../history/context-store.ts'
import { SCOPES } from '../world/scopes.ts'
import type { MarketQuantities } from './context-snapshot.ts'
import { DAYS_BACK } from './market-quantities.ts'
import { centsAt } from './slot-prices.ts'

/** Days of the activity baseline (B4). */
const ACTIVITY_DAYS = 30
/** Maximum age of a stored reading at an instant of the baseline. */
const BASELINE_AGE = DAY
/** Hours within which a mark must be backed by a book or a move to be fresh (B2). */
const FRESH_HOURS = 24

export interface IndexSources {
  readonly at: Millis
  readonly markets: readonly WorldMarket[]
  readonly duplicates: Parameters<typeof universeOf>[1]
  readonly marketQuantitiesOf: (ticker: string) => MarketQuantities | undefined
  /** Marks at t − 24 h × 31, …, t. */
  readonly dayMarksOf: (ticker: string) => Float64Array | undefined
  /** Chosen at the last midnight UTC. */
  readonly basket: readonly BasketMember[]
}

/** Gauges of the world, the topics and the groups at a snapshot instant (Part B). */
export async function readIndices(
  sources: IndexSources,
  store: Pick<ContextStore, 'indexAt' | 'indexBack'>,
): Promise<Map<string, IndexReading>> {
  const { at, markets } = sources
  const universe = universeIn(sources)
  const previous = await store.indexAt('', (at - 1) as Millis, at)
  const lastDisagreement =
    previous === null ? null : (JSON.parse(previous.body) as IndexReading).measuredDisagreement
  const activityBefore = await activitiesBefore(at, store)
  const isDayKnown = markets.some(
    ({ ticker }) => (sources.marketQuantitiesOf(ticker)?.traded.dayAgo ?? null) !== null,
  )
  const readings = new Map<string, IndexReading>()
  for (const scope of SCOPES) {
    const region = regionOf(scope === '' ? [] : [scope], new Map())
    if (region === null) continue
    const regionMarkets =
      scope === '' ? universe : universe.filter((market) => isInRegion(market, region))
    const names = new Set(regionMarkets.map(({ ticker }) => ticker))
    const members = sources.basket.filter(({ ticker }) => scope === '' || names.has(ticker))
    readings.set(
      scope,
      readIndex({
        at,
        markets: isDayKnown ? regionMarkets : regionMarkets.map(withoutTrades),
        theatres: activeTheatres(
          members.map((member) => memberReading(member, sources)),
          levelsOf(members, sources),
        ),
        basketSize: members.length,
        changes24h: isDayKnown ? changesOf(regionMarkets, sources) : null,
        activityBaseline: activityBefore(scope),
        lastDisagreement,
        scope: scope === '' ? 'world' : 'theme',
      }),
    )
  }
  return readings
}

/**
 * The universe with traded prices as marks, in which the leg of a pair that repriced more often counts: books and stated volumes
 * are unknown before a start, so a choice by liquidity would change with it.
 */
function universeIn({ markets, duplicates, marketQuantitiesOf }: IndexSources): WorldMarket[] {
  const alike = markets.map((market) => ({
    ...market,
    liquidity: 'low' as const,
    volume24hUsd: marketQuantitiesOf(market.ticker)?.changes24h ?? null,
  }))
  const universeTickers = new Set(universeOf(alike, duplicates).map(({ ticker }) => ticker))
  return markets.flatMap((market) => {
    if (!universeTickers.has(market.ticker)) return []
    const tradedPrices = marketQuantitiesOf(market.ticker)?.traded
    return { ...market, mark: tradedPrices?.now ?? null, markDayAgo: tradedPrices?.dayAgo ?? null }
  })
}

/** Trades of a part of the day would compare as a quiet day. */
const withoutTrades = (market: WorldMarket): WorldMarket => ({ ...market, tradedMoves: null })

const changesOf = (markets: readonly WorldMarket[], { marketQuantitiesOf }: IndexSources): number =>
  markets.reduce((sum, { ticker }) => sum + (marketQuantitiesOf(ticker)?.changes24h ?? 0), 0)

/**
 * Changes counted at t − 24 h × 1…30 by scope, as stored then: a reading at most a day older, since
 * those of the time before a first start are a day apart.
 */
async function activitiesBefore(
  at: Millis,
  store: Pick<ContextStore, 'indexBack'>,
): Promise<(scope: string) => (number | null)[]> {
  const baselineQuery = { at, step: DAY, count: ACTIVITY_DAYS, within: BASELINE_AGE, knownBy: at }
  const changesByTicker = new Map<string, number | null>()
  for (const { back, row } of await store.indexBack(baselineQuery)) {
    const { components } = JSON.parse(row.body) as IndexReading
    changesByTicker.set(`${back} ${row.scope}`, components.activityChanges_24h)
  }
  return (scope) =>
    Array.from(
      { length: ACTIVITY_DAYS },
      (_, day) => changesByTicker.get(`${day + 1} ${scope}`) ?? null,
    )
}

function memberReading(member: BasketMember, sources: IndexSources): MemberReading {
  const { theatre, sign, ticker } = member
  const market = sources.marketQuantitiesOf(ticker)
  const moves = market?.tradedMoves ?? null
  const isFresh =
    market?.view.hasOrderbook === true || (market?.idleHours ?? Infinity) <= FRESH_HOURS
  return {
    theatre,
    sign,
    mark: isFresh ? (market?.view.mark ?? null) : null,
    markDayAgo: market?.marksAgo['24h'] ?? null,
    squaredMoves24h: moves === null ? null : moves.sigma ** 2 * 24,
  }
}

/** Mean risk of each theatre's members on each of the last thirty days. */
function levelsOf(
  members: readonly BasketMember[],
  { dayMarksOf }: IndexSources,
): Map<Theatre, number[]> {
  const levels = new Map<Theatre, number[]>()
  for (const [region, theatreMembers] of Map.groupBy(members, (member) => member.theatre)) {
    const days: number[] = []
    for (let day = 1; day <= ACTIVITY_DAYS; day++) {
      const readings = theatreMembers.map(({ ticker, sign }): MemberReading => {
        const mark: Cents | null = centsAt(dayMarksOf(ticker), DAYS_BACK - day)
        return { theatre: region, sign, mark, markDayAgo: null, squaredMoves24h: null }
      })
      const level = theatreLevel(readings)
      if (level !== null) days.push(level)
    }
    levels.set(region, days)
  }
  return levels
}
