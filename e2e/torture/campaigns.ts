import { asOf } from './as-of.ts'
import type { TortureCampaign } from './campaign.ts'
import { clockJumps } from './clock-jumps.ts'
import { corruption } from './corruption.ts'
import { diskFull } from './disk-full.ts'
import { diskFullService } from './disk-full-service.ts'
import { eventLoop } from './event-loop.ts'
import { kill } from './kill.ts'
import { memoryLimit } from './memory-limit.ts'
import { replayAbort } from './replay-abort.ts'
import { secondOpener } from './second-opener.ts'
import { slowClients } from './slow-clients.ts'
import { soak } from './soak.ts'
import { socketAbuse } from './socket-abuse.ts'
import { upgrade } from './upgrade.ts'
import { venueFaults } from './venue-faults.ts'

/** Every campaign by the order of the fault catalogue. */
export const CAMPAIGNS: readonly TortureCampaign[] = [
  kill,
  diskFull,
  diskFullService,
  corruption,
  replayAbort,
  socketAbuse,
  clockJumps,
  venueFaults,
  secondOpener,
  upgrade,
  slowClients,
  eventLoop,
  memoryLimit,
  asOf,
  soak,
]
