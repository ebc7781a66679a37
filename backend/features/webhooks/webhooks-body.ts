import { EVENT_NAMES, type EventName } from '../../domain/webhooks/delivery.ts'
import type { BodyFields } from '../../http/request/body-fields.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { UrlPolicy } from './url-policy.ts'

const MAX_LABEL_LENGTH = 120
const MAX_URL_LENGTH = 2_048

export async function urlIn(fields: BodyFields, policy: UrlPolicy): Promise<string | undefined> {
  const text = fields.text('url', { min: 1, max: MAX_URL_LENGTH })
  if (text === null) throw new InvalidInput('url is required')
  return text === undefined ? undefined : await policy.check(text)
}

export function labelIn(fields: BodyFields): string | undefined {
  return fields.text('label', { min: 1, max: MAX_LABEL_LENGTH }) ?? undefined
}

export function eventsIn(fields: BodyFields): readonly EventName[] | undefined {
  const eventsValue = fields.raw('events')
  if (eventsValue === undefined) return undefined
  const names: readonly unknown[] = Array.isArray(eventsValue) ? eventsValue : []
  const validNames = EVENT_NAMES.filter((name) => names.includes(name))
  if (validNames.length === 0 || validNames.length !== new Set(names).size) {
    throw new InvalidInput(`events must be a list of some of ${EVENT_NAMES.join(', ')}`)
  }
  return validNames
}
