import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MarketTable } from '../computed/board/market-table.ts'
import type { BoardView } from '../computed/board/market-board.ts'
import { canonicalTicker, VENUES } from '../domain/market.ts'
import type { Venue } from '../domain/market.ts'
import type { Cents, Millis, PriceE4, SizeE6 } from '../domain/units.ts'
import { marketFacts } from './market-facts.ts'

const FOLDER = join(import.meta.dirname, '../domain/finder/recorded-questions')
/** The instant of the first recording; every market of the catalogue is open. */
export const RECORDED_AT = Date.parse('2026-03-01T12:00:00Z') as Millis

/** A question with the events that answer it; none for a question that no market asks. */
export interface FinderQuestion {
  readonly question: string
  readonly split: 'dev' | 'held-out'
  readonly events: readonly string[]
}

interface RecordedEvent {
  readonly venue: Venue
  readonly id: string
  readonly title: string | null
  /** Title of a market with `{}` for its outcome. */
  readonly asks?: string
  readonly markets: readonly RecordedMarket[]
}
/** Outcome, close day, volume, open interest, and the title where the event's does not apply. */
type RecordedMarket = readonly [string | null, string | null, number, number, string?]

const read = (name: string): unknown => JSON.parse(readFileSync(join(FOLDER, name), 'utf8'))

export const finderQuestions = (): readonly FinderQuestion[] =>
  read('questions.json') as readonly FinderQuestion[]

/** A board of the recorded catalogue. */
export function finderBoard(): BoardView {
  const table = new MarketTable()
  let market = 0
  for (const event of read('catalogue.json') as readonly RecordedEvent[]) {
    for (const [outcome, closeDay, volume, openInterest, title] of event.markets) {
      market++
      const facts = marketFacts({
        venue: event.venue,
        ticker: canonicalTicker(`${event.id}-${market}`),
        title: title ?? event.asks?.replace('{}', outcome ?? '') ?? '',
        subtitle: outcome,
        description: '',
        eventId: event.id,
        eventTitle: event.title,
        seriesId: null,
        seriesTitle: null,
        status: 'active',
        closeTime: closeDay === null ? null : (Date.parse(`${closeDay}T23:00:00Z`) as Millis),
        volumeUnit: event.venue === VENUES[0] ? 'contracts' : 'usd',
      })
      table.put({ market, facts, firstSeenAt: RECORDED_AT, knownAt: RECORDED_AT })
      table.setNumbers({
        market,
        last: { price: 5_000 as PriceE4, ts: RECORDED_AT },
        quote: null,
        depth: null,
        activity: {
          volume: size(volume),
          volume24h: size(volume),
          openInterest: size(openInterest),
          lastPrice: ((50 as Cents) * 100) as PriceE4,
          ts: RECORDED_AT,
        },
      })
    }
  }
  return table.snapshot(RECORDED_AT, new Map())
}

const size = (count: number): SizeE6 => (count * 1_000_000) as SizeE6

/** How often the finder's events are right. */
export interface FinderScore {
  readonly answerable: number
  readonly unanswerable: number
  /** Shares of the answerable questions. */
  readonly recallAt1: number
  readonly recallAt5: number
  /** Share of the unanswerable questions that were given a market. */
  readonly falseAnswers: number
  /** Questions that were answered wrongly, with the events found. */
  readonly misses: readonly { readonly question: string; readonly found: readonly string[] }[]
}

const MARKETS = 20
const EVENTS = 5

/** Distinct events of the markets that answer a question, best first. */
const eventsFound = (board: BoardView, question: string): string[] => [
  ...new Set(board.find(question, null, MARKETS).hits.map(({ view }) => view.facts.eventId)),
]

export function scoreFinder(board: BoardView, questions: readonly FinderQuestion[]): FinderScore {
  const misses: { question: string; found: readonly string[] }[] = []
  let [first, fifth, wrong] = [0, 0, 0]
  for (const { question, events } of questions) {
    const found = eventsFound(board, question).slice(0, EVENTS)
    const isRight = events.length === 0 ? found.length === 0 : events.includes(found[0] ?? '')
    if (!isRight) misses.push({ question, found })
    if (events.length === 0) wrong += isRight ? 0 : 1
    else {
      first += isRight ? 1 : 0
      fifth += found.some((event) => events.includes(event)) ? 1 : 0
    }
  }
  const answerable = questions.filter(({ events }) => events.length > 0).length
  const unanswerable = questions.length - answerable
  return {
    answerable,
    unanswerable,
    recallAt1: first / answerable,
    recallAt5: fifth / answerable,
    falseAnswers: wrong / unanswerable,
    misses,
  }
}
