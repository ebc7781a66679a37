import { DAY, MINUTE } from '../../domain/units.ts'
import type { Venue } from '../../domain/market.ts'
import { mix, normal, unit } from '../randomness.ts'
import type { Key } from '../randomness.ts'
import { valueNoise } from '../walk.ts'
import { displacementAt } from './dislocation.ts'
import { lastInstant } from './event-state.ts'
import type { EventState } from './event-state.ts'

export interface ViewOptions {
  /** Key of the event on both venues, and of its listing on this one. */
  readonly event: Key
  readonly listing: Key
  readonly venue: Venue
  readonly state: EventState
  readonly outcomes: number
  /** The probabilities of the outcomes always sum to one. */
  readonly exclusive: boolean
  /** The event is listed on the other venue too. */
  readonly paired: boolean
  /** The venue settles by a rule that only it has. */
  readonly hasOwnTerms: boolean
  /** Both venues ask the same question, so a price difference is a dislocation. */
  readonly twinned: boolean
  readonly endsAt: number
}

/** Random log odds that venues add; those of venue_b are larger. */
const NOISE: Record<Venue, number> = { venue_a: 0.02, venue_b: 0.035 }
const NOISE_SPAN = 40 * MINUTE

/**
 * How a venue prices an event: its state with a delay of seconds and a small error. All outcomes
 * shift together, so that exclusive outcomes still sum to one and ladders stay monotone.
 */
export function venueView(options: ViewOptions): EventState {
  const { state, event, listing, venue, outcomes } = options
  const isSlow = unit(event, 61) < 0.5 === (venue === 'venue_a')
  const lag = isSlow && options.paired ? 15_000 + unit(event, 62) * 90_000 : 0
  const opinion = options.hasOwnTerms ? 0.2 * normal(listing, 63) : 0
  const shift = lastInstant((at: number): number => {
    const fade = Math.max(0, Math.min(1, (options.endsAt - at) / (5 * DAY)))
    const displacement = options.twinned ? displacementAt(event, venue, at) : 0
    return opinion * fade + displacement + NOISE[venue] * valueNoise(listing, at, NOISE_SPAN)
  })
  if (!options.exclusive)
    return (outcome, at) => {
      const chance = state(outcome, at - lag)
      return chance <= 0 || chance >= 1
        ? chance
        : 1 / (1 + Math.exp(-Math.log(chance / (1 - chance)) - shift(at)))
    }
  // Half of the outcomes gain the amount that the others lose.
  const gains = Array.from({ length: outcomes }, (_, i) => mix(event, 64) % 2 === i % 2)
  const probabilities = lastInstant((at: number): number[] => {
    const factor = Math.exp(shift(at))
    const weights = gains.map((gain, i) => state(i, at - lag) * (gain ? factor : 1))
    const sum = weights.reduce((a, b) => a + b, 0)
    return weights.map((weight) => weight / sum)
  })
  return (outcome, at) => probabilities(at)[outcome] ?? 0
}
