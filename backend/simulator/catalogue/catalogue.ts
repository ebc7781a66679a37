import { DAY } from '../../domain/units.ts'
import type { Venue } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { keyOf, mix, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { endsBetween } from './cadence.ts'
import { planOf } from './choices.ts'
import { listEvent } from './listing.ts'
import type { SimEvent, SimMarket } from './market.ts'
import { isTurn, streamsFor, tailOf } from './streams.ts'
import type { Stream } from './streams.ts'
import { dateTexts } from './template.ts'
import type { Template } from './template.ts'
import { TEMPLATES } from './templates.ts'

/** How long ended markets stay in the catalogue, in days. */
const KEEP_DAYS = 120
const BLOCK = 10 * DAY

/** Everything that both venues list: a function of the seed, the size and the requested time. */
export interface Catalogue {
  /** Events created by `at` and not long ended, oldest first. */
  events(venue: Venue, at: number): SimEvent[]
  /** Markets created by `at` and not long ended, oldest first. */
  markets(venue: Venue, at: number): SimMarket[]
  market(venue: Venue, id: string, at: number): SimMarket | null
  event(venue: Venue, id: string, at: number): SimEvent | null
  /** By either token id of venue_b. */
  token(token: string, at: number): { market: SimMarket; outcome: 0 | 1 } | null
  /** Lists a market without a template; it replaces one of the same id. */
  add(market: SimMarket): void
  /** Removes a market from every list, as if it had never existed. */
  withdraw(market: SimMarket): void
  /** Lists a withdrawn market again. */
  readmit(market: SimMarket): void
}

export function createCatalogue(options: {
  seed: number
  markets: number
  from: Millis
}): Catalogue {
  const root = mix(0x5eed, options.seed)
  const streams = streamsFor(root, options.markets)
  const listings = { venue_a: emptyListing(), venue_b: emptyListing() }
  const tokens = new Map<string, { market: SimMarket; outcome: 0 | 1 }>()
  const oldest = Math.floor((options.from - (KEEP_DAYS + 20) * DAY) / BLOCK) * BLOCK
  const longestTail = Math.max(...TEMPLATES.map(tailOf))
  let builtTo = oldest - Math.ceil((longestTail * DAY) / BLOCK) * BLOCK

  const addListed = (market: SimMarket): void => {
    const listing = listings[market.venue]
    listing.markets.push(market)
    listing.ids.set(market.id, market)
    if (market.venue === 'venue_b')
      market.tokens.forEach((token, i) => tokens.set(token, { market, outcome: i === 0 ? 0 : 1 }))
  }
  const withdraw = (market: SimMarket): void => {
    const listing = listings[market.venue]
    listing.markets = listing.markets.filter((other) => other !== market)
    listing.ids.delete(market.id)
    for (const token of market.tokens) tokens.delete(token)
    const index = market.event.markets.indexOf(market)
    if (index !== -1) market.event.markets.splice(index, 1)
  }
  const admit = (market: SimMarket): void => {
    addListed(market)
    market.event.markets.push(market)
    market.event.markets.sort((a, b) => a.index - b.index)
    listings[market.venue].markets.sort(byCreation)
  }

  /** Events whose first deadline is in a block; blocks are built ahead of the requested time. */
  const build = (from: number, to: number): void => {
    for (const stream of streams) {
      const tail = tailOf(stream.template) * DAY
      for (const end of endsBetween(stream.template.cadence, stream.shift, from, to)) {
        if (end.at + tail < oldest || !isTurn(stream, end.number)) continue
        for (const event of eventsOf(stream, end.number, end.at, root)) {
          const listing = listings[event.venue]
          listing.events.push(event)
          listing.eventIds.set(event.id, event)
          for (const market of event.markets) addListed(market)
        }
      }
    }
    for (const listing of Object.values(listings)) {
      listing.events.sort(byCreation)
      listing.markets.sort(byCreation)
    }
  }
  const longestLife = Math.max(...TEMPLATES.map((template) => template.cadence.life)) + 3
  const extendThrough = (at: number): void => {
    const neededSpan = Math.ceil((at + longestLife * DAY) / BLOCK) * BLOCK
    if (neededSpan <= builtTo) return
    build(builtTo, neededSpan)
    builtTo = neededSpan
  }
  const isListed = (market: SimMarket, at: number): boolean =>
    market.createdAt <= at && market.settledAt > at - KEEP_DAYS * DAY
  return {
    events(venue, at) {
      extendThrough(at)
      return listings[venue].events.filter((event) =>
        event.markets.some((market) => isListed(market, at)),
      )
    },
    markets(venue, at) {
      extendThrough(at)
      return listings[venue].markets.filter((market) => isListed(market, at))
    },
    market(venue, id, at) {
      extendThrough(at)
      const market = listings[venue].ids.get(id)
      return market !== undefined && isListed(market, at) ? market : null
    },
    event(venue, id, at) {
      extendThrough(at)
      const event = listings[venue].eventIds.get(id)
      return event !== undefined && event.markets.some((market) => isListed(market, at))
        ? event
        : null
    },
    token(token, at) {
      extendThrough(at)
      const tokenMarket = tokens.get(token)
      return tokenMarket !== undefined && isListed(tokenMarket.market, at) ? tokenMarket : null
    },
    add(market) {
      const previous = listings[market.venue].ids.get(market.id)
      if (previous !== undefined) withdraw(previous)
      admit(market)
    },
    withdraw,
    readmit: admit,
  }
}

const byCreation = (
  a: { readonly createdAt: number; readonly id: string },
  b: { readonly createdAt: number; readonly id: string },
): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

const emptyListing = () => ({
  events: [] as SimEvent[],
  markets: [] as SimMarket[],
  ids: new Map<string, SimMarket>(),
  eventIds: new Map<string, SimEvent>(),
})

function eventsOf(stream: Stream, number: number, end: Millis, root: Key): SimEvent[] {
  const { template, subject } = stream
  const key = mix(stream.key, number)
  const openAt = Math.floor(end - template.cadence.life * (0.78 + 0.22 * unit(key, 2)) * DAY)
  const endTexts = dateTexts(end)
  const plan = planOf({
    template,
    subject,
    key,
    openAt,
    when: endTexts,
    figure: keyOf(root, subject.figure ?? subject.code),
    theme: keyOf(root, template.theme),
  })
  return venuesOf(template, key).map((venue, _, all) =>
    listEvent({
      venue,
      template,
      subject,
      when: endTexts,
      key,
      openAt,
      plan,
      paired: all.length === 2,
    }),
  )
}

function venuesOf(template: Template, key: Key): Venue[] {
  if (template.listing === 'a') return ['venue_a']
  if (template.listing === 'b') return ['venue_b']
  const randomValue = unit(key, 3)
  return randomValue < 0.45
    ? ['venue_a', 'venue_b']
    : randomValue < 0.77
      ? ['venue_a']
      : ['venue_b']
}
