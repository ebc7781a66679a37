import { holdsWith } from '../../scripts/property-run.ts'
import type { TortureCampaign, TortureFigure } from './campaign.ts'

const FILES = [
  'backend/features/portfolio/live/kill-live-order.test.ts',
  'backend/features/portfolio/autopilot/kill-tick.test.ts',
]
/** Kills of a round: five steps of an order at two venues, and five of a tick. */
const KILLS = 15

/** Kills at every step of an order and of a tick. */
export const killOrders: TortureCampaign = {
  name: 'kill-orders',
  about: 'kill -9 at every step of live orders and of ticks: none lost, none doubled',
  rounds: 50,
  async run({ rounds, seed }) {
    const holds = await holdsWith(seed, FILES, rounds)
    return [
      { name: 'kills', value: rounds * KILLS },
      {
        name: 'orders lost or doubled',
        value: holds ? 'none' : 'see above',
        goal: 'none',
        met: holds,
      },
    ] satisfies TortureFigure[]
  },
}
