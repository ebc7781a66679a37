import { DAY } from '../../domain/units.ts'
import type { Millis } from '../../domain/units.ts'
import { unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { arrivalOf, bandPath, changeOf, deadlinePath, fieldPaths, gamePath } from './chance.ts'
import type { Change } from './chance.ts'
import type { ChancePath } from './market.ts'
import { dayWords } from './template.ts'
import type { Choice, DayWords, Subject, Template } from './template.ts'

/** One market to be: its words, its chance, and when it ends. */
export interface Plan {
  readonly choice: Choice
  readonly chance: ChancePath
  /** Announced end, and the moment the outcome is certain where that is earlier. */
  readonly endAt: Millis
  readonly certainAt: Millis
}

interface Frame {
  readonly template: Template
  readonly subject: Subject
  readonly key: Key
  /** Key of the figure when it outlives the event. */
  readonly figure: Key
  readonly theme: Key
  readonly openAt: number
  readonly when: DayWords
}

/** The markets of one event, the same for both venues. */
export function plansOf(frame: Frame): Plan[] {
  const { template, key, when, openAt } = frame
  const { shape } = template
  const end = when.at
  const lasting = (choice: Choice, chance: ChancePath): Plan => ({
    choice,
    chance,
    endAt: end,
    certainAt: end,
  })
  switch (shape.kind) {
    case 'above':
    case 'between':
      return ladder(frame, shape).map(({ choice, chance }) => lasting(choice, chance))
    case 'single': {
      const change = changeOf(key, frame.theme, template.lean, openAt)
      const life = Math.sqrt(Math.min(60, (end - openAt) / DAY))
      const bar = -(shape.bias + 0.8 * (unit(key, 21) * 2 - 1)) * life
      return [lasting(plain('Yes', ''), bandPath(change, bar, Infinity, end))]
    }
    case 'field': {
      const names = frame.subject.field ?? []
      const paths = fieldPaths(key, names.length, shape.otherWins, openAt, end)
      return names.map((name, i) =>
        lasting(plain(name, codeOf(name, i, names)), paths[i] ?? (() => 0)),
      )
    }
    case 'game': {
      const [first, second] = frame.subject.field ?? []
      const path = gamePath(key, end)
      return [
        lasting(plain(first ?? 'Away', codeOf(first ?? 'Away', 0, [])), path),
        lasting(plain(second ?? 'Home', codeOf(second ?? 'Home', 1, [])), (at) => 1 - path(at)),
      ]
    }
    case 'deadline': {
      const change = changeOf(key, frame.theme, template.lean, openAt)
      const arrival = arrivalOf(key, shape.hazardPerDay, openAt)
      return shape.after.map((after) => {
        const deadline = dayWords((end + after * DAY) as Millis)
        return {
          choice: {
            label: `Before ${deadline.short}`,
            code: deadline.code,
            floor: null,
            cap: null,
            deadline,
          },
          chance: deadlinePath(change, shape.hazardPerDay, arrival, deadline.at),
          endAt: deadline.at,
          certainAt: Math.min(arrival, deadline.at) as Millis,
        }
      })
    }
  }
}

const plain = (label: string, code: string): Choice => ({
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
  const twin = all.findIndex((other) =>
    other
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, '')
      .startsWith(code),
  )
  return twin === -1 || twin === index ? code : `${code}${index}`
}

/** Thresholds or ranges around where the figure stands when the event opens. */
function ladder(
  frame: Frame,
  shape: { kind: 'above' | 'between'; strikes: number; geometric: boolean; ownPath: boolean },
): { choice: Choice; chance: ChancePath }[] {
  const { subject, template, key, openAt, when } = frame
  const { base = 100, dailyMove = 1, step = 1 } = subject
  const figure = shape.ownPath ? key : frame.figure
  const change = changeOf(figure, frame.theme, template.lean, shape.ownPath ? openAt : null)
  const start = shape.ownPath
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
  const say = template.label ?? String
  if (shape.kind === 'above')
    return levels.map((level) => ({
      choice: {
        label: say(level, subject),
        code: `T${digits(level)}`,
        floor: level,
        cap: null,
        deadline: null,
      },
      chance: bandPath(change, toChange(level), Infinity, when.at),
    }))
  const bounds = [null, ...levels, null]
  return bounds.slice(1).map((high, i) => {
    const low = bounds[i] ?? null
    return {
      choice: rangeChoice(low, high, (level) => say(level, subject)),
      chance: bandPath(
        change,
        boundOf(low, toChange, -Infinity),
        boundOf(high, toChange, Infinity),
        when.at,
      ),
    }
  })
}

const levelOf = (
  geometric: boolean,
  start: number,
  dailyMove: number,
  change: ReturnType<Change>,
): number => (geometric ? start * Math.exp(dailyMove * change) : start + dailyMove * change)
const boundOf = (
  level: number | null,
  toChange: (level: number) => number,
  open: number,
): number => (level === null ? open : toChange(level))
const round = (level: number): number => Math.round(level * 1e4) / 1e4
const digits = (level: number): string =>
  Number.isInteger(level) ? String(level) : level.toFixed(Number.isInteger(level * 100) ? 2 : 4)

function rangeChoice(
  low: number | null,
  high: number | null,
  say: (level: number) => string,
): Choice {
  if (low === null && high !== null)
    return {
      label: `below ${say(high)}`,
      code: `T${digits(high)}`,
      floor: null,
      cap: high,
      deadline: null,
    }
  if (high === null && low !== null)
    return {
      label: `${say(low)} or above`,
      code: `T${digits(low)}UP`,
      floor: low,
      cap: null,
      deadline: null,
    }
  const middle = round(((low ?? 0) + (high ?? 0)) / 2)
  return {
    label: `${say(low ?? 0)} to ${say(high ?? 0)}`,
    code: `B${digits(middle)}`,
    floor: low,
    cap: high,
    deadline: null,
  }
}
