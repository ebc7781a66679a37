import { LIMITS } from './limits.ts'
import type { ClientFrame, ErrorCode, FrameId, Position } from '../../../contract/socket.ts'

/** An invalid frame, with its id if that could be read. */
export interface BadFrame {
  readonly code: Extract<ErrorCode, 'BAD_FRAME' | 'UNKNOWN_OP'>
  readonly message: string
  readonly id?: FrameId
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses the text of a client frame. */
export function readClientFrame(text: string): ClientFrame | BadFrame {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { code: 'BAD_FRAME', message: 'The frame is not JSON' }
  }
  if (!isObject(json)) return { code: 'BAD_FRAME', message: 'The frame is not an object' }
  const { id, op } = json
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') {
    return { code: 'BAD_FRAME', message: 'id must be a string or a number' }
  }
  const withId = id === undefined ? {} : { id }
  const badFrame = (message: string): BadFrame => ({ code: 'BAD_FRAME', message, ...withId })
  switch (op) {
    case 'auth':
      return typeof json['key'] === 'string'
        ? { op, key: json['key'], ...withId }
        : badFrame('key must be a string')
    case 'subscribe': {
      const topics = topicsIn(json)
      if (typeof topics === 'string') return badFrame(topics)
      const resume = resumeIn(json['resume'])
      return typeof resume === 'string'
        ? badFrame(resume)
        : { op, topics, ...(resume === null ? {} : { resume }), ...withId }
    }
    case 'unsubscribe':
    case 'resync': {
      const topics = topicsIn(json)
      return typeof topics === 'string' ? badFrame(topics) : { op, topics, ...withId }
    }
    case 'ping':
    case 'pong':
      return { op, ...withId }
  }
  if (typeof op !== 'string') return badFrame('op must be a string')
  return { code: 'UNKNOWN_OP', message: `Unknown op ${op.slice(0, 40)}`, ...withId }
}

/** The topics of a frame, or the reason they are invalid. */
function topicsIn(json: Json): readonly string[] | string {
  const { topics } = json
  const allText = Array.isArray(topics) && topics.every((topic) => typeof topic === 'string')
  if (!allText) return 'topics must be a list of strings'
  const count = topics.length
  return count >= 1 && count <= LIMITS.topics ? topics : `topics must name 1 to ${LIMITS.topics}`
}

function resumeIn(value: unknown): Readonly<Record<string, Position>> | null | string {
  if (value === undefined) return null
  if (!isObject(value)) return 'resume must be an object'
  const fits = Object.values(value).every(
    (position) =>
      isObject(position) &&
      typeof position['epoch'] === 'string' &&
      Number.isSafeInteger(position['seq']),
  )
  return fits
    ? (value as Readonly<Record<string, Position>>)
    : 'resume must have an epoch and a seq for each topic'
}
