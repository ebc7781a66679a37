import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  BOARD,
  marketWatchService,
  PANELS,
  presetSpec,
  screenSpec,
  type MarketWatchService,
  type Reader,
} from '../../testing/market-watch-service.ts'

let service: MarketWatchService
let free: Reader

beforeAll(async () => {
  service = await marketWatchService()
  free = await service.user('free')
})
afterAll(() => service.close())

const { display: _display, ...undrawn } = presetSpec()
const filtered = (filters: unknown) => screenSpec('latest_market_prices', { filters })
const scheduled = (schedule: unknown) => presetSpec('data_health', { schedule })
const named = (count: number): string[] => Array.from({ length: count }, (_, i) => `KX-${i}`)

type Case = readonly [what: string, body: unknown, field?: string]

/** Each reason with bodies that have this fault and none before it in the order of the contract. */
const CASES: readonly (readonly [reason: string, cases: readonly Case[]])[] = [
  [
    'invalid_json_body',
    [
      ['nothing', undefined],
      ['half an object', '{'],
      ['an array', []],
      ['a text', '"spec"'],
      ['null', 'null'],
      ['a number', '7'],
    ],
  ],
  [
    'title_invalid',
    [
      ['a number', { title: 7 }, 'title'],
      ['null', { title: null, spec: presetSpec() }, 'title'],
      ['blanks', { title: '  ', spec: presetSpec() }, 'title'],
      ['81 characters', { title: '🙂'.repeat(81), spec: presetSpec() }, 'title'],
      ['a line break', { title: 'two\nlines', spec: presetSpec() }, 'title'],
      ['one of the spec', { spec: presetSpec('data_health', { title: '' }) }, 'spec.title'],
    ],
  ],
  [
    'spec_required',
    [
      ['nothing', {}, 'spec'],
      ['null', { spec: null }, 'spec'],
      ['a text', { spec: 'preset' }, 'spec'],
      ['an array', { spec: [presetSpec()] }, 'spec'],
    ],
  ],
  [
    'version_unsupported',
    [
      ['2', { spec: { version: 2, kind: 'nope' } }, 'spec.version'],
      ['a text', { spec: presetSpec('data_health', { version: '1' }) }, 'spec.version'],
      ['null', { spec: presetSpec('data_health', { version: null }) }, 'spec.version'],
    ],
  ],
  [
    'kind_deferred_to_future_spec',
    ['agentic_query', 'alert_linked', 'external_delivery'].map((kind): Case => [
      kind,
      { spec: { kind } },
      'spec.kind',
    ]),
  ],
  [
    'kind_unknown',
    [
      ['nothing', { spec: {} }, 'spec.kind'],
      ['another', { spec: { kind: 'service' } }, 'spec.kind'],
      ['capitals', { spec: presetSpec('data_health', { kind: 'PRESET' }) }, 'spec.kind'],
      ['a name of objects', { spec: { kind: 'constructor' } }, 'spec.kind'],
    ],
  ],
  [
    'preset_missing',
    [
      ['nothing', { spec: { kind: 'preset' } }, 'spec.preset.id'],
      ['a text', { spec: presetSpec('data_health', { preset: 'data_health' }) }, 'spec.preset.id'],
      ['no id', { spec: presetSpec('data_health', { preset: {} }) }, 'spec.preset.id'],
      ['a number', { spec: presetSpec('data_health', { preset: { id: 1 } }) }, 'spec.preset.id'],
    ],
  ],
  [
    'preset_unknown_id',
    [
      ['another', { spec: { kind: 'preset', preset: { id: 'nope' } } }, 'spec.preset.id'],
      ['a source', { spec: presetSpec('latest_market_prices') }, 'spec.preset.id'],
      ['a name of objects', { spec: presetSpec('toString') }, 'spec.preset.id'],
    ],
  ],
  [
    'screen_sources_missing',
    [
      ['nothing', { spec: { kind: 'screen' } }, 'spec.sources'],
      ['a text', { spec: screenSpec('', { sources: 'latest_market_prices' }) }, 'spec.sources'],
    ],
  ],
  ['screen_sources_empty', [['[]', { spec: { kind: 'screen', sources: [] } }, 'spec.sources']]],
  [
    'screen_source_unknown',
    [
      ['another', { spec: { kind: 'screen', sources: ['nope'] } }, 'spec.sources'],
      ['a number', { spec: screenSpec('', { sources: [7] }) }, 'spec.sources'],
      [
        'one of two',
        { spec: screenSpec('', { sources: ['latest_market_prices', 'nope'] }) },
        'spec.sources',
      ],
    ],
  ],
  [
    'screen_sources_too_many',
    [
      [
        'two',
        { spec: { kind: 'screen', sources: ['alert_rules', 'alert_rules'], filters: 1 } },
        'spec.sources',
      ],
    ],
  ],
  [
    'filters_invalid',
    [
      ['a text', { spec: { ...filtered('all'), display: null } }, 'spec.filters'],
      ['an array', { spec: filtered([]) }, 'spec.filters'],
      ['null', { spec: filtered(null) }, 'spec.filters'],
      ['on a preset', { spec: presetSpec('data_health', { filters: 1 }) }, 'spec.filters'],
    ],
  ],
  [
    'filters_probability_out_of_range',
    [
      [
        'a number',
        { spec: filtered({ probability: 0.5, window: 'x' }) },
        'spec.filters.probability',
      ],
      ['below', { spec: filtered({ probability: { min: -0.01 } }) }],
      ['above', { spec: filtered({ probability: { max: 1.01 } }) }],
      ['a text', { spec: filtered({ probability: { min: '0.1' } }) }],
      ['crossed', { spec: filtered({ probability: { min: 0.6, max: 0.5 } }) }],
      ['an array', { spec: filtered({ probability: [0, 1] }) }],
    ],
  ],
  [
    'filters_window_invalid',
    [
      ['another', { spec: filtered({ window: '2h', tickers: 7 }) }, 'spec.filters.window'],
      ['null', { spec: filtered({ window: null }) }, 'spec.filters.window'],
    ],
  ],
  [
    'filters_tickers_too_many',
    [
      ['26', { spec: filtered({ tickers: named(26) }) }, 'spec.filters.tickers'],
      ['26, one of no text', { spec: filtered({ tickers: [...named(25), 7] }) }],
    ],
  ],
  [
    'filters_tickers_invalid',
    [
      ['a text', { spec: { ...filtered({ tickers: 'KX' }), display: 1 } }, 'spec.filters.tickers'],
      ['numbers', { spec: filtered({ tickers: [1] }) }],
      ['an empty one', { spec: filtered({ tickers: [''] }) }],
      ['129 characters', { spec: filtered({ tickers: ['K'.repeat(129)] }) }],
    ],
  ],
  [
    'display_missing',
    [
      ['nothing', { spec: { ...undrawn, schedule: 1 } }, 'spec.display.visualization'],
      ['on a screen', { spec: screenSpec('alert_rules', { display: {} }) }],
      ['null', { spec: presetSpec('data_health', { display: { visualization: null } }) }],
      ['a text', { spec: presetSpec('data_health', { display: 'table' }) }],
    ],
  ],
  [
    'display_visualization_deferred_to_future_spec',
    ['heatmap', 'treemap', 'scatter', 'network', 'candlestick', 'map'].map(
      (visualization): Case => [
        visualization,
        { spec: presetSpec('data_health', { display: { visualization }, schedule: 1 }) },
      ],
    ),
  ],
  [
    'display_visualization_invalid',
    [
      ['another', { spec: presetSpec('data_health', { display: { visualization: 'pie' } }) }],
      ['a number', { spec: presetSpec('data_health', { display: { visualization: 7 } }) }],
    ],
  ],
  [
    'schedule_mode_invalid',
    [
      ['a text', { spec: scheduled('interval') }, 'spec.schedule.mode'],
      ['null', { spec: scheduled(null) }],
      ['no mode', { spec: scheduled({ cadenceMinutes: 5 }) }],
      ['another', { spec: scheduled({ mode: 'cron', cadenceMinutes: 5 }) }],
    ],
  ],
  [
    'schedule_cadence_missing',
    [
      ['nothing', { spec: scheduled({ mode: 'interval' }) }, 'spec.schedule.cadenceMinutes'],
      ['a text', { spec: scheduled({ mode: 'interval', cadenceMinutes: '5' }) }],
      [
        'no finite number',
        '{"spec":{"kind":"preset","preset":{"id":"data_health"},"display":{"visualization":"table"},"schedule":{"mode":"interval","cadenceMinutes":1e999}}}',
      ],
    ],
  ],
  [
    'schedule_cadence_below_tier_floor',
    [4.9999, 0, -5].map((cadenceMinutes): Case => [
      String(cadenceMinutes),
      { spec: scheduled({ mode: 'interval', cadenceMinutes }) },
      'spec.schedule.cadenceMinutes',
    ]),
  ],
]

const table = CASES.flatMap(([reason, cases]) =>
  cases.map(([what, body, field]) => ({ reason, what, body, field })),
)

describe('a refused panel', () => {
  // [market-watch.reasons.invalid-json-body] [market-watch.reasons.title-invalid]
  // [market-watch.reasons.spec-required] [market-watch.reasons.version-unsupported]
  // [market-watch.reasons.kind-deferred] [market-watch.reasons.kind-unknown]
  // [market-watch.reasons.preset-missing] [market-watch.reasons.preset-unknown-id]
  // [market-watch.reasons.screen-sources-missing] [market-watch.reasons.screen-sources-empty]
  // [market-watch.reasons.screen-source-unknown] [market-watch.reasons.screen-sources-too-many]
  // [market-watch.reasons.filters-invalid] [market-watch.reasons.filters-probability]
  // [market-watch.reasons.filters-window] [market-watch.reasons.filters-tickers-too-many]
  // [market-watch.reasons.filters-tickers-invalid] [market-watch.reasons.display-missing]
  // [market-watch.reasons.display-deferred] [market-watch.reasons.display-invalid]
  // [market-watch.reasons.schedule-mode] [market-watch.reasons.schedule-cadence-missing]
  // [market-watch.reasons.schedule-cadence-floor] [market-watch.reasons.order]
  it.each(table)('$reason: $what', async ({ reason, body, field }) => {
    const { status, headers, body: answer } = await free.send('POST', PANELS, body)
    expect([status, answer['reason']]).toEqual([400, reason])
    expect(answer['error']).toMatch(/^[A-Z]/)
    expect(headers['cache-control']).toBe('no-store')
    if (field !== undefined) expect(answer['field']).toBe(field)
  })

  // [market-watch.reasons.nothing-kept]
  it('leaves nothing behind', async () => {
    const { body } = await free.get(BOARD)
    expect(body['panels']).toEqual([])
    const rows = await service.state.selectFrom('panel').select('id').execute()
    expect(rows).toEqual([])
  })

  // [market-watch.reasons.schedule-cadence-floor]
  it('for its cadence states the floor and the tier with a lower one', async () => {
    const spec = scheduled({ mode: 'interval', cadenceMinutes: 1 })
    const { body } = await free.send('POST', PANELS, { spec })
    expect(body).toEqual({
      reason: 'schedule_cadence_below_tier_floor',
      error: 'Your tier refreshes panels at most every 300 s',
      field: 'spec.schedule.cadenceMinutes',
      minRefreshSeconds: 300,
      upgrade: { url: `${service.url}/#settings/tier` },
    })
  })

  // [market-watch.reasons.not-authenticated]
  it('for its caller reports that before anything else', async () => {
    const { status, body } = await service.ask(PANELS, { method: 'POST', body: '{' })
    expect(status).toBe(401)
    expect(body).toEqual({
      reason: 'not_authenticated',
      error: 'Authentication required',
      code: 'AUTH_REQUIRED',
    })
  })

  it('for its origin or type has the code that all routes have', async () => {
    const { cookie } = free
    const post = { method: 'POST', body: '{' }
    const foreign = await service.ask(PANELS, { ...post, headers: { cookie } })
    expect([foreign.status, foreign.body['code']]).toEqual([403, 'ORIGIN_REFUSED'])
    const form = { cookie, origin: service.url, 'content-type': 'text/plain' }
    const typed = await service.ask(PANELS, { ...post, headers: form })
    expect([typed.status, typed.body['code']]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})

describe('a spec at its limits', () => {
  it.each([
    ['80 characters of title', { title: '🙂'.repeat(80), spec: presetSpec() }],
    ['no version', { spec: presetSpec('data_health', { version: undefined }) }],
    ['a probability of 0 to 1', { spec: filtered({ probability: { min: 0, max: 1 } }) }],
    ['an empty probability', { spec: filtered({ probability: {} }) }],
    ['one probability', { spec: filtered({ probability: { min: 0.5, max: 0.5 } }) }],
    ['25 tickers, some twice', { spec: filtered({ tickers: [...named(25), 'kx-1', 'KX-2'] }) }],
    ['a ticker of 128 characters', { spec: filtered({ tickers: ['K'.repeat(128)] }) }],
    ['the floor itself', { spec: scheduled({ mode: 'interval', cadenceMinutes: 5 }) }],
    ['a cadence by its other name', { spec: scheduled({ mode: 'interval', cadence: 5 }) }],
    ['manual, whatever its cadence', { spec: scheduled({ mode: 'manual', cadenceMinutes: -1 }) }],
  ])('is accepted: %s', async (_what, body) => {
    const { status, body: created } = await free.send('POST', PANELS, body)
    expect(status).toBe(201)
    const { id } = created['panel'] as { id: string }
    expect((await free.send('DELETE', `${PANELS}/${id}`)).status).toBe(200)
  })
})
