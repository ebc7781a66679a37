import type { MarketFacts } from '../backend/domain/market.ts'
import { DAY, HOUR, MINUTE, type Millis, type PriceE4 } from '../backend/domain/units.ts'
import type { OpenHistory } from '../backend/history/duckdb/open.ts'
import {
  activityColumns,
  bookColumns,
  quoteColumns,
  tradeColumns,
} from '../backend/testing/history-rows.ts'
import { marketFacts } from '../backend/testing/market-facts.ts'

const SUBJECTS = [
  'Bitcoin',
  'Ethereum',
  'Solana',
  'Gold',
  'WTI crude',
  'Brent',
  'Natural gas',
  'Nvidia',
  'Tesla',
  'Apple',
  'OpenAI',
  'Anthropic',
  'SpaceX',
  'Microsoft',
  'Amazon',
  'Boeing',
]
const COUNTRIES = [
  'Iran',
  'Israel',
  'Ukraine',
  'Russia',
  'China',
  'Taiwan',
  'Venezuela',
  'Poland',
  'India',
  'Pakistan',
  'Korea',
  'Germany',
  'France',
  'Brazil',
  'Mexico',
  'Canada',
  'Japan',
  'Turkey',
]
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August']
const CITIES = ['New York', 'Chicago', 'Miami', 'Austin', 'Denver', 'Seattle', 'Boston', 'Phoenix']

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

/** Events after which days, months and cities repeat. */
const ROUND = 672

/** A question of one of four kinds, all different. */
function titleOf(event: number, outcome: number): string {
  const month = pick(MONTHS, event)
  const year = 2027 + Math.floor(event / ROUND)
  const level = 100 * (1 + (event % 700)) + 50 * outcome
  switch (event % 4) {
    case 0:
      return `Will ${pick(SUBJECTS, event >> 2)} be above $${level.toLocaleString('en-US')} on ${month} ${1 + (event % 28)}, ${year}?`
    case 1:
      return `Will ${pick(COUNTRIES, event >> 2)} and ${pick(COUNTRIES, (event >> 2) + 5 + outcome)} sign agreement ${event} before ${month} ${year}?`
    case 2:
      return `Will the highest temperature in ${pick(CITIES, event >> 2)} be above ${60 + 2 * outcome}° on ${month} ${1 + (event % 28)}, ${year}?`
    default:
      return `Will candidate ${event}-${outcome} win the ${pick(COUNTRIES, event >> 2)} election in ${month} ${year}?`
  }
}

/** A catalogue of active markets, four per event; every tenth event is listed on both venues. */
export function catalogueOf(count: number, now: Millis): MarketFacts[] {
  return Array.from({ length: count }, (_, i) => {
    const isMirrored = i % 40 >= 36
    // The first of the forty is an event of the other venue.
    const event = isMirrored ? (i - 36) >> 2 : i >> 2
    const venue = isMirrored || (i >> 2) % 2 === 1 ? 'venue_b' : 'venue_a'
    const title = titleOf(event, i % 4)
    return marketFacts({
      venue,
      title,
      eventTitle: null,
      seriesTitle: null,
      seriesId: null,
      ticker: venue === 'venue_b' ? `0x${i.toString(16).padStart(64, '0')}` : `KXBENCH-${i}`,
      description: `${title} Resolves by the first report of the source named in the rules.`,
      eventId: `${venue}-${i >> 2}`,
      category: pick(['crypto', 'politics', 'weather', 'politics'], event),
      exclusive: event % 4 === 3,
      volumeUnit: venue === 'venue_b' ? 'usd' : 'contracts',
      openTime: (now - 30 * DAY) as Millis,
      closeTime: (now + (1 + (event % 90)) * DAY) as Millis,
    })
  })
}

/** Quotes, trades, books and counters of the last day, a dozen rows per market. */
export async function fillDay(
  history: OpenHistory,
  catalogue: readonly MarketFacts[],
  now: Millis,
): Promise<void> {
  const ids = await history.marketIds(catalogue)
  const instants = [25 * HOUR, 24 * HOUR, 6 * HOUR, HOUR, 30 * MINUTE, 10 * MINUTE, MINUTE]
  const priceAt = (i: number, step: number): number =>
    1_000 + ((i * 137 + step * 61 * (i % 5)) % 8_000)
  await history.append({
    facts: catalogue.map((facts, i) => ({
      market: ids[i] ?? -1,
      knownAt: (now - 29 * DAY) as Millis,
      facts,
    })),
  })
  for (const [step, before] of instants.entries()) {
    const rows = catalogue.map((_, i) => ({
      market: ids[i] ?? -1,
      ts: now - before - (i % 1_000),
      price: priceAt(i, step),
    }))
    await history.append({
      quotes: quoteColumns(
        rows.map((row) => ({ ...row, bid: row.price - 50, ask: row.price + 50 })),
      ),
      trades: tradeColumns(
        rows.map((row, i) => ({
          ...row,
          tradeId: `${i}-${step}`,
          size: (1 + (i % 50)) * 100_000_000,
        })),
      ),
      books: bookColumns(
        rows.map((row) => ({
          ...row,
          bids: [[(row.price - 50) as PriceE4, 900_000_000]] as const,
          asks: [[(row.price + 50) as PriceE4, 800_000_000]] as const,
        })),
      ),
    })
  }
  await history.append({
    activity: activityColumns(
      ids.map((market, i) => ({
        market,
        ts: now - 2 * MINUTE,
        volume: 5_000_000_000,
        volume24h: (i % 900) * 10_000_000,
        openInterest: 1_000_000_000,
        lastPrice: null,
      })),
    ),
  })
}
