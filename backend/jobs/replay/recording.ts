import { InvalidInput } from '../../lib/errors.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Millis } from '../../domain/units.ts'

/** Grows when what is written means something else. */
const VERSION = 1
const KIND = 'augury replay'

/** A request that changed what a user means, holds or allows. */
export interface RecordedRequest {
  readonly kind: 'request'
  readonly at: Millis
  readonly userId: string
  readonly method: string
  /** With its query, without the address of the service. */
  readonly path: string
  readonly body: string
  readonly repeatKey: string | null
  /** Id of what it made, which has another when it is made again. */
  readonly made: string | null
}
/** The clock was moved to another instant without living through what lies between. */
export interface RecordedSeek {
  readonly kind: 'seek'
  readonly at: Millis
  readonly to: Millis
}
/** Where it ended. */
export interface RecordedEnd {
  readonly kind: 'end'
  readonly at: Millis
}
export type RecordedLine = RecordedRequest | RecordedSeek | RecordedEnd

/** What happened in a replay, in order. */
export interface Recording {
  readonly from: Millis
  readonly to: Millis
  readonly lines: readonly RecordedLine[]
}

/** The first line of a recording. */
export const headText = ({ from, to }: Omit<Recording, 'lines'>): string =>
  `${JSON.stringify({ recording: KIND, version: VERSION, from: isoOf(from), to: isoOf(to) })}\n`

export const lineText = (line: RecordedLine): string => {
  const at = isoOf(line.at)
  return `${JSON.stringify(line.kind === 'seek' ? { ...line, at, to: isoOf(line.to) } : { ...line, at })}\n`
}

/** @throws InvalidInput for what is no recording, of another version, or broken off in a line */
export function readRecording(text: string, name: string): Recording {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  const head = fieldsOf(rows[0] ?? '')
  if (head?.['recording'] !== KIND) {
    throw new InvalidInput(`${name} is no recording of a replay. Make one with: augury replay --from T --record FILE`) // prettier-ignore
  }
  if (head['version'] !== VERSION) {
    throw new InvalidInput(`${name} was recorded by another version (${String(head['version'])}); this one reads ${VERSION}. Record it anew.`) // prettier-ignore
  }
  const [from, to] = [instantOf(head['from']), instantOf(head['to'])]
  if (from === null || to === null) throw new InvalidInput(`${name}, line 1: from or to is missing`)
  let before = from
  const lines = rows.slice(1).map((row, index) => {
    const line = lineOf(row)
    if (line === null || (line.at < before && line.kind !== 'request')) {
      throw new InvalidInput(`${name}, line ${index + 2} is not one of a recording. It may have been cut off: remove what is broken.`) // prettier-ignore
    }
    before = line.kind === 'seek' ? line.to : line.at
    return line
  })
  return { from, to, lines }
}

function lineOf(row: string): RecordedLine | null {
  const fields = fieldsOf(row)
  const at = instantOf(fields?.['at'])
  if (fields === null || at === null) return null
  if (fields['kind'] === 'end') return { kind: 'end', at }
  if (fields['kind'] === 'seek') {
    const to = instantOf(fields['to'])
    return to === null ? null : { kind: 'seek', at, to }
  }
  const { userId, method, path, body, repeatKey, made } = fields
  const isWhole =
    typeof userId === 'string' &&
    typeof method === 'string' &&
    typeof path === 'string' &&
    typeof body === 'string'
  if (fields['kind'] !== 'request' || !isWhole || !path.startsWith('/')) return null
  const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return { kind: 'request', at, userId, method, path, body, repeatKey: textIn(repeatKey), made: textIn(made) } // prettier-ignore
}

function fieldsOf(row: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(row)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function instantOf(value: unknown): Millis | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : (at as Millis)
}
