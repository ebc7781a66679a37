import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import {
  arrivalOf,
  deadlineState,
  fieldState,
  gameState,
  rangeState,
  thresholdState,
} from './event-state.ts'
import type { EventState } from './event-state.ts'
import { isCalm, themeDelayOf } from './character.ts'
import { changeOf } from './figures.ts'
import type { Change } from './figures.ts'
import { dateTexts } from './template.ts'
import type { Choice, DateTexts, Subject, Template } from './template.ts'

/** The texts of a future market, and when it ends. */
export interface Plan {
  readonly choice: Choice
  /** Announced end, and the moment at which the outcome is certain if earlier. */
  readonly endAt: Millis
  readonly certainAt: Millis
}

/** The markets of one event in order, and the state from which all of them are priced. */
export interface EventPlan {
  readonly plans: readonly Plan[]
  readonly state: EventState
  /** Milliseconds by which the event follows the news of its theme; null when none moves it. */
  readonly themeDelay: number | null
}
/** How much a calm event moves of what others do. */
const BASE_VOLATILITY = 0.1

interface Frame {
  readonly template: Template
  readonly subject: Subject
  readonly key: Key
  /** Key of the figure when it outlives the event. */
  readonly figure: Key
  readonly theme: Key
  readonly openAt: number
  readonly when: DateTexts
}

/** The markets of one event, the same for both venues. */
export function planOf(frame: Frame): EventPlan {
  const { template, key, when, openAt } = frame
  const { shape } = template
  const end = when.at
  const lasting = (choice: Choice): Plan => ({ choice, endAt: end, certainAt: end })
  switch (shape.kind) {
    case 'above':
    case 'between': {
      const { choices, state } = ladder(frame, shape)
      const themeDelay = themeDelayOf(shape.hasOwnPath ? key : frame.figure)
      return { plans: choices.map(lasting), state, themeDelay }
    }
    case 'single': {
      const change = changeOf(key, frame.theme, template.factorSign, openAt)
      const life = Math.sqrt(Math.min(60, (end - openAt) / DAY))
      const bar = -(shape.bias + 0.8 * (unit(key, 21) * 2 - 1)) * life
      return {
        plans: [lasting(defaultChoice('Yes', ''))],
        state: thresholdState(change, [bar], end),
        themeDelay: themeDelayOf(key),
      }
    }
    case 'field': {
      const names = [...(frame.subject.field ?? []), ...(shape.otherWins ? ['Other'] : [])]
      return {
        plans: names.map((name, i) => lasting(defaultChoice(name, codeOf(name, i, names)))),
        state: fieldState(key, names.length, openAt, end, isCalm(key) ? BASE_VOLATILITY : 1),
        themeDelay: null,
      }
    }
    case 'game': {
      const [first = 'Away', second = 'Home'] = frame.subject.field ?? []
      return {
        plans: [first, second].map((name, i) => lasting(defaultChoice(name, codeOf(name, i, [])))),
        state: gameState(key, end),
        themeDelay: null,
      }
    }
    case 'deadline': {
      const moves = changeOf(key, frame.theme, template.factorSign, openAt)
      const change = isCalm(key) ? (at: number) => BASE_VOLATILITY * moves(at) : moves
      const deadlines = shape.after.map((after) => dateTexts((end + after * DAY) as Millis))
      const times = deadlines.map((deadline) => deadline.at)
      const arrival = arrivalOf(key, change, shape.hazardPerDay, openAt, Math.max(...times))
      return {
        plans: deadlines.map((deadline) => ({
          choice: {
            label: `Before ${deadline.short}`,
            code: deadline.code,
            floor: null,
            cap: null,
            deadline,
          },
          endAt: deadline.at,
          certainAt: Math.min(arrival, deadline.at) as Millis,
        })),
        state: deadlineState(change, shape.hazardPerDay, arrival, times),
        themeDelay: themeDelayOf(key),
      }
    }
  }
}

const defaultChoice = (label: string, code: string): Choice => ({
  label,
  code,
  floor: null,
  cap: null,
  deadline: null,
})

function codeOf(name: string, index: number, all: readonly string[]): string {
  const code = name
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .slice(0, 5)
  const duplicateIndex = all.findIndex((other) =>
    other
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .startsWith(code),
  )
  return duplicateIndex === -1 || duplicateIndex === index ? code : `${code}${index}`
}

/** Thresholds or ranges around the value of the figure when the event opens. */
function ladder(
  frame: Frame,
  shape: { kind: 'above' | 'between'; strikes: number; geometric: boolean; hasOwnPath: boolean },
): { choices: Choice[]; state: EventState } {
  const { subject, template, key, openAt, when } = frame
  const { base = 100, dailyMove = 1, step = 1 } = subject
  const figure = shape.hasOwnPath ? key : frame.figure
  const change = changeOf(
    figure,
    frame.theme,
    template.factorSign,
    shape.hasOwnPath ? openAt : null,
  )
  const start = shape.hasOwnPath
    ? levelOf(shape.geometric, base, dailyMove, (unit(key, 31) - 0.5) * 6)
    : base
  const toChange = (level: number): number =>
    shape.geometric ? Math.log(level / start) / dailyMove : (level - start) / dailyMove
  const now = levelOf(shape.geometric, start, dailyMove, change(openAt))
  const sigma =
    Math.sqrt(Math.min(60, (when.at - openAt) / DAY)) * dailyMove * (shape.geometric ? now : 1)
  const spacing = Math.max(step, Math.round((0.6 * sigma) / step) * step)
  const count = Math.max(3, shape.strikes - Math.floor(unit(key, 32) * 3))
  const lowest = Math.round(now / spacing - (count - 1) / 2) * spacing
  const levels = Array.from({ length: count }, (_, i) => round(lowest + i * spacing)).filter(
    (level) => level > 0,
  )
  const labelOf = (level: number): string => (template.label ?? String)(level, subject)
  const changes = levels.map(toChange)
  if (shape.kind === 'above')
    return {
      choices: levels.map((level) => ({
        label: labelOf(level),
        code: `T${digits(level)}`,
        floor: level,
        cap: null,
        deadline: null,
      })),
      state: thresholdState(change, changes, when.at),
    }
  const bounds = [null, ...levels, null]
  return {
    choices: bounds.slice(1).map((high, i) => rangeChoice(bounds[i] ?? null, high, labelOf)),
    state: rangeState(change, changes, when.at),
  }
}

const levelOf = (
  geometric: boolean,
  start: number,
  dailyMove: number,
  change: ReturnType<Change>,
): number => (geometric ? start * Math.exp(dailyMove * change) : start + dailyMove * change)
const round = (level: number): number => Math.round(level * 1e4) / 1e4
const digits = (level: number): string =>
  Number.isInteger(level) ? String(level) : level.toFixed(Number.isInteger(level * 100) ? 2 : 4)

function rangeChoice(
  low: number | null,
  high: number | null,
  labelOf: (level: number) => string,
): Choice {
  if (low === null && high !== null)
    return {
      label: `below ${labelOf(high)}`,
      code: `T${digits(high)}`,
      floor: null,
      cap: high,
      deadline: null,
    }
  if (high === null && low !== null)
    return {
      label: `${labelOf(low)} or above`,
      code: `T${digits(low)}UP`,
      floor: low,
      cap: null,
      deadline: null,
    }
  const middle = round(((low ?? 0) + (high ?? 0)) / 2)
  return {
    label: `${labelOf(low ?? 0)} to ${labelOf(high ?? 0)}`,
    code: `B${digits(middle)}`,
    floor: low,
    cap: high,
    deadline: null,
  }
}
