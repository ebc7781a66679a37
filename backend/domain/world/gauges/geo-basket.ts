import type { ParamsOf } from '../../params.ts'
import { matcherOf } from '../../topics/topic-matcher.ts'
import { wordsOf } from '../../text/tokens.ts'
import { riskSign, type RiskSign } from '../risk-labels.ts'
import { largest } from '../top-rows.ts'
import type { WorldMarket } from '../world-market.ts'

export type Theatre =
  | 'iran_gulf'
  | 'israel_levant'
  | 'ukraine_russia'
  | 'china_taiwan'
  | 'korea'
  | 'south_asia'
  | 'venezuela_latam'
  | 'nato_europe'

export const GEO_BASKET_PARAMS = { aTheatre: 8, inAll: 64, minTau: 1 } as const

/** Words that assign a market to a theatre, matched like the topics of the tree. */
const THEATRE_RULES = {
  iran_gulf: {
    keywords: [
      'iran',
      'iranian',
      'tehran',
      'hormuz',
      'irgc',
      'khamenei',
      'houthi',
      'yemen',
      'red sea',
      'persian gulf',
      'saudi arabia',
      'iraq',
      'fordow',
      'natanz',
    ],
  },
  israel_levant: {
    keywords: [
      'israel',
      'israeli',
      'gaza',
      'hamas',
      'hezbollah',
      'lebanon',
      'syria',
      'west bank',
      'idf',
      'netanyahu',
      'palestinian',
      'palestine',
    ],
  },
  ukraine_russia: {
    keywords: [
      'ukraine',
      'ukrainian',
      'russia',
      'russian',
      'putin',
      'zelensky',
      'zelenskyy',
      'kyiv',
      'donbas',
      'crimea',
      'kremlin',
      'moscow',
      'kharkiv',
      'pokrovsk',
    ],
  },
  china_taiwan: {
    keywords: [
      'china',
      'chinese',
      'taiwan',
      'xi jinping',
      'beijing',
      'pla',
      'south china sea',
      'philippines',
    ],
  },
  korea: {
    keywords: [
      'north korea',
      'south korea',
      'korean peninsula',
      'kim jong un',
      'pyongyang',
      'dprk',
    ],
  },
  south_asia: {
    keywords: ['pakistan', 'kashmir', 'afghanistan', 'taliban', 'india', 'islamabad', 'new delhi'],
  },
  venezuela_latam: {
    keywords: [
      'venezuela',
      'venezuelan',
      'maduro',
      'caracas',
      'guyana',
      'cuba',
      'colombia',
      'cartel',
      'panama canal',
      'mexico',
      'haiti',
    ],
  },
  nato_europe: {
    keywords: [
      'nato',
      'poland',
      'polish',
      'baltic',
      'estonia',
      'latvia',
      'lithuania',
      'finland',
      'moldova',
      'article 5',
      'kaliningrad',
      'greenland',
      'kosovo',
      'serbia',
      'bosnia',
    ],
  },
} as const satisfies Readonly<Record<Theatre, { readonly keywords: readonly string[] }>>

export const THEATRES = Object.keys(THEATRE_RULES) as readonly Theatre[]

const matchTheatres = matcherOf<Theatre>(THEATRE_RULES)

/** Theatre and sign of a series, regardless of its titles; null excludes it from the basket. */
export type GeoOverrides = ReadonlyMap<
  string,
  { readonly theatre: Theatre; readonly sign: RiskSign } | null
>

/** Series whose titles express the sign in words that the rules do not know. */
export const GEO_OVERRIDES: GeoOverrides = new Map([
  ['KXKHAMENEIOUT', { theatre: 'iran_gulf', sign: 1 }],
  ['KXCLOSEHORMUZ', { theatre: 'iran_gulf', sign: 1 }],
  ['KXUSAIRANAGREEMENT', { theatre: 'iran_gulf', sign: -1 }],
  ['KXIRANEMBASSY', { theatre: 'iran_gulf', sign: -1 }],
  ['KXTRAVELDOWNGRADE', null],
  ['KXLEADERSOUT', null],
])

export interface BasketMember {
  readonly ticker: string
  readonly theatre: Theatre
  /** +1 when YES is the worse outcome, −1 when it is the better one. */
  readonly sign: RiskSign
}

/** Theatre and sign of a market; null when it is not a risk contract. */
export function riskContract(
  market: Pick<WorldMarket, 'title' | 'eventTitle' | 'seriesId' | 'seriesTitle' | 'category'>,
  overrides: GeoOverrides = GEO_OVERRIDES,
): Omit<BasketMember, 'ticker'> | null {
  const override = overrides.get(market.seriesId ?? '')
  if (override !== undefined) return override
  if (market.category === 'sports' || market.category === 'esports') return null
  const texts = [market.title, market.eventTitle ?? '', market.seriesTitle ?? '']
  const hits = matchTheatres(texts)
  if (hits.size === 0) return null
  // The market's own title decides the meaning of YES; the event's title is used when it contains
  // no sign word.
  const sign = riskSign(wordsOf(market.title)) ?? riskSign(wordsOf(market.eventTitle ?? ''))
  const theatre = largest(
    hits.keys(),
    1,
    (key) => hits.get(key) ?? null,
    (key) => String(THEATRES.indexOf(key)),
  )[0]
  return sign === null || theatre === undefined ? null : { theatre, sign }
}

/**
 * The basket of a day: in each theatre the eight risk contracts with the most dollars traded that
 * close in a day or later. It is chosen at midnight UTC and kept for the day. Theatres are in their
 * fixed order.
 * @param markets live markets at midnight
 */
export function chooseBasket(
  markets: readonly WorldMarket[],
  overrides: GeoOverrides = GEO_OVERRIDES,
  params: ParamsOf<typeof GEO_BASKET_PARAMS> = GEO_BASKET_PARAMS,
): BasketMember[] {
  const contracts = markets.flatMap((market) => {
    if (market.tau === null || market.tau < params.minTau) return []
    const contract = riskContract(market, overrides)
    return contract === null ? [] : [{ market, ...contract }]
  })
  const byTheatre = Map.groupBy(contracts, ({ theatre }) => theatre)
  return THEATRES.flatMap((theatre) =>
    largest(
      byTheatre.get(theatre) ?? [],
      params.aTheatre,
      ({ market }) => market.volume24hUsd ?? 0,
      ({ market }) => market.ticker,
    ).map(({ market, sign }) => ({ ticker: market.ticker, theatre, sign })),
  ).slice(0, params.inAll)
}
