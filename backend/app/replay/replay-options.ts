import { ConfigProblem } from '../config.ts'
import type { Millis } from '../../domain/units.ts'

/** Flags of a replay besides the flags of every service. */
export interface ReplayOptions {
  readonly from: Millis
  /** Null replays to the last stored row. */
  readonly to: Millis | null
  readonly speed: number | 'max' | 'step'
  /** File that the recording is written to. */
  readonly record: string | null
  /** Recording to run again. */
  readonly again: string | null
}

const FLAGS = ['from', 'to', 'speed', 'record', 'again'] as const
const MAX_SPEED = 1_000_000

/**
 * Removes the flags of a replay from the arguments; the rest belong to the service.
 * @throws ConfigProblem for a missing or bad value
 */
export function readReplayOptions(argv: readonly string[]): {
  readonly options: ReplayOptions
  readonly rest: readonly string[]
} {
  const flagValues = new Map<string, string>()
  const rest: string[] = []
  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? ''
    const name = FLAGS.find((flag) => argument === `--${flag}` || argument.startsWith(`--${flag}=`))
    if (name === undefined) {
      rest.push(argument)
      continue
    }
    const value = argument.includes('=') ? argument.slice(argument.indexOf('=') + 1) : argv[++index]
    if (value === undefined || value === '') throw new ConfigProblem(`--${name} needs a value`)
    flagValues.set(name, value)
  }
  const [record = null, again = null] = [flagValues.get('record'), flagValues.get('again')]
  if (again !== null) {
    const other = FLAGS.find((name) => name !== 'again' && flagValues.has(name))
    if (other !== undefined) {
      throw new ConfigProblem(`--${other} cannot be combined with --again: the recording sets it`)
    }
    return { options: { from: 0 as Millis, to: null, speed: 'step', record, again }, rest }
  }
  const from = flagValues.get('from')
  if (from === undefined) throw new ConfigProblem('--from is required: the time to start at')
  const to = flagValues.get('to')
  const options = {
    from: instantOf('from', from),
    to: to === undefined ? null : instantOf('to', to),
    speed: speedOf(flagValues.get('speed') ?? '1'),
    record,
    again,
  }
  if (options.to !== null && options.to <= options.from) {
    throw new ConfigProblem('--to must be after --from')
  }
  return { options, rest }
}

function instantOf(name: string, text: string): Millis {
  const at = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}(T|$)/.test(text) && !Number.isNaN(at)) return at as Millis
  throw new ConfigProblem(`--${name} must be an instant in ISO 8601, was "${text}"`)
}

function speedOf(text: string): ReplayOptions['speed'] {
  if (text === 'max' || text === 'step') return text
  const speed = Number(text)
  if (/^\d+(\.\d+)?$/.test(text) && speed > 0 && speed <= MAX_SPEED) return speed
  throw new ConfigProblem(
    `--speed must be above 0 and at most ${MAX_SPEED} times real time, max, or step, was "${text}"`,
  )
}
