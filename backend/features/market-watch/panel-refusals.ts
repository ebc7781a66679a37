import { Refused } from '../../lib/errors.ts'

/** Where a user sees what other tiers allow. */
export const upgradeAt = (appUrl: string) => ({ url: `${appUrl}/#settings/tier` })

/** A fault of what was sent. @param field dotted path of what is at fault */
export const faulty = (
  reason: string,
  message: string,
  field?: string,
  more: Readonly<Record<string, unknown>> = {},
): Refused =>
  new Refused('malformed', reason, message, { ...(field !== undefined && { field }), ...more })

export const invalidBody = (): Refused =>
  faulty('invalid_json_body', 'The body must be a JSON object')

/** One answer for panels that are not there and for those of others. */
export const unknownPanel = (more: Readonly<Record<string, unknown>> = {}): Refused =>
  new Refused('unknown', 'panel_not_found_or_not_owned', 'You have no such panel', more)

/** @param left seconds, whole, at least one */
export const coolingDown = (left: number, appUrl: string): Refused =>
  new Refused(
    'too-soon',
    'panel_refresh_cooldown',
    `This panel was run a moment ago. Run it again in ${left} s`,
    { retryAfterSeconds: left, upgrade: upgradeAt(appUrl) },
    left,
  )
