import type { PanelReason } from '../../../backend/contract/panels/panel-names.ts'
import type { ApiFailure } from '../../api/client.ts'
import { refusalLabel } from '../account/refusal-labels.ts'
import { spanLabel } from './board-labels.ts'
import { countText } from './views/panel-view.ts'

/** Fields of the panel form, in order; `form` is for errors without a field. */
export const PANEL_FIELDS = [
  'subject',
  'title',
  'visualization',
  'schedule',
  'probability',
  'window',
  'tickers',
  'form',
] as const
export type PanelField = (typeof PANEL_FIELDS)[number]

type ErrorDetails = Readonly<Record<string, unknown>>
interface Reason {
  readonly field: PanelField
  readonly messageFor: (more: ErrorDetails) => string
}
const fieldReason = (field: PanelField, text: string): Reason => ({ field, messageFor: () => text })
/** Message of a limit: the maximum, and what to do. */
const limitMessage =
  (noun: string, help: string): Reason['messageFor'] =>
  ({ cap }) =>
    typeof cap === 'number'
      ? `Your tier allows ${countText(cap, noun)}. ${help}`
      : `Your tier allows no more ${noun}s. ${help}`

/** Every reason code of the service, as a sentence beside its field. */
const REASONS: Readonly<Record<PanelReason, Reason>> = {
  not_authenticated: fieldReason(
    'form',
    'Your session has ended. Sign in again; your input is kept.',
  ),
  not_admin: fieldReason('form', 'Only administrators can do this.'),
  invalid_json_body: fieldReason('form', 'The service could not read the panel. Try again.'),
  title_invalid: fieldReason('title', 'The title must be 1 to 80 characters, without line breaks.'),
  spec_required: fieldReason('form', 'Choose what the panel shows.'),
  version_unsupported: fieldReason(
    'form',
    'The service uses another panel version. Reload this page.',
  ),
  kind_deferred_to_future_spec: fieldReason('subject', 'This kind of panel is not available yet.'),
  kind_unknown: fieldReason('subject', 'Choose a preset or a screen.'),
  preset_missing: fieldReason('subject', 'Choose which preset the panel shows.'),
  preset_unknown_id: fieldReason('subject', 'Unknown preset. Choose another.'),
  screen_sources_missing: fieldReason('subject', 'Choose a source for the screen.'),
  screen_sources_empty: fieldReason('subject', 'Choose one source for the screen.'),
  screen_source_unknown: fieldReason('subject', 'Unknown source. Choose another.'),
  screen_sources_too_many: fieldReason('subject', 'A screen reads one source. Choose one.'),
  filters_invalid: fieldReason(
    'form',
    'The service could not read the filters. Clear them and try again.',
  ),
  filters_probability_out_of_range: fieldReason(
    'probability',
    'Enter two numbers from 0 to 100, the lower one first.',
  ),
  filters_window_invalid: fieldReason('window', 'The window must be 1h, 6h, 24h, 7d or 30d.'),
  filters_tickers_too_many: fieldReason('tickers', 'At most 25 different tickers. Remove some.'),
  filters_tickers_invalid: fieldReason('tickers', 'Each ticker must be 1 to 128 characters.'),
  display_missing: fieldReason('visualization', 'Choose a view for the panel.'),
  display_visualization_deferred_to_future_spec: fieldReason(
    'visualization',
    'This view is not available yet. Choose another.',
  ),
  display_visualization_invalid: fieldReason('visualization', 'Unknown view. Choose another.'),
  schedule_mode_invalid: fieldReason('schedule', 'Choose “manual” or “every”.'),
  schedule_cadence_missing: fieldReason('schedule', 'Enter the interval as a number.'),
  schedule_cadence_below_tier_floor: {
    field: 'schedule',
    messageFor: ({ minRefreshSeconds: floor }) =>
      typeof floor === 'number'
        ? `Your tier refreshes a panel at most every ${spanLabel(floor)}. Enter ${spanLabel(floor)} or more.`
        : 'Your tier refreshes panels less often. Enter a longer interval.',
  },
  status_invalid: fieldReason('form', 'A panel must be active or paused.'),
  sort_idx_invalid: fieldReason('form', 'The panel cannot be moved to that position.'),
  order_invalid: fieldReason(
    'form',
    'The service could not read the new order. The order is unchanged.',
  ),
  market_watch_panel_cap_exceeded: {
    field: 'form',
    messageFor: limitMessage('panel', 'Remove one first.'),
  },
  market_watch_screen_panel_cap_exceeded: {
    field: 'subject',
    messageFor: limitMessage('screen', 'Remove one first, or choose a preset.'),
  },
  panel_not_found_or_not_owned: fieldReason('form', 'This panel was removed elsewhere.'),
  panel_refresh_cooldown: {
    field: 'form',
    messageFor: ({ retryAfterSeconds: remainingSeconds }) =>
      `It has just been run. Run it again in ${typeof remainingSeconds === 'number' ? spanLabel(remainingSeconds) : 'a moment'}.`,
  },
  panel_execution_busy: fieldReason(
    'form',
    'Too many panels are running. Run it again in a few seconds.',
  ),
  panel_execution_timeout: fieldReason('form', 'The run took longer than 15 s and was cancelled.'),
  panel_execution_failed: fieldReason('form', 'The run failed. Showing the previous result.'),
  not_ready: fieldReason('form', 'The service is still loading. Run it again in a few seconds.'),
}

const reasonOf = (reason: unknown): Reason | null =>
  typeof reason === 'string' && Object.hasOwn(REASONS, reason)
    ? REASONS[reason as PanelReason]
    : null

export interface PanelRefusal {
  readonly field: PanelField
  readonly text: string
}

/** Why the service rejected a panel, beside the field of the error. */
export function refusalOf(failure: ApiFailure): PanelRefusal {
  const reason = reasonOf(failure.details?.['reason'])
  return reason === null
    ? { field: 'form', text: refusalLabel(failure) }
    : { field: reason.field, text: reason.messageFor(failure.details ?? {}) }
}

/** Why the newest run of a panel failed; the service's message for an unknown reason code. */
export const failedRunText = ({ reason, message }: { reason: string; message: string }): string => {
  const sentence = reasonOf(reason)?.messageFor({}) ?? 'The run failed.'
  return message === '' ? sentence : `${sentence} ${message.replace(/\.$/, '')}.`
}
