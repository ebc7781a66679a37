import { describe, expect, it } from 'vitest'
import type { PanelReason } from '../../../backend/contract/panels/panel-names.ts'
import { createClient } from '../../api/client.ts'
import { failedRunText, refusalOf, type PanelField } from './panel-reasons.ts'

/** The compiler compares this list with the service's own. */
const FIELDS: Readonly<Record<PanelReason, PanelField>> = {
  not_authenticated: 'form',
  not_admin: 'form',
  invalid_json_body: 'form',
  title_invalid: 'title',
  spec_required: 'form',
  version_unsupported: 'form',
  kind_deferred_to_future_spec: 'subject',
  kind_unknown: 'subject',
  preset_missing: 'subject',
  preset_unknown_id: 'subject',
  screen_sources_missing: 'subject',
  screen_sources_empty: 'subject',
  screen_source_unknown: 'subject',
  screen_sources_too_many: 'subject',
  filters_invalid: 'form',
  filters_probability_out_of_range: 'probability',
  filters_window_invalid: 'window',
  filters_tickers_too_many: 'tickers',
  filters_tickers_invalid: 'tickers',
  display_missing: 'visualization',
  display_visualization_deferred_to_future_spec: 'visualization',
  display_visualization_invalid: 'visualization',
  schedule_mode_invalid: 'schedule',
  schedule_cadence_missing: 'schedule',
  schedule_cadence_below_tier_floor: 'schedule',
  status_invalid: 'form',
  sort_idx_invalid: 'form',
  order_invalid: 'form',
  market_watch_panel_cap_exceeded: 'form',
  market_watch_screen_panel_cap_exceeded: 'subject',
  panel_not_found_or_not_owned: 'form',
  panel_refresh_cooldown: 'form',
  panel_execution_busy: 'form',
  panel_execution_timeout: 'form',
  panel_execution_failed: 'form',
  not_ready: 'form',
}

/** An error as the client parses it. */
async function refused(status: number, body: object) {
  const answer = await createClient(async () => Response.json(body, { status })).send(
    'POST',
    '/api/dashboard2/market-watch/panels',
  )
  if (answer.ok) throw new Error('not refused')
  return refusalOf(answer.failure)
}

describe('an error of the service', () => {
  // [terminal.board.reasons]
  it.each(Object.entries(FIELDS))(
    'for %s is shown beside %s as a sentence',
    async (reason, field) => {
      const text = await refused(400, { reason, error: 'RAW WORDS' })
      expect(text.field).toBe(field)
      expect(text.text).toMatch(/^[A-Z].+[.]$/)
      expect(text.text).not.toMatch(/RAW|_|undefined|null|NaN/)
    },
  )

  it.each([
    [
      403,
      { reason: 'market_watch_panel_cap_exceeded', cap: 3, current: 3 },
      'Your tier allows 3 panels. Remove one first.',
    ],
    [
      403,
      { reason: 'market_watch_screen_panel_cap_exceeded', cap: 1, current: 1 },
      'Your tier allows 1 screen. Remove one first, or choose a preset.',
    ],
    [
      400,
      { reason: 'schedule_cadence_below_tier_floor', minRefreshSeconds: 300 },
      'Your tier refreshes a panel at most every 5 min. Enter 5 min or more.',
    ],
    [
      429,
      { reason: 'panel_refresh_cooldown', retryAfterSeconds: 42 },
      'It has just been run. Run it again in 42 s.',
    ],
    [
      403,
      { error: 'Origin', code: 'ORIGIN_REFUSED' },
      'The service does not accept changes from this address. Open the address that the service printed.',
    ],
    [400, { reason: 'of_a_later_service', error: 'Something else' }, 'Something else.'],
  ])('%d %j states what to do', async (status, body, text) => {
    expect((await refused(status, { error: 'x', ...body })).text).toBe(text)
  })
})

it('a failed run shows why, in our text and the service’s', () => {
  expect(failedRunText({ reason: 'panel_execution_failed', message: 'no books' })).toBe(
    'The run failed. Showing the previous result. no books.',
  )
  expect(failedRunText({ reason: 'other', message: '' })).toBe('The run failed.')
})
