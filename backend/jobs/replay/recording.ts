import { InvalidInput } from '../../lib/errors.ts'
import { isoOf } from '../../lib/clock.ts'
import type { Millis } from '../../domain/units.ts'

/** Increased when the meaning of the format changes. */
const VERSION = 1
const KIND = 'augury replay'

/** A request that changed a user's intents, holdings or limits. */
export interface RecordedRequest {
  readonly kind: 'request'
  readonly at: Millis
  readonly userId: string
  readonly method: string
  /** Path with its query, without the address of the service. */
  readonly path: string
  readonly body: string
  readonly repeatKey: string | null
  /** Id of the created object, which gets another id when the request is repeated. */
  readonly made: string | null
}
/** The clock jumped to another instant without replaying the time in between. */
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

/** The events of a replay, in order. */
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

/**
 * @throws InvalidInput for a text that is not a recording, has another version, or ends within a
 * line
 */
export function readRecording(text: string, name: string): Recording {
  const rows = text.split('\n').filter((row) => row.trim() !== '')
  const head = fieldsOf(rows[0] ?? '')
  if (head?.['recording'] !== KIND) {
    throw new InvalidInput(
      `${name} is not a recording of a replay. Make one with: augury replay --from T --record FILE`,
    )
  }
  if (head['version'] !== VERSION) {
    throw new InvalidInput(
      `${name} was recorded by another version (${String(head['version'])}); this version reads ${VERSION}. Record it again.`,
    )
  }
  const [from, to] = [instantOf(head['from']), instantOf(head['to'])]
  if (from === null || to === null) throw new InvalidInput(`${name}, line 1: from or to is missing`)
  let previous = from
  const lines = rows.slice(1).map((row, index) => {
    const line = lineOf(row)
    if (line === null || (line.at < previous && line.kind !== 'request')) {
      throw new InvalidInput(
        `${name}, line ${index + 2} is not a valid line of a recording. The file may be truncated: remove the broken line.`,
      )
    }
    previous = line.kind === 'seek' ? line.to : line.at
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
  const isComplete =
    typeof userId === 'string' &&
    typeof method === 'string' &&
    typeof path === 'string' &&
    typeof body === 'string'
  if (fields['kind'] !== 'request' || !isComplete || !path.startsWith('/')) return null
  const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return {
    kind: 'request',
    at,
    userId,
    method,
    path,
    body,
    repeatKey: textIn(repeatKey),
    made: textIn(made),
  }
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
