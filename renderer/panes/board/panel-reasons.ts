import type { PanelReason } from '../../../backend/features/market-watch/panel-reasons.ts'
import type { ApiFailure } from '../../api/client.ts'
import { refusalWords } from '../account/refusal-words.ts'
import { spanWords } from './board-words.ts'
import { counted } from './panel-view.ts'

/** Fields of the form of a panel, in its order; `form` is what is about none of them. */
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

type More = Readonly<Record<string, unknown>>
interface Reason {
  readonly field: PanelField
  readonly say: (more: More) => string
}
const at = (field: PanelField, text: string): Reason => ({ field, say: () => text })
/** What a cap says: how many there may be, and what helps. */
const capped =
  (what: string, help: string): Reason['say'] =>
  ({ cap }) =>
    typeof cap === 'number'
      ? `Your tier holds ${counted(cap, what)}, and no more fit. ${help}`
      : `Your tier holds no more ${what}s. ${help}`

/** Every reason of the service, as a sentence beside the field that it is about. */
const REASONS: Readonly<Record<PanelReason, Reason>> = {
  not_authenticated: at('form', 'Your session has ended. Sign in again; what you typed stays.'),
  not_admin: at('form', 'Only administrators may ask this.'),
  invalid_json_body: at('form', 'The service could not read the panel. Try again.'),
  title_invalid: at('title', 'The title must be 1 to 80 characters, without line breaks.'),
  spec_required: at('form', 'The service needs to know what the panel shows. Choose it above.'),
  version_unsupported: at(
    'form',
    'The service reads panels of another version. Load this page anew.',
  ),
  kind_deferred_to_future_spec: at('subject', 'Panels of this kind do not exist yet.'),
  kind_unknown: at('subject', 'Choose a preset or a screen.'),
  preset_missing: at('subject', 'Choose which preset the panel shows.'),
  preset_unknown_id: at('subject', 'The service knows no such preset. Choose another.'),
  screen_sources_missing: at('subject', 'Choose what the screen looks through.'),
  screen_sources_empty: at('subject', 'Choose one source that the screen looks through.'),
  screen_source_unknown: at('subject', 'The service knows no such source. Choose another.'),
  screen_sources_too_many: at('subject', 'A screen looks through one source. Choose one.'),
  filters_invalid: at('form', 'The service could not read the filters. Clear them and try again.'),
  filters_probability_out_of_range: at(
    'probability',
    'Both must be numbers from 0 to 100, the lower one first.',
  ),
  filters_window_invalid: at('window', 'The window must be 1h, 6h, 24h, 7d or 30d.'),
  filters_tickers_too_many: at('tickers', 'At most 25 different tickers. Leave some out.'),
  filters_tickers_invalid: at('tickers', 'Each ticker must be 1 to 128 characters.'),
  display_missing: at('visualization', 'Choose how the panel is drawn.'),
  display_visualization_deferred_to_future_spec: at(
    'visualization',
    'Panels cannot be drawn this way yet. Choose another.',
  ),
  display_visualization_invalid: at(
    'visualization',
    'The service cannot draw panels this way. Choose another.',
  ),
  schedule_mode_invalid: at('schedule', 'Choose «by hand» or «every».'),
  schedule_cadence_missing: at('schedule', 'Type how often, as a number.'),
  schedule_cadence_below_tier_floor: {
    field: 'schedule',
    say: ({ minRefreshSeconds: floor }) =>
      typeof floor === 'number'
        ? `Your tier refreshes a panel no more often than every ${spanWords(floor)}. Type ${spanWords(floor)} or more.`
        : 'Your tier refreshes panels less often. Type a longer time.',
  },
  status_invalid: at('form', 'A panel is active or paused, nothing else.'),
  sort_idx_invalid: at('form', 'The panel cannot stand at that place.'),
  order_invalid: at('form', 'The service could not read the new order. It stays as it was.'),
  market_watch_panel_cap_exceeded: { field: 'form', say: capped('panel', 'Remove one first.') },
  market_watch_screen_panel_cap_exceeded: {
    field: 'subject',
    say: capped('screen', 'Remove one first, or choose a preset.'),
  },
  panel_not_found_or_not_owned: at('form', 'This panel is gone: it was removed elsewhere.'),
  panel_refresh_cooldown: {
    field: 'form',
    say: ({ retryAfterSeconds: left }) =>
      `It was run a moment ago. Run it again in ${typeof left === 'number' ? spanWords(left) : 'a moment'}.`,
  },
  panel_execution_busy: at('form', 'All turns are taken. Run it again in a few seconds.'),
  panel_execution_timeout: at('form', 'The run took longer than 15 s and was given up.'),
  panel_execution_failed: at('form', 'The run failed. What stood before is shown.'),
  not_ready: at('form', 'The service is still loading. Run it again in a few seconds.'),
}

const known = (reason: unknown): Reason | null =>
  typeof reason === 'string' && Object.hasOwn(REASONS, reason)
    ? REASONS[reason as PanelReason]
    : null

export interface PanelRefusal {
  readonly field: PanelField
  readonly text: string
}

/** Why the service refused, beside the field that it is about. */
export function refusalOf(failure: ApiFailure): PanelRefusal {
  const reason = known(failure.more?.['reason'])
  return reason === null
    ? { field: 'form', text: refusalWords(failure) }
    : { field: reason.field, text: reason.say(failure.more ?? {}) }
}

/** Why the newest run of a panel failed; the service's own words where the reason is none of ours. */
export const failedRunText = ({ reason, message }: { reason: string; message: string }): string => {
  const sentence = known(reason)?.say({}) ?? 'The run failed.'
  return message === '' ? sentence : `${sentence} ${message.replace(/\.$/, '')}.`
}
