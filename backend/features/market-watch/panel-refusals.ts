import { Refused } from '../../lib/errors.ts'
import type { RefusalGround } from '../../lib/errors.ts'
import { UNKNOWN_PANEL } from '../../contract/panels/panel-names.ts'
import type { PanelReason } from '../../contract/panels/panel-names.ts'

/** Address where a user compares tiers. */
export const upgradeAt = (appUrl: string) => ({ url: `${appUrl}/#settings/tier` })

/** A refusal with one of the published reasons. */
export const panelRefusal = (
  ground: RefusalGround,
  reason: PanelReason,
  message: string,
  extraFields: Readonly<Record<string, unknown>> = {},
  retryAfterSeconds?: number,
): Refused => new Refused(ground, reason, message, extraFields, retryAfterSeconds)

/** A refusal of invalid input. @param field dotted path of the invalid field */
export const invalidInput = (
  reason: PanelReason,
  message: string,
  field?: string,
  extraFields: Readonly<Record<string, unknown>> = {},
): Refused =>
  panelRefusal('malformed', reason, message, {
    ...(field !== undefined && { field }),
    ...extraFields,
  })

export const invalidBody = (): Refused =>
  invalidInput('invalid_json_body', 'The body must be a JSON object')

/** The same response for missing panels and for panels of other users. */
export const unknownPanel = (extraFields: Readonly<Record<string, unknown>> = {}): Refused =>
  panelRefusal('unknown', UNKNOWN_PANEL, 'You have no such panel', extraFields)

/** @param left whole seconds, at least one */
export const coolingDown = (left: number, appUrl: string): Refused =>
  panelRefusal(
    'too-soon',
    'panel_refresh_cooldown',
    `This panel was run a moment ago. Run it again in ${left} s`,
    { retryAfterSeconds: left, upgrade: upgradeAt(appUrl) },
    left,
  )
