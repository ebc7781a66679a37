import { parseDuration } from '../../contract/params.ts'
import type { Millis } from '../../domain/units.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { BodyFields } from './body-fields.ts'

/**
 * The fields `since` and `until` of a body; a duration counts back from now.
 * @param defaultSpan ms before now where `since` is absent; null when it is required
 * @throws InvalidInput
 */
export function rangeIn(
  fields: BodyFields,
  now: Millis,
  defaultSpan: number | null,
): { since: Millis; until: Millis } {
  const text = fields.raw('since')
  const duration = typeof text === 'string' ? parseDuration(text) : null
  const isAbsent = text === undefined || text === null
  const span = isAbsent ? defaultSpan : duration
  const since = span === null ? fields.instant('since') : ((now - span) as Millis)
  if (since === undefined || since === null) {
    throw new InvalidInput('since is required: an ISO 8601 time or a duration (<n>m|h|d)')
  }
  const until = fields.instant('until') ?? now
  if (until < since) throw new InvalidInput('until must not be before since')
  return { since, until }
}
