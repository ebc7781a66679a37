import type { TortureCampaign } from './campaign.ts'
import { clockJumps } from './clock-jumps.ts'
import { corruption } from './corruption.ts'
import { kill } from './kill.ts'
import { slowClients } from './slow-clients.ts'
import { socketAbuse } from './socket-abuse.ts'
import { venueFaults } from './venue-faults.ts'

/** Every campaign by the order of the fault catalogue. */
export const CAMPAIGNS: readonly TortureCampaign[] = [
  kill,
  corruption,
  socketAbuse,
  clockJumps,
  venueFaults,
  slowClients,
]
