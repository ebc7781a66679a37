import { Refused } from '../../lib/errors.ts'
import type { RefusalGround } from '../../lib/errors.ts'
import { UNKNOWN_PANEL } from './panel-reasons.ts'
import type { PanelReason } from './panel-reasons.ts'

/** Where a user sees what other tiers allow. */
export const upgradeAt = (appUrl: string) => ({ url: `${appUrl}/#settings/tier` })

/** A refusal with one of the reasons that are known to everybody who reads them. */
export const refused = (
  ground: RefusalGround,
  reason: PanelReason,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
  retryAfterSeconds?: number,
): Refused => new Refused(ground, reason, message, more, retryAfterSeconds)

/** A fault of what was sent. @param field dotted path of what is at fault */
export const faulty = (
  reason: PanelReason,
  message: string,
  field?: string,
  more: Readonly<Record<string, unknown>> = {},
): Refused =>
  refused('malformed', reason, message, { ...(field !== undefined && { field }), ...more })

export const invalidBody = (): Refused =>
  faulty('invalid_json_body', 'The body must be a JSON object')

/** One answer for panels that are not there and for those of others. */
export const unknownPanel = (more: Readonly<Record<string, unknown>> = {}): Refused =>
  refused('unknown', UNKNOWN_PANEL, 'You have no such panel', more)

/** @param left seconds, whole, at least one */
export const coolingDown = (left: number, appUrl: string): Refused =>
  refused(
    'too-soon',
    'panel_refresh_cooldown',
    `This panel was run a moment ago. Run it again in ${left} s`,
    { retryAfterSeconds: left, upgrade: upgradeAt(appUrl) },
    left,
  )
