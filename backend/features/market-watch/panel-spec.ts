import { canonicalTicker } from '../../domain/market.ts'
import { fieldOf } from '../../lib/field-of.ts'
import { invalidInput, invalidBody, upgradeAt } from './panel-refusals.ts'
import {
  DEFERRED_KINDS,
  DEFERRED_VISUALIZATIONS,
  PRESET_IDS,
  SCREEN_SOURCES,
  SCREEN_WINDOWS,
  VISUALIZATIONS,
} from '../../contract/panels/panel-names.ts'
import type { PanelFilters, PanelSpec } from '../../contract/panels/panel-spec.ts'

const MAX_TITLE_LENGTH = 80
const MAX_TICKERS = 25
const MAX_TICKER_LENGTH = 128
/** Thirty days. */
const MAX_CADENCE_MINUTES = 43_200
/** Tolerance, because a cadence in minutes cannot represent every number of seconds exactly. */
const CADENCE_TOLERANCE_SECONDS = 0.001

/** Limits of the owner's tier, and where to upgrade. */
export interface PanelBounds {
  readonly minRefreshSeconds: number
  readonly appUrl: string
}

const isOneOf = <T extends string>(choices: readonly T[], value: unknown): value is T =>
  typeof value === 'string' && (choices as readonly string[]).includes(value)

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The JSON object of a body. @throws Refused invalid_json_body */
export function bodyIn(text: unknown): object {
  try {
    const body: unknown = typeof text === 'string' ? JSON.parse(text) : null
    if (isObject(body)) return body
  } catch {
    // Invalid JSON is refused like any other body that is not an object.
  }
  throw invalidBody()
}

/** Validates a title; undefined if none was sent. @throws Refused title_invalid */
export function titleIn(holder: unknown, field: string): string | undefined {
  const titleValue = fieldOf(holder, 'title')
  if (titleValue === undefined) return undefined
  const title = typeof titleValue === 'string' ? titleValue.trim() : ''
  const { length } = Array.from(title)
  if (length === 0 || length > MAX_TITLE_LENGTH || /\p{Cc}/u.test(title)) {
    throw invalidInput(
      'title_invalid',
      `The title must be 1 to ${MAX_TITLE_LENGTH} characters`,
      field,
    )
  }
  return title
}

/** Titles of a body and of its spec. @throws Refused title_invalid */
export function titlesIn(body: object): {
  inBody: string | undefined
  inSpec: string | undefined
} {
  return {
    inBody: titleIn(body, 'title'),
    inSpec: titleIn(fieldOf(body, 'spec'), 'spec.title'),
  }
}

/**
 * Validates a spec: unknown fields are dropped, tickers get their canonical form, and a cadence
 * over thirty days is reduced. Errors are checked in the order of the contract; the first one is
 * reported.
 * @throws Refused
 */
export function specIn(body: object, bounds: PanelBounds): PanelSpec {
  const spec = fieldOf(body, 'spec')
  if (!isObject(spec)) throw invalidInput('spec_required', 'A panel needs a spec', 'spec')
  const version = fieldOf(spec, 'version')
  if (version !== undefined && version !== 1) {
    throw invalidInput('version_unsupported', 'The version of the spec must be 1', 'spec.version')
  }
  const subject = subjectIn(spec)
  const filters = filtersIn(spec)
  const display = displayIn(spec)
  const schedule = scheduleIn(spec, bounds)
  const title = titleIn(spec, 'spec.title')
  return {
    version: 1,
    ...(title !== undefined && { title }),
    ...subject,
    ...(filters !== undefined && { filters }),
    display,
    ...(schedule !== undefined && { schedule }),
  }
}

function subjectIn(spec: object): Pick<PanelSpec, 'kind' | 'preset' | 'sources'> {
  const kind = fieldOf(spec, 'kind')
  if (isOneOf(DEFERRED_KINDS, kind)) {
    const message = `Panels of kind ${kind} are not available yet`
    throw invalidInput('kind_deferred_to_future_spec', message, 'spec.kind')
  }
  if (kind !== 'preset' && kind !== 'screen') {
    throw invalidInput('kind_unknown', 'The kind must be preset or screen', 'spec.kind')
  }
  if (kind === 'preset') {
    const id = fieldOf(fieldOf(spec, 'preset'), 'id')
    if (typeof id !== 'string') {
      throw invalidInput('preset_missing', 'Name a preset by its id', 'spec.preset.id')
    }
    if (!isOneOf(PRESET_IDS, id)) {
      const message = `Unknown preset. Choose one of ${PRESET_IDS.join(', ')}`
      throw invalidInput('preset_unknown_id', message, 'spec.preset.id')
    }
    return { kind, preset: { id } }
  }
  const sources = fieldOf(spec, 'sources')
  if (!Array.isArray(sources)) {
    throw invalidInput('screen_sources_missing', 'A screen needs a list of sources', 'spec.sources')
  }
  if (sources.length === 0) {
    throw invalidInput('screen_sources_empty', 'A screen needs one source', 'spec.sources')
  }
  const screenSources = sources.filter((source) => isOneOf(SCREEN_SOURCES, source))
  if (screenSources.length < sources.length) {
    const message = `Unknown source. Choose one of ${SCREEN_SOURCES.join(', ')}`
    throw invalidInput('screen_source_unknown', message, 'spec.sources')
  }
  const [source, second] = screenSources
  if (source === undefined || second !== undefined) {
    throw invalidInput('screen_sources_too_many', 'A screen has one source', 'spec.sources')
  }
  return { kind, sources: [source] }
}

function filtersIn(spec: object): PanelFilters | undefined {
  const filters = fieldOf(spec, 'filters')
  if (filters === undefined) return undefined
  if (!isObject(filters)) {
    throw invalidInput('filters_invalid', 'Filters must be an object', 'spec.filters')
  }
  const probability = probabilityIn(filters)
  const window = fieldOf(filters, 'window')
  if (window !== undefined && !isOneOf(SCREEN_WINDOWS, window)) {
    const message = `The window must be one of ${SCREEN_WINDOWS.join(', ')}`
    throw invalidInput('filters_window_invalid', message, 'spec.filters.window')
  }
  const tickers = tickersIn(filters)
  return {
    ...(probability !== undefined && { probability }),
    ...(window !== undefined && { window }),
    ...(tickers !== undefined && { tickers }),
  }
}

function probabilityIn(filters: object): PanelFilters['probability'] {
  const probability = fieldOf(filters, 'probability')
  if (probability === undefined) return undefined
  const [min, max] = [fieldOf(probability, 'min'), fieldOf(probability, 'max')]
  const isBound = (value: unknown): value is number | undefined =>
    value === undefined || (typeof value === 'number' && value >= 0 && value <= 1)
  const isRange = isObject(probability) && isBound(min) && isBound(max)
  if (!isRange || (min !== undefined && max !== undefined && min > max)) {
    throw invalidInput(
      'filters_probability_out_of_range',
      'Probabilities must be between 0 and 1, the lower bound first',
      'spec.filters.probability',
    )
  }
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

function tickersIn(filters: object): string[] | undefined {
  const tickersValue = fieldOf(filters, 'tickers')
  if (tickersValue === undefined) return undefined
  const field = 'spec.filters.tickers'
  const different = new Set<unknown>(
    Array.isArray(tickersValue)
      ? tickersValue.map((item: unknown) =>
          typeof item === 'string' ? canonicalTicker(item) : item,
        )
      : [],
  )
  if (different.size > MAX_TICKERS) {
    throw invalidInput('filters_tickers_too_many', `At most ${MAX_TICKERS} tickers`, field)
  }
  const isTicker = (value: unknown): value is string =>
    typeof value === 'string' && value.length > 0 && value.length <= MAX_TICKER_LENGTH
  const isList = Array.isArray(tickersValue) && tickersValue.every(isTicker)
  if (!isList) {
    const message = `Tickers must be a list of texts of 1 to ${MAX_TICKER_LENGTH} characters`
    throw invalidInput('filters_tickers_invalid', message, field)
  }
  return [...different].filter(isTicker)
}

function displayIn(spec: object): PanelSpec['display'] {
  const field = 'spec.display.visualization'
  const display = fieldOf(spec, 'display')
  const visualization = isObject(display) ? fieldOf(display, 'visualization') : undefined
  if (visualization === undefined || visualization === null) {
    throw invalidInput('display_missing', 'A panel needs a visualization', field)
  }
  if (isOneOf(DEFERRED_VISUALIZATIONS, visualization)) {
    const message = `The visualization ${visualization} is not available yet`
    throw invalidInput('display_visualization_deferred_to_future_spec', message, field)
  }
  if (!isOneOf(VISUALIZATIONS, visualization)) {
    const message = `The visualization must be one of ${VISUALIZATIONS.join(', ')}`
    throw invalidInput('display_visualization_invalid', message, field)
  }
  return { visualization }
}

function scheduleIn(spec: object, bounds: PanelBounds): PanelSpec['schedule'] {
  const schedule = fieldOf(spec, 'schedule')
  if (schedule === undefined) return undefined
  const mode = isObject(schedule) ? fieldOf(schedule, 'mode') : undefined
  if (mode !== 'manual' && mode !== 'interval') {
    const message = 'The schedule must be manual or interval'
    throw invalidInput('schedule_mode_invalid', message, 'spec.schedule.mode')
  }
  if (mode === 'manual') return { mode }
  const field = 'spec.schedule.cadenceMinutes'
  const minutes = fieldOf(schedule, 'cadenceMinutes') ?? fieldOf(schedule, 'cadence')
  if (typeof minutes !== 'number' || !Number.isFinite(minutes)) {
    throw invalidInput('schedule_cadence_missing', 'An interval needs a cadence in minutes', field)
  }
  const { minRefreshSeconds, appUrl } = bounds
  if (minutes * 60 < minRefreshSeconds - CADENCE_TOLERANCE_SECONDS) {
    throw invalidInput(
      'schedule_cadence_below_tier_floor',
      `Your tier refreshes panels at most every ${minRefreshSeconds} s`,
      field,
      { minRefreshSeconds, upgrade: upgradeAt(appUrl) },
    )
  }
  return { mode, cadenceMinutes: Math.min(minutes, MAX_CADENCE_MINUTES) }
}
