import type { Ticker } from '../market.ts'
import { changeId, type ChangeEvent } from '../prices/price-moves.ts'
import type { RegimeSide } from '../regime/label.ts'
import { roundTo } from '../units.ts'
import type { Cents, Millis } from '../units.ts'

/** Events of derived quantities; those of prices and facts are in `price-moves.ts`. */
export type TriggerType = 'volume_spike' | 'spread_change' | 'regime_change'

/** One event; `at` is the quarter hour at which its condition first held. */
export type TriggerEvent = ChangeEvent<TriggerType>

export interface TriggerParams {
  /** Volume ratio that triggers a spike, and the ratio below which the trigger is rearmed. */
  readonly spikeFrom: number
  readonly spikeRearm: number
  /**
   * Multiple of the median and cents from which a spread is wide, and the multiple below which it
   * is normal.
   */
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

/** State of a market's triggers between two quarter hours. */
export interface TriggerState {
  readonly spikeArmed: boolean
  readonly isWide: boolean
  /** Last known values, the `before` of the next event. */
  readonly vr: number | null
  readonly spread: Cents | null
  readonly label: RegimeSide | null
}
export const NEW_TRIGGERS: TriggerState = {
  spikeArmed: true,
  isWide: false,
  vr: null,
  spread: null,
  label: null,
}

/** A market's quantities at a quarter hour; an unknown one leaves its state unchanged. */
export interface TriggerReading {
  readonly vr: number | null
  readonly spread: Cents | null
  readonly medianSpread7d: Cents | null
  readonly label: RegimeSide | null
}

interface Step {
  readonly state: TriggerState
  readonly events: readonly TriggerEvent[]
}

/**
 * Advances the triggers of a market by one quarter hour: returns the new state and the events. A
 * spike is emitted once until the ratio fell below the lower bound; a spread when it becomes wide
 * and when it is normal again; a label when it differs from the previous one (the first is no
 * event). Methodology F6.
 */
export function stepTriggers(
  state: TriggerState,
  reading: TriggerReading,
  ticker: Ticker,
  at: Millis,
  params: TriggerParams = TRIGGER_PARAMS,
): Step {
  const events: TriggerEvent[] = []
  const report = (type: TriggerType, before: number | string | null, after: number | string) => {
    const isNumeric = typeof before === 'number' && typeof after === 'number'
    const delta = isNumeric ? roundTo(after - before, 4) : null
    events.push({ id: changeId(type, ticker, at), type, at, before, after, delta })
  }
  const { vr, spread, label } = reading
  let { spikeArmed } = state
  if (vr !== null && spikeArmed && vr >= params.spikeFrom) {
    report('volume_spike', state.vr === null ? null : roundTo(state.vr, 3), roundTo(vr, 3))
    spikeArmed = false
  } else if (vr !== null && vr < params.spikeRearm) spikeArmed = true

  const isWide = spreadIsWide(state.isWide, reading, params)
  if (isWide !== state.isWide && spread !== null) report('spread_change', state.spread, spread)
  if (label !== null && state.label !== null && label !== state.label) {
    report('regime_change', state.label, label)
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
