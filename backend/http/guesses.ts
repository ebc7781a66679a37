import type { Clock } from '../lib/clock.ts'
import { RateLimited } from '../lib/errors.ts'
import { createSlots, type Slots } from '../lib/slots.ts'
import type { RateLimiter } from './rate-limit.ts'

/** Slow checks of secrets that nobody is known by yet. */
export interface Guesses {
  /**
   * Runs a check for an address, when its turn comes among those of the same address: however many
   * secrets one tries at once, the checks of others wait for two of them at most.
   * @throws RateLimited where the address has failed too often by then, NotReady when it waits too long
   */
  run<T>(address: string, check: () => Promise<T>): Promise<T>
}

const AT_ONCE = { slots: 2, patience: 5_000, waiting: 1_000 } as const

interface Lane {
  readonly slots: Slots
  asked: number
}

/** @param limiter whose general class counts failed credentials by address */
export function createGuesses(limiter: RateLimiter, clock: Clock): Guesses {
  const lanes = new Map<string, Lane>()
  const refuseWhenFull = (address: string): void => {
    const standing = limiter.standing('general', address)
    if (standing !== null && standing.used >= standing.limit) {
      throw new RateLimited(Math.max(1, Math.ceil(standing.resetIn / 1_000)))
    }
  }
  return {
    async run(address, check) {
      const refusal = 'Too many keys of your address are being checked'
      const lane = lanes.get(address) ?? {
        slots: createSlots({ ...AT_ONCE, refusal }, clock),
        asked: 0,
      }
      lanes.set(address, lane)
      lane.asked += 1
      try {
        return await lane.slots.run(() => {
          refuseWhenFull(address)
          return check()
        })
      } finally {
        lane.asked -= 1
        if (lane.asked === 0) lanes.delete(address)
      }
    },
  }
}
