import { DAY, HOUR, MINUTE } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import type { Venue } from '../../domain/market.ts'
import { hexOf, keyOf, mix, tokenOf, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { flowOf, isCalm } from './character.ts'
import type { EventPlan, Plan } from './choices.ts'
import type { BookKind, ChancePath, Result, SimEvent, SimMarket, TickGrid } from './market.ts'
import type { Choice, DateTexts, Subject, Template } from './template.ts'
import { venueView } from './venue-view.ts'

/** Trades per day of a medium market of interest 1. */
const TYPICAL_TRADES = 0.7
/** Share of events that venue_b lists under its own rules, of templates that have such rules. */
const INVERTED_SHARE = 0.4
/** How much more a calm event is traded. */
const CALM_TRADES = 8

interface Listing {
  readonly venue: Venue
  readonly template: Template
  readonly subject: Subject
  readonly when: DateTexts
  readonly key: Key
  readonly openAt: number
  readonly paired: boolean
  readonly plan: EventPlan
}

/** One event as one venue lists it: names, times, small differences. */
export function listEvent(listing: Listing): SimEvent {
  const { venue, template, subject, when, paired } = listing
  const { plans, state, themeDelay } = listing.plan
  const key = keyOf(listing.key, venue)
  const isA = venue === 'venue_a'
  const openAt = listing.openAt + (isA ? 0 : unit(key, 1) * 9 * HOUR)
  const createdAt = Math.floor(openAt - (isA ? 1 + unit(key, 2) * 20 : 0.3) * HOUR) as Millis
  const title = isA ? template.titleA(subject, when) : template.titleB(subject, when)
  const seriesTicker = fill(template.series.ticker, subject)
  const placeholders = !isA && template.shape.kind === 'field' && template.shape.otherWins
  const slug = slugOf(`${title} ${template.shape.kind === 'game' ? when.iso : when.code}`)
  const markets: SimMarket[] = []
  const exclusive = ['between', 'field', 'game'].includes(template.shape.kind)
  const endsAt = Math.max(...plans.map((plan) => plan.endAt)) as Millis
  const hasDivergentTerms =
    template.divergentNoteB !== undefined && unit(listing.key, 65) < INVERTED_SHARE
  const differs = paired && (template.notesDiffer === true || hasDivergentTerms)
  const hasOwnTerms = differs && !isA
  const twinned = paired && !differs
  const event: SimEvent = {
    key,
    sharedKey: listing.key,
    venue,
    template,
    subject,
    when,
    seriesTicker,
    title,
    slug,
    createdAt,
    paired,
    markets,
    id: isA
      ? `${seriesTicker}-${eventCode(template, subject, when)}`
      : String(1_000_000 + (key >>> 3)),
    seriesTitle: fill(template.series.title, subject),
    exclusive,
    augmented: placeholders,
    endsAt,
    hasOwnTerms,
    twinned,
    flow: flowOf(listing.key, exclusive),
    calm: isCalm(listing.key) && ['deadline', 'field'].includes(template.shape.kind),
    themeDelay,
    state,
    view: venueView({
      event: listing.key,
      listing: key,
      venue,
      state,
      outcomes: plans.length,
      exclusive,
      paired,
      hasOwnTerms,
      twinned,
      endsAt,
    }),
  }
  // A game is one market with two teams on venue_b and two markets on venue_a.
  const listedPlans = !isA && template.shape.kind === 'game' ? plans.slice(0, 1) : plans
  listedPlans.forEach((plan, index) => markets.push(listMarket(event, plan, index, openAt, false)))
  const [first] = plans
  if (placeholders && first !== undefined)
    for (const letter of ['A', 'B']) {
      const choice: Choice = { ...first.choice, label: `Contender ${letter}`, code: letter }
      markets.push(listMarket(event, { ...first, choice }, markets.length, openAt, true))
    }
  return event
}

function listMarket(
  event: SimEvent,
  plan: Plan,
  index: number,
  eventOpen: number,
  placeholder: boolean,
): SimMarket {
  const { template, subject, when, venue } = event
  const key = mix(event.key, index + 100)
  const isA = venue === 'venue_a'
  const isGame = template.shape.kind === 'game'
  const openAt = Math.floor(eventOpen + (isA ? 0 : index * 1_000)) as Millis
  const times = timesOf(key, venue, plan, openAt)
  const { choice } = plan
  const special = specialEnd(key, event)
  const chancePath: ChancePath = placeholder ? () => 0 : (at) => event.view(index, at)
  const chance =
    special === null ? chancePath : towardsPayout(chancePath, special.payout, times.closeAt)
  const payout = special?.payout ?? (chance(times.determinedAt) >= 0.5 ? 1 : 0)
  const result: Result = special?.result ?? (payout === 1 ? 'yes' : 'no')
  const tradesPerDay = placeholder ? 0 : activityOf(key, event, index)
  const clause = template.clause(subject, when, choice)
  const question = isA ? event.title : template.questionB(subject, when, choice)
  return {
    key,
    venue,
    event,
    index,
    choice,
    question,
    chance,
    payout,
    result,
    openAt,
    placeholder,
    tradesPerDay,
    ...times,
    id: isA ? marketTicker(event, choice) : `0x${hexOf(keyOf(key, 'condition'), 64)}`,
    number: String(1_000_000 + (keyOf(key, 'number') >>> 1)),
    slug: isA ? '' : `${slugOf(question)}-${hexOf(key, 4)}`,
    tokens: [tokenOf(keyOf(key, 'yes')), tokenOf(keyOf(key, 'no'))],
    outcomes: outcomesOf(event),
    rules: isA
      ? `If ${clause}, then the market resolves to Yes.`
      : `This market will resolve to "${outcomesOf(event)[0]}" if ${clause}. Otherwise, this market will resolve to "${outcomesOf(event)[1]}".`,
    rulesMore: isA
      ? template.noteA
      : event.hasOwnTerms
        ? (template.divergentNoteB ?? template.noteB)
        : template.noteB,
    createdAt: Math.min(event.createdAt, openAt) as Millis,
    endAt: plan.endAt,
    disputed: unit(key, 41) < 0.03,
    grid: gridOf(key, event),
    book: bookKind(key, isGame ? 100 : tradesPerDay, isA),
    step: stepOf(tradesPerDay),
  }
}

function timesOf(key: Key, venue: Venue, plan: Plan, openAt: number) {
  const early = plan.certainAt < plan.endAt
  const disputed = unit(key, 41) < 0.03
  const timer = venue === 'venue_a' ? (0.1 + 22 * unit(key, 42) ** 2) * HOUR : 0
  // venue_b trades after the announced end until the outcome is proposed.
  const linger = venue === 'venue_a' ? (early ? 40 * MINUTE : 0) : (0.2 + unit(key, 43) * 3) * HOUR
  const close = Math.max(plan.certainAt + linger, openAt + HOUR)
  const determinedAt =
    close + (venue === 'venue_a' ? 0.1 + unit(key, 44) * 8 : 1 + unit(key, 44) * 3) * HOUR
  const settledAt = determinedAt + timer + (disputed ? (1 + unit(key, 45) * 2) * DAY : 0)
  return {
    closeAt: Math.floor(close) as Millis,
    determinedAt: Math.floor(determinedAt) as Millis,
    settledAt: Math.floor(settledAt) as Millis,
  }
}

/** Results other than yes or no: ties, cancelled games, withdrawn markets. */
function specialEnd(key: Key, event: SimEvent): { result: Result; payout: number } | null {
  const { kind } = event.template.shape
  // Both markets of a tied game must have the same result.
  if (kind === 'game') return unit(event.key, 51) < 0.07 ? { result: 'scalar', payout: 0.5 } : null
  if (kind !== 'single' || event.venue === 'venue_b')
    return event.venue === 'venue_b' && kind === 'single' && unit(key, 52) < 0.05
      ? { result: 'scalar', payout: 0.5 }
      : null
  const randomValue = unit(key, 52)
  if (randomValue < 0.08)
    return { result: 'scalar', payout: 0.2 + Math.round(unit(key, 53) * 60) / 100 }
  return randomValue < 0.2 ? { result: 'void', payout: 0.5 } : null
}

/** The price of a market moves to an odd payout within the last hour. */
function towardsPayout(chance: ChancePath, payout: number, closeAt: number): ChancePath {
  return (at) => {
    const share = Math.max(0, Math.min(1, (at - closeAt + HOUR) / HOUR))
    return chance(at) + (payout - chance(at)) * share
  }
}

function activityOf(key: Key, event: SimEvent, index: number): number {
  // Most of the interest depends on the event; its favourites and middle strikes get more of it.
  const crowd = Math.pow(unit(event.key, 71), -0.95)
  const activityFactor = Math.pow(unit(key, 72), -0.55)
  const rankWeight = event.template.shape.kind === 'field' ? 1.6 / (1 + 0.5 * index) : 1
  const attention = event.calm ? CALM_TRADES : 1
  return Math.min(
    1_600,
    TYPICAL_TRADES * event.template.interest * crowd * activityFactor * rankWeight * attention,
  )
}

/**
 * Events of many outcomes have small price steps near 0 and 100, where most of their prices are.
 */
function gridOf(key: Key, { venue, exclusive }: SimEvent): TickGrid {
  const randomValue = unit(key, 81)
  if (venue === 'venue_b') return randomValue < 0.3 ? 'deci_cent' : 'linear_cent'
  return randomValue < 0.12
    ? 'deci_cent'
    : exclusive || randomValue < 0.3
      ? 'tapered_deci_cent'
      : 'linear_cent'
}

function bookKind(key: Key, tradesPerDay: number, isA: boolean): BookKind {
  const randomValue = unit(key, 82)
  if (!isA && randomValue < 0.02) return 'ghost'
  if (tradesPerDay > 25) return randomValue < 0.03 ? 'wide' : 'normal'
  return randomValue < 0.03
    ? 'empty'
    : randomValue < 0.07
      ? 'one_sided'
      : randomValue < 0.15
        ? 'wide'
        : 'normal'
}

function stepOf(tradesPerDay: number): number {
  if (tradesPerDay >= 200) return 250
  if (tradesPerDay >= 60) return 500
  if (tradesPerDay >= 20) return 1_000
  return tradesPerDay >= 5 ? 2_500 : 10_000
}

const fill = (text: string, subject: Subject): string =>
  text.replace('{code}', subject.code).replace('{name}', subject.name)

const eventCode = (template: Template, subject: Subject, endTexts: DateTexts): string => {
  if (template.shape.kind !== 'game') return endTexts.code
  const teams = (subject.field ?? []).map((team) => team.slice(0, 3).toUpperCase()).join('')
  return `${endTexts.code}${teams}`
}

/** Single markets often carry the ticker of their event. */
function marketTicker(event: SimEvent, choice: Choice): string {
  return choice.code === '' ? event.id : `${event.id}-${choice.code}`
}

function outcomesOf(event: SimEvent): readonly [string, string] {
  const { shape, name } = event.template
  if (event.venue === 'venue_b' && shape.kind === 'game') {
    const [first = 'Yes', second = 'No'] = event.subject.field ?? []
    return [first, second]
  }
  return name === 'coin-updown' ? ['Up', 'Down'] : ['Yes', 'No']
}

/** Lower case words joined by dashes. */
export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80)
