import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PAIR_CALIBRATION } from '../domain/pairing/calibration-curve.ts'
import { fingerprintOf } from '../domain/pairing/fingerprint.ts'
import type { Fingerprint, PairingFacts } from '../domain/pairing/fingerprint.ts'
import { labelledPairsFrom } from './labelled-pair.ts'
import { pairMarkets, withoutDominated } from '../domain/pairing/pairs.ts'
import type { MarketPair } from '../domain/pairing/pairs.ts'
import { PAIRING_PRESETS } from '../domain/pairing/params.ts'
import { categoryOf } from '../domain/topics/topics.ts'
import type { Millis } from '../domain/units.ts'
import { VENUES } from '../domain/venue.ts'
import type { Venue } from '../domain/venue.ts'

const DOMAIN = join(import.meta.dirname, '../domain')
const LABELLED = join(DOMAIN, 'pairing/labelled-pairs')
const FINDER = join(DOMAIN, 'finder/recorded-questions')

/** Sets of labelled pairs; see `labelled-pairs/README.md`. */
export const PAIRING_SETS = ['dev', 'held-out', 'public'] as const
export type PairingSetName = (typeof PAIRING_SETS)[number]

/** A labelled pair of two recorded markets, by their keys. */
export interface KnownPair {
  readonly a: string
  readonly b: string
  readonly isSame: boolean
  readonly inverted: boolean
  readonly set: PairingSetName
  readonly event: string
}

/** Labelled pairs with the markets that they name. */
export interface PairingSet {
  readonly markets: ReadonlyMap<string, PairingFacts>
  readonly pairs: readonly KnownPair[]
  /** Other pairs that were served from the recordings and read, by their titles. */
  readonly read: ReadonlyMap<string, boolean>
}

interface StoredMarket {
  readonly venue: Venue
  readonly ticker: string
  readonly title: string
  readonly subtitle?: string
  readonly eventId?: string
  readonly category?: string
  readonly close?: string | null
  readonly expected?: string
  readonly rules?: string
}

interface PublicSide {
  readonly title: string
  readonly outcome?: string
  readonly close: string
}

interface PublicPair {
  readonly label: string
  readonly inverted?: boolean
  readonly event: string
  readonly a: PublicSide
  readonly b: PublicSide
}

interface ReadPair {
  readonly isSame: boolean
  readonly a: string
  readonly b: string
}

const jsonAt = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
const timeOf = (text: string | null | undefined): Millis | null =>
  text === null || text === undefined ? null : (Date.parse(text) as Millis)

/** Key of a market in a set: venue and ticker. */
export const marketKey = ({ venue, ticker }: Pick<PairingFacts, 'venue' | 'ticker'>): string =>
  `${venue} ${ticker}`

const titlesKey = (a: string, b: string): string => `${a.trim()}\n${b.trim()}`

const factsOf = (market: StoredMarket): PairingFacts => ({
  venue: market.venue,
  ticker: market.ticker,
  title: market.title,
  subtitle: market.subtitle ?? null,
  description: market.rules ?? '',
  eventId: market.eventId ?? market.ticker,
  eventTitle: null,
  seriesTitle: null,
  tags: [],
  category: market.category ?? categoryOf(null),
  closeTime: timeOf(market.close),
  expirationTime: timeOf(market.expected),
  mark: null,
})

/** A market is titled by event and outcome, as the venues' parsers do. */
const titled = (title: string, outcome: string | null | undefined): string =>
  outcome === null || outcome === undefined || title.includes(outcome)
    ? title
    : `${title} - ${outcome}`

function publicSide(venue: Venue, side: PublicSide): PairingFacts {
  const title = titled(side.title, side.outcome)
  return factsOf({
    venue,
    ticker: `public ${title} ${side.close}`,
    title,
    ...(side.outcome === undefined ? {} : { subtitle: side.outcome }),
    close: side.close,
    category: 'politics',
  })
}

function labelledIn(file: string, set: PairingSetName): KnownPair[] {
  const [first, second] = VENUES
  return labelledPairsFrom(jsonAt(join(LABELLED, file))).map((pair) => ({
    a: `${first} ${pair.a}`,
    b: `${second} ${pair.b}`,
    isSame: pair.label === 'equivalent',
    inverted: pair.inverted,
    set,
    event: pair.event,
  }))
}

/** The labelled pairs of the repository with their recorded titles. */
export function pairingSet(): PairingSet {
  const stored = (jsonAt(join(LABELLED, 'markets.json')) as readonly StoredMarket[]).map(factsOf)
  const markets = new Map(stored.map((market) => [marketKey(market), market]))
  const pairs = [...labelledIn('train.json', 'dev'), ...labelledIn('test.json', 'held-out')]
  for (const pair of jsonAt(join(LABELLED, 'public.json')) as readonly PublicPair[]) {
    const [a, b] = [publicSide('venue_a', pair.a), publicSide('venue_b', pair.b)]
    for (const market of [a, b]) markets.set(marketKey(market), market)
    pairs.push({
      a: marketKey(a),
      b: marketKey(b),
      isSame: pair.label === 'equivalent',
      inverted: pair.inverted ?? false,
      set: 'public',
      event: `public ${pair.event}`,
    })
  }
  const served = jsonAt(join(LABELLED, 'served.json')) as readonly ReadPair[]
  const read = new Map(served.map(({ a, b, isSame }) => [titlesKey(a, b), isSame]))
  return { markets, pairs, read }
}

interface FinderEvent {
  readonly venue: Venue
  readonly id: string
  readonly title: string | null
  readonly asks?: string
  readonly markets: readonly (readonly [string | null, string | null, number, number, string?])[]
}

/** Recorded markets of both venues without labels, to fill a catalogue. */
export function committedFillers(): PairingFacts[] {
  const events = jsonAt(join(FINDER, 'catalogue.json')) as readonly FinderEvent[]
  return events.flatMap(({ venue, id, title, asks, markets }) =>
    markets.map(([outcome, close, , , own], index) => {
      const name = own ?? asks?.replace('{}', outcome ?? '') ?? title ?? ''
      return factsOf({
        venue,
        ticker: `filler ${id} ${index}`,
        eventId: id,
        title: venue === 'venue_a' ? titled(name, outcome) : name,
        ...(outcome === null ? {} : { subtitle: outcome }),
        close: close === null ? null : `${close}T23:00:00Z`,
      })
    }),
  )
}

/** Counts of the pairs that were served with confidence 0.8 or more. */
export interface PairingScore {
  /** Labelled pairs that ask the same. */
  readonly same: number
  readonly found: number
  /** Served and labelled otherwise, or inverted wrongly. */
  readonly wrong: number
}

/** A labelled pair that was missed or served wrongly, or a served one that nobody has read. */
export interface PairingMiss {
  readonly kind: 'missed' | 'wrong' | 'inverted' | 'unread'
  readonly set: PairingSetName | null
  readonly titles: string
}

/** Scores of one catalogue. */
export interface PairingScores {
  readonly sets: Readonly<Record<PairingSetName, PairingScore>>
  /** Pairs that are served besides the labelled ones: those read and the wrong ones among them. */
  readonly others: { readonly served: number; readonly wrong: number }
  readonly misses: readonly PairingMiss[]
}

function servedPairs(markets: readonly PairingFacts[]): ReadonlyMap<string, MarketPair> {
  const prints: Fingerprint[] = markets.map(fingerprintOf)
  const { browse, arb } = PAIRING_PRESETS
  const pairs = pairMarkets(prints, { calibration: PAIR_CALIBRATION })
  const visible = withoutDominated(
    pairs.filter(({ confidence }) => confidence >= browse.confidence),
  )
  const served = visible.filter(({ confidence }) => confidence >= arb.confidence)
  return new Map(served.map((pair) => [`${VENUES[0]} ${pair.a}\n${VENUES[1]} ${pair.b}`, pair]))
}

/** Scores the pairs of a catalogue against the labelled ones whose markets are in it. */
export function scorePairing(
  markets: readonly PairingFacts[],
  pairs: readonly KnownPair[],
  read: PairingSet['read'],
): PairingScores {
  const titles = new Map(markets.map((market) => [marketKey(market), market.title]))
  const served = servedPairs(markets)
  const misses: PairingMiss[] = []
  const sets: Record<PairingSetName, PairingScore> = {
    dev: { same: 0, found: 0, wrong: 0 },
    'held-out': { same: 0, found: 0, wrong: 0 },
    public: { same: 0, found: 0, wrong: 0 },
  }
  const known = new Set<string>()
  for (const { a, b, isSame, inverted, set } of pairs) {
    known.add(`${a}\n${b}`)
    const pair = served.get(`${a}\n${b}`)
    const isRight = pair !== undefined && isSame && pair.inverted === inverted
    const before = sets[set]
    sets[set] = {
      same: before.same + (isSame ? 1 : 0),
      found: before.found + (isRight ? 1 : 0),
      wrong: before.wrong + (pair !== undefined && !isRight ? 1 : 0),
    }
    if (isRight || (pair === undefined && !isSame)) continue
    const kind = pair === undefined ? 'missed' : isSame ? 'inverted' : 'wrong'
    misses.push({ kind, set, titles: `${titles.get(a) ?? a} ~ ${titles.get(b) ?? b}` })
  }
  const others = { served: 0, wrong: 0 }
  for (const key of served.keys()) {
    if (known.has(key)) continue
    const [a = '', b = ''] = key.split('\n').map((end) => titles.get(end) ?? end)
    const isSame = read.get(titlesKey(a, b))
    others.served++
    if (isSame === undefined) misses.push({ kind: 'unread', set: null, titles: `${a} ~ ${b}` })
    if (isSame !== true) others.wrong++
  }
  return { sets, others, misses }
}
