import { describe, expect, it } from 'vitest'
import { Refused } from '../../lib/errors.ts'
import { bodyIn, specIn, titlesIn } from './panel-spec.ts'

const BOUNDS = { minRefreshSeconds: 90, appUrl: 'https://a.example' }
const SPEC = { kind: 'preset', preset: { id: 'data_health' }, display: { visualization: 'table' } }

/** What is read, or the reason of the refusal and the field that it names. */
function result(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { field } = error.details
    return typeof field === 'string' ? `${error.reason} ${field}` : error.reason
  }
}
const read = (more: object) => result(() => specIn({ spec: { ...SPEC, ...more } }, BOUNDS))
const many = (count: number): string[] => Array.from({ length: count }, (_, n) => `M${n}`)

describe('the body of a panel', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['[1]', 'invalid_json_body'],
    ['{', 'invalid_json_body'],
    ['7', 'invalid_json_body'],
    [undefined, 'invalid_json_body'],
  ])('%j is %j', (text, expected) => {
    expect(result(() => bodyIn(text))).toEqual(expected)
  })

  it.each([
    [' My panel ', 'My panel'],
    [undefined, undefined],
    ['x'.repeat(80), 'x'.repeat(80)],
    ['🙂'.repeat(80), '🙂'.repeat(80)],
    ['x'.repeat(81), 'title_invalid title'],
    ['  ', 'title_invalid title'],
    ['a\u0007b', 'title_invalid title'],
    [7, 'title_invalid title'],
  ])('has the title %j as %j', (title, expected) => {
    expect(result(() => titlesIn({ title }).inBody)).toBe(expected)
  })

  it('may have a title in its spec', () => {
    expect(titlesIn({ spec: { title: ' In spec ' } })).toEqual({
      inBody: undefined,
      inSpec: 'In spec',
    })
    expect(result(() => titlesIn({ spec: { title: '' } }))).toBe('title_invalid spec.title')
    expect(read({ title: ' In spec ' })).toMatchObject({ title: 'In spec' })
  })
})

describe('the spec of a panel', () => {
  it('has its known fields only', () => {
    expect(read({ unknown: 1, display: { visualization: 'table', unknown: 1 } })).toEqual({
      version: 1,
      ...SPEC,
    })
    const screen = {
      version: 1,
      kind: 'screen',
      sources: ['alert_rules'],
      filters: {
        probability: { min: 0, max: 1 },
        window: '6h',
        tickers: ['kx-a', 'KX-A', 'kx-b'],
        unknown: 1,
      },
      schedule: { mode: 'interval', cadence: 5 },
    }
    expect(read({ ...screen, preset: undefined })).toEqual({
      version: 1,
      kind: 'screen',
      sources: ['alert_rules'],
      filters: { probability: { min: 0, max: 1 }, window: '6h', tickers: ['KX-A', 'KX-B'] },
      display: { visualization: 'table' },
      schedule: { mode: 'interval', cadenceMinutes: 5 },
    })
  })

  it('is required', () => {
    for (const spec of [undefined, null, [], 'x'])
      expect(result(() => specIn({ spec }, BOUNDS))).toBe('spec_required spec')
  })

  const screen = { kind: 'screen' }
  it.each([
    [{ version: 2 }, 'version_unsupported spec.version'],
    [{ kind: 'agentic_query' }, 'kind_deferred_to_future_spec spec.kind'],
    [{ kind: 'other' }, 'kind_unknown spec.kind'],
    [{ preset: {} }, 'preset_missing spec.preset.id'],
    [{ preset: { id: 'other' } }, 'preset_unknown_id spec.preset.id'],
    [screen, 'screen_sources_missing spec.sources'],
    [{ ...screen, sources: [] }, 'screen_sources_empty spec.sources'],
    [{ ...screen, sources: ['other'] }, 'screen_source_unknown spec.sources'],
    [{ ...screen, sources: ['alert_rules', 'other'] }, 'screen_source_unknown spec.sources'],
    [
      { ...screen, sources: ['alert_rules', 'public_query'] },
      'screen_sources_too_many spec.sources',
    ],
    [{ filters: [] }, 'filters_invalid spec.filters'],
    [{ filters: { window: '2h' } }, 'filters_window_invalid spec.filters.window'],
    [{ filters: { tickers: 'A' } }, 'filters_tickers_invalid spec.filters.tickers'],
    [{ filters: { tickers: [7] } }, 'filters_tickers_invalid spec.filters.tickers'],
    [{ filters: { tickers: [''] } }, 'filters_tickers_invalid spec.filters.tickers'],
    [{ filters: { tickers: ['x'.repeat(129)] } }, 'filters_tickers_invalid spec.filters.tickers'],
    [{ filters: { tickers: many(26) } }, 'filters_tickers_too_many spec.filters.tickers'],
    [{ display: {} }, 'display_missing spec.display.visualization'],
    [{ display: undefined }, 'display_missing spec.display.visualization'],
    [
      { display: { visualization: 'map' } },
      'display_visualization_deferred_to_future_spec spec.display.visualization',
    ],
    [
      { display: { visualization: 'other' } },
      'display_visualization_invalid spec.display.visualization',
    ],
    [{ schedule: {} }, 'schedule_mode_invalid spec.schedule.mode'],
    [{ schedule: 'manual' }, 'schedule_mode_invalid spec.schedule.mode'],
    [{ schedule: { mode: 'interval' } }, 'schedule_cadence_missing spec.schedule.cadenceMinutes'],
    [
      { schedule: { mode: 'interval', cadenceMinutes: 1.49 } },
      'schedule_cadence_below_tier_floor spec.schedule.cadenceMinutes',
    ],
  ])('is refused: %j', (more, reason) => {
    expect(read(more)).toBe(reason)
  })

  it.each([
    [{ min: -0.1 }, false],
    [{ max: 1.1 }, false],
    [{ min: 0.6, max: 0.5 }, false],
    [{ min: '0' }, false],
    [[], false],
    [null, false],
    [{ min: 0.5, max: 0.5 }, true],
    [{ min: 0.5 }, true],
    [{ max: 0.5 }, true],
    [{}, true],
  ])('has the range of probabilities %j: %s', (probability, isAccepted) => {
    const refusal = 'filters_probability_out_of_range spec.filters.probability'
    const expected = isAccepted ? { filters: { probability } } : refusal
    const found = read({ filters: { probability } })
    if (typeof expected === 'string') expect(found).toBe(expected)
    else expect(found).toMatchObject(expected)
  })

  it.each([
    [{ mode: 'manual', cadenceMinutes: 1 }, { mode: 'manual' }],
    [
      { mode: 'interval', cadenceMinutes: 1.5 },
      { mode: 'interval', cadenceMinutes: 1.5 },
    ],
    [
      { mode: 'interval', cadenceMinutes: 43_200 },
      { mode: 'interval', cadenceMinutes: 43_200 },
    ],
    [
      { mode: 'interval', cadenceMinutes: 43_201 },
      { mode: 'interval', cadenceMinutes: 43_200 },
    ],
  ])('has the schedule %j as %j', (schedule, expected) => {
    expect(read({ schedule })).toMatchObject({ schedule: expected })
  })

  it('may have twenty-five tickers, however often each is named', () => {
    const tickers = many(25)
    expect(read({ filters: { tickers: [...tickers, ...tickers] } })).toMatchObject({
      filters: { tickers },
    })
  })
})
