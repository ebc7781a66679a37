import type { AnswerFacts, AnswerMarket } from '../../domain/answers/answer-facts.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import type { Shape } from './computed-twice.ts'
import type { Draws } from './draws.ts'
import { CENTS } from './shapes.ts'

const MARKET = {
  ticker: 'TEXT',
  venue: 'TEXT',
  title: 'TEXT',
  outcome: 'TEXT',
  price: CENTS,
  change24h: CENTS,
  volume24hUsd: 'BIGINT',
  spread: CENTS,
  liquidity: 'TEXT',
  closeTime: 'BIGINT',
  updatedAt: 'BIGINT',
  vr: CENTS,
} as const

/** The facts of an answer as the engine reads them; the gaps between venues are omitted. */
export const FACTS_SHAPE: Readonly<Record<keyof AnswerFacts, Shape>> = {
  at: 'BIGINT',
  headline: MARKET,
  markets: [MARKET],
  counterpart: { ticker: 'TEXT', venue: 'TEXT', price: CENTS },
  outcomes: [MARKET],
  combined: [MARKET],
  eventTitle: 'TEXT',
  tensions: [{ kind: 'TEXT', text: 'TEXT' }],
}

const AT = Date.UTC(2026, 7, 20, 12)
const HUNDREDTH_DAY = 864_000
const VENUE_PAIRS = [
  ['venue_a', 'venue_b'],
  ['venue_b', 'venue_a'],
] as const
const KINDS = ['cross_venue_edge', 'basket_edge', 'ladder_edge', 'divergence'] as const

/** Short words, so that texts of many words are cut by the number of words alone. */
const drawnWords = ({ list, pick }: Draws, min: number, max: number): string =>
  list(min, max, () => pick(['a', 'ab', 'xy', 'up'])).join(' ')

function drawnMarket(draws: Draws, ticker: string, venue: AnswerMarket['venue']): AnswerMarket {
  const { pick, nullable, integer, chance } = draws
  const title = drawnWords(draws, 1, 33)
  return {
    ticker,
    venue,
    title,
    outcome: chance(0.6) ? null : chance(0.3) ? title.slice(0, 4).trim() : drawnWords(draws, 1, 13),
    price: nullable(integer(1, 396) / 4) as Cents | null,
    change24h: nullable(integer(-48, 48) / 4),
    volume24hUsd: nullable(integer(1, 9_999) * pick([1, 100, 1_000])),
    spread: nullable(integer(2, 32) / 4) as Cents | null,
    liquidity: pick(['high', 'medium', 'low'] as const),
    closeTime: nullable(
      AT + pick([-40, 300, 305, 2_500, 3_000, 3_001, 9_999, integer(1, 4_000)]) * HUNDREDTH_DAY,
    ) as Millis | null,
    updatedAt: (AT - pick([0, 300, 900, 901, 930, 4_000]) * 1_000) as Millis,
    vr: nullable(pick([1.95, 2, 2.05, 3, 3, integer(-40, 160) / 40])),
  }
}

/** Inputs of an answer: tickers in random order, so that equal markets are ordered by theirs. */
export function drawnFacts(draws: Draws): AnswerFacts {
  const { list, pick, nullable, integer, chance } = draws
  const [venue, otherVenue] = pick(VENUE_PAIRS)
  const tickers = list(1, 5, (i) => `K${i * 7 + integer(0, 6)}`).sort(() => (chance(0.5) ? 1 : -1))
  const markets = tickers.map((ticker) => drawnMarket(draws, ticker, venue))
  const [headline = drawnMarket(draws, 'K', venue)] = markets
  const price = nullable(integer(1, 396) / 4)
  const near = headline.price === null ? price : headline.price + pick([-4, -1, -0.5, 0, 0.5, 1, 2])
  const other = chance(0.5) ? near : price
  const prices = list(0, 6, (i) => (chance(0.2) ? null : 95 - 12 * i - integer(0, 40) / 4))
  const combined = list(0, 3, (i) => (i === 0 && chance(0.6) ? null : i))
  return {
    at: AT as Millis,
    headline,
    markets,
    counterpart: nullable({
      ticker: 'OTHER',
      venue: otherVenue,
      price: other as Cents | null,
      gap: other === null || headline.price === null ? null : other - headline.price,
    }),
    outcomes: prices.map((one, i) => ({
      ...drawnMarket(draws, `O${i}`, venue),
      title: drawnWords(draws, 1, 13),
      price: one as Cents | null,
    })),
    combined: combined.includes(null)
      ? []
      : combined.map((i) => ({
          ...drawnMarket(draws, `C${i}`, venue),
          title: drawnWords(draws, 1, 13),
          price: (integer(1, 120) / 4) as Cents,
        })),
    eventTitle: nullable(drawnWords(draws, 1, 13)),
    tensions: list(0, 3, () => ({
      kind: pick(KINDS),
      cents: 1,
      text: drawnWords(draws, 4, 45),
      ticker: null,
    })),
  }
}

/** SQL of a number in a sentence: one decimal at most. */
export const numberSql = (x: string): string =>
  `replace(round((${x})::decimal(18,4), 1)::varchar, '.0', '')`
/** SQL of a number with a plus sign for a gain. */
export const signedSql = (x: string): string => `if(${x} > 0, '+', '') || ${numberSql(x)}`
/** SQL of abbreviated dollars: $840, $52k, $1.2M. */
export const moneySql = (x: string): string =>
  `case when ${x} >= 999500 then '$' || ${numberSql(`${x} / 1000000`)} || 'M' when ${x} >= 1000 then '$' || round(${x} / 1000)::bigint || 'k' else '$' || ${x} end`
/** SQL of the day of an instant. */
export const daySql = (x: string): string => `strftime(epoch_ms(${x}), '%Y-%m-%d')`
/** SQL of the days from `at` to an instant. */
export const daysSql = (x: string): string => numberSql(`(${x} - "at") / 86400000`)
/** SQL of a list without unknown elements. */
export const presentSql = (...items: readonly string[]): string =>
  `list_filter([${items.join(', ')}], x -> x is not null)`
