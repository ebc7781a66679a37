import type { ReplaySpeed, ReplayState } from '../../../backend/contract/replay.ts'
import { isCalendarDay } from '../../lib/calendar-day.ts'
import { formatNumber, formatUtc } from '../../lib/format.ts'
import { typedNumber } from '../../lib/typed-number.ts'
import type { Command } from '../../shell/commands/command.ts'
import type { ReplayAction } from '../../shell/commands/data-commands.ts'

/** An action on the clock of a replay: the body of its route. */
export interface Move {
  readonly action: ReplayAction
  readonly body: object | undefined
}

/** Typed values by field. */
export interface MoveDraft {
  readonly step: string
  readonly seek: string
  readonly speed: string
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 }
const SPAN = /^(\d+(?:\.\d+)?)\s*([smhd]?)$/i

/** Seconds of `90`, `5m`, `1h`; null when it is not a duration. */
export function secondsOf(text: string): number | null {
  const [, count, unit] = SPAN.exec(text.trim()) ?? []
  if (count === undefined) return null
  const seconds = Number(count) * (SECONDS[unit?.toLowerCase() || 's'] ?? 1)
  return seconds > 0 ? seconds : null
}

/** An instant in UTC: a day, or a day with a time; null when it is neither. */
export function instantOf(text: string): string | null {
  const input = text.trim().toUpperCase().replace(' ', 'T')
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(input) ?? []
  if (day === undefined || !isCalendarDay(day)) return null
  const instantText = input.includes('T') ? input : `${input}T00:00`
  const at = Date.parse(
    /(?:Z|[+-]\d{2}:\d{2})$/.test(instantText) ? instantText : `${instantText}Z`,
  )
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

/** The body of an action, or the error of the typed values. */
export function moveOf(action: ReplayAction, draft: MoveDraft): Move | string {
  switch (action) {
    case 'pause':
    case 'resume':
      return { action, body: undefined }
    case 'step': {
      if (draft.step.trim() === '') return { action, body: {} }
      const n = secondsOf(draft.step)
      return n === null
        ? 'Enter a step in seconds, or a duration such as 5m or 1h.'
        : { action, body: { n } }
    }
    case 'seek': {
      const to = instantOf(draft.seek)
      return to === null
        ? 'Enter a UTC time: 2026-11-01 or 2026-11-01 14:30.'
        : { action, body: { to } }
    }
    case 'speed': {
      const speed = speedOf(draft.speed)
      return speed === null
        ? 'Enter a speed as a multiple of real time, max, or step.'
        : { action, body: { speed } }
    }
  }
}

function speedOf(text: string): ReplaySpeed | null {
  const speed = text
    .trim()
    .toLowerCase()
    .replace(/(?<=\d)\s*[x×]$/, '')
  if (speed === 'max' || speed === 'step') return speed
  const multiple = typedNumber(speed)
  return multiple !== null && multiple > 0 ? multiple : null
}

/** Values that a command fills in; the action whose button waits for Enter, null for none. */
export function draftOf({ args }: Command): MoveDraft & { readonly action: ReplayAction | null } {
  const action = (args['action'] ?? null) as ReplayAction | null
  return {
    action,
    step: args['span'] ?? (action === 'step' ? (args['times'] ?? '') : ''),
    seek: args['to'] ?? '',
    speed: args['pace'] ?? (action === 'speed' ? (args['times'] ?? '') : ''),
  }
}

export const speedLabel = (speed: ReplaySpeed): string => {
  if (speed === 'max') return 'at full speed'
  if (speed === 'step') return 'one step at a time'
  return `${formatNumber(speed, 2)} × real time`
}

export function stateLabel({ state, speed, now }: ReplayState): string {
  if (state === 'ended') return `Ended at ${formatUtc(now)}`
  if (state === 'paused') return `Paused at ${formatUtc(now)}`
  return speed === 'step'
    ? `Waiting for a step at ${formatUtc(now)}`
    : `Running, ${speedLabel(speed)}`
}

/** Progress of the clock, 0 to 1. */
export function shareDone({ from, to, now }: ReplayState): number {
  const [start, end, at] = [from, to, now].map((iso) => Date.parse(iso)) as [number, number, number]
  return end <= start ? 1 : Math.min(1, Math.max(0, (at - start) / (end - start)))
}
