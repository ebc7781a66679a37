import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { keyOf } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { endsPerDay, shortestPeriod } from './cadence.ts'
import { dateTexts } from './template.ts'
import type { Subject, Template } from './template.ts'
import { TEMPLATES } from './templates.ts'

const HISTORY_DAYS = 90
/** Number of rounds over which frequent templates are distributed. */
const FREQUENT_ROUNDS = 8

/** A template with one subject, recurring by its cadence. */
export interface Stream {
  readonly template: Template
  readonly subject: Subject
  /** Days by which its ends are shifted. */
  readonly shift: number
  /** Number of ends from one event to the next. */
  readonly turns: number
  readonly key: Key
}

/** Days from an event's first deadline to its last. */
export const tailOf = ({ shape }: Template): number =>
  shape.kind === 'deadline' ? Math.max(...shape.after) : 0

/** Whether the subject has an event at an end of its cadence. */
export const isTurn = ({ turns, key }: Stream, number: number): boolean =>
  (((number - key) % turns) + turns) % turns === 0

/**
 * As many streams as are needed for about `count` listed markets. Templates alternate, so that a
 * small catalogue still has many topics; a large one repeats them on shifted days.
 */
export function streamsFor(root: Key, count: number): Stream[] {
  const streams: Stream[] = []
  let expectedCount = 0
  for (let round = 0; expectedCount < count && round < 400; round++) {
    for (const template of TEMPLATES) {
      if (expectedCount >= count) break
      const isFrequent = isQuick(template)
      if (isFrequent && round % FREQUENT_ROUNDS !== 1) continue
      const turn = isFrequent ? Math.floor(round / FREQUENT_ROUNDS) : round
      const subject = template.subjects[turn % template.subjects.length]
      const shift = Math.floor(turn / template.subjects.length)
      if (subject === undefined || shift > shiftsOf(template, subject)) continue
      const turns = turnsOf(template, subject)
      const key = keyOf(root, `${template.name} ${subject.code} ${subject.name} ${shift}`)
      streams.push({ template, subject, shift, turns, key })
      expectedCount += expectedMarkets(template, subject) / turns
    }
  }
  return streams
}

/** Whether events recur within weeks; too many such templates leave few markets open. */
const isQuick = (template: Template): boolean =>
  endsPerDay(template.cadence) / turnsOf(template, template.subjects[0]) > 0.04

const titlesAt = ({ titleA, titleB }: Template, subject: Subject, at: number): string[] =>
  [titleA, titleB].map((title) => title(subject, dateTexts(at as Millis)))

/**
 * Whether the titles at both venues differ for events of a subject that end `daysApart` days apart.
 */
function areDistinct(template: Template, subject: Subject, daysApart: number): boolean {
  const first = Date.UTC(2026, 5, 3)
  const other = titlesAt(template, subject, first + daysApart * DAY)
  return titlesAt(template, subject, first).every((title, i) => title !== other[i])
}

/**
 * An event of a subject takes place at every n-th end of the cadence, so that no two of the same
 * question are open together: those with equal titles, and those of which a later end would follow
 * from an earlier one.
 */
function turnsOf(template: Template, subject: Subject | undefined): number {
  const { cadence, shape } = template
  const period = shortestPeriod(cadence)
  const isNested = shape.kind === 'deadline' || shape.kind === 'single'
  if (subject === undefined || (!isNested && areDistinct(template, subject, Math.ceil(period))))
    return 1
  return Math.ceil((cadence.life + tailOf(template) + 1) / period)
}

/** How often a cadence can be shifted by a day without repeating an end or a title. */
function shiftsOf(template: Template, subject: Subject): number {
  const { cadence } = template
  if (cadence.every === 'meeting' || cadence.every === 'year') return 0
  if (turnsOf(template, subject) > 1 || !areDistinct(template, subject, 1)) return 0
  return (cadence.every === 'days' ? cadence.step : 26) - 1
}

function expectedMarkets(template: Template, subject: Subject): number {
  const { shape, cadence } = template
  const visibleEvents = (HISTORY_DAYS + 0.9 * cadence.life + tailOf(template)) * endsPerDay(cadence)
  const venues = template.listing === 'both' ? 1.45 : 1
  switch (shape.kind) {
    case 'above':
      return visibleEvents * venues * (shape.strikes - 1)
    case 'between':
      return visibleEvents * venues * shape.strikes
    case 'single':
      return visibleEvents * venues
    case 'field':
      return visibleEvents * venues * ((subject.field ?? []).length + (shape.otherWins ? 1 : 0))
    case 'deadline':
      // An event before the last deadline ends the markets of later deadlines early.
      return visibleEvents * venues * shape.after.length * 0.7
    case 'game':
      return visibleEvents * 2
  }
}
