import type { Millis } from '../units.ts'
import type { EventName } from './delivery.ts'

/** Most bytes of a body; longer texts within are cut. */
const MAX_BYTES = 20_000

/** An event that leaves the service. */
export interface OutgoingEvent {
  readonly id: string
  readonly userId: string
  readonly type: EventName
  readonly createdAt: Millis
  readonly data: Readonly<Record<string, unknown>>
  /** One sentence for people. */
  readonly message: string
  readonly ruleId: string | null
  readonly ticker: string | null
}

const bytesOf = (text: string): number => {
  let bytes = 0
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return bytes
}

/** The value with each text cut to `max` characters. */
function truncateTexts(value: unknown, max: number): unknown {
  if (typeof value === 'string') {
    const characters = Array.from(value)
    return characters.length <= max ? value : `${characters.slice(0, max).join('')}…`
  }
  if (Array.isArray(value)) return value.map((item) => truncateTexts(item, max))
  if (typeof value !== 'object' || value === null) return value
  const rows = Object.entries(value).map(([key, item]) => [key, truncateTexts(item, max)])
  return Object.fromEntries(rows) as Record<string, unknown>
}

/**
 * The body of a delivery, at most 20 kB: where it would be longer, its texts are cut and
 * `truncated` is true. The same bytes are sent at every attempt.
 */
export function payloadOf(event: OutgoingEvent, deliveryId: string, endpointId: string): string {
  const createdAt = new Date(event.createdAt).toISOString()
  const head = { id: event.id, type: event.type, createdAt }
  const body = { ...head, deliveryId, endpointId, data: event.data }
  const text = JSON.stringify(body)
  if (bytesOf(text) <= MAX_BYTES) return text
  for (let max = 4_096; max >= 16; max /= 2) {
    const truncatedText = JSON.stringify({
      ...body,
      data: truncateTexts(event.data, max),
      truncated: true,
    })
    if (bytesOf(truncatedText) <= MAX_BYTES) return truncatedText
  }
  return JSON.stringify({ ...body, data: {}, truncated: true })
}
