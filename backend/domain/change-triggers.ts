import type { Ticker } from './market.ts'
import { changeId, type ChangeEvent } from './price-moves.ts'
import type { RegimeLabel } from './regime-label.ts'
import { roundTo } from './units.ts'
import type { Cents, Millis } from './units.ts'

/** Events that derived quantities tell; those of prices and facts are in `price-moves.ts`. */
export type TriggerType = 'volume_spike' | 'spread_change' | 'regime_change'

/** One event; `at` is the grid instant at which it first was true. */
export type TriggerEvent = ChangeEvent<TriggerType>

export interface TriggerParams {
  /** Volume ratios that raise a spike, and below which the next may come. */
  readonly spikeFrom: number
  readonly spikeRearm: number
  /** A spread is wide from this many medians and cents on, and back under so many medians. */
  readonly wideTimes: number
  readonly wideCents: number
  readonly backTimes: number
}
export const TRIGGER_PARAMS: TriggerParams = {
  spikeFrom: 3,
  spikeRearm: 1.5,
  wideTimes: 3,
  wideCents: 5,
  backTimes: 1.5,
}

/** What a market's triggers remember from one grid instant to the next. */
export interface TriggerState {
  readonly spikeArmed: boolean
  readonly isWide: boolean
  /** Last known values, what the next event's `before` is. */
  readonly vr: number | null
  readonly spread: Cents | null
  readonly label: RegimeLabel | null
}
export const NEW_TRIGGERS: TriggerState = {
  spikeArmed: true,
  isWide: false,
  vr: null,
  spread: null,
  label: null,
}

/** A market's quantities at a grid instant; an unknown one leaves its state as it was. */
export interface TriggerReading {
  readonly vr: number | null
  readonly spread: Cents | null
  readonly medianSpread7d: Cents | null
  readonly label: RegimeLabel | null
}

interface Step {
  readonly state: TriggerState
  readonly events: readonly TriggerEvent[]
}

/**
 * The triggers of a market at one grid instant: state after it and what became true. A spike is told
 * once until the ratio fell below the lower bound; a wide spread when it becomes wide and when it is
 * back; a label when it differs from the last one (the first is no event). Methodology F6.
 */
export function stepTriggers(
  state: TriggerState,
  reading: TriggerReading,
  ticker: Ticker,
  at: Millis,
  params: TriggerParams = TRIGGER_PARAMS,
): Step {
  const events: TriggerEvent[] = []
  const tell = (type: TriggerType, before: number | string | null, after: number | string) => {
    const isNumeric = typeof before === 'number' && typeof after === 'number'
    const delta = isNumeric ? roundTo(after - before, 4) : null
    events.push({ id: changeId(type, ticker, at), type, at, before, after, delta })
  }
  const { vr, spread, label } = reading
  let { spikeArmed } = state
  if (vr !== null && spikeArmed && vr >= params.spikeFrom) {
    tell('volume_spike', state.vr, vr)
    spikeArmed = false
  } else if (vr !== null && vr < params.spikeRearm) spikeArmed = true

  const isWide = spreadIsWide(state.isWide, reading, params)
  if (isWide !== state.isWide && spread !== null) tell('spread_change', state.spread, spread)
  if (label !== null && state.label !== null && label !== state.label) {
    tell('regime_change', state.label, label)
  }
  return {
    state: {
      spikeArmed,
      isWide,
      vr: vr ?? state.vr,
      spread: spread ?? state.spread,
      label: label ?? state.label,
    },
    events,
  }
}

function spreadIsWide(wasWide: boolean, reading: TriggerReading, params: TriggerParams): boolean {
  const { spread, medianSpread7d: median } = reading
  if (spread === null || median === null) return wasWide
  if (wasWide) return spread >= roundTo(params.backTimes * median, 6)
  return spread >= params.wideCents && spread >= roundTo(params.wideTimes * median, 6)
}
