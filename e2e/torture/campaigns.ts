import { asOf } from './as-of.ts'
import type { TortureCampaign } from './campaign.ts'
import { clockJumps } from './clock-jumps.ts'
import { corruption } from './corruption.ts'
import { damage } from './damage.ts'
import { diskFull } from './disk-full.ts'
import { diskFullService } from './disk-full-service.ts'
import { eventLoop } from './event-loop.ts'
import { forum } from './forum.ts'
import { imports } from './imports.ts'
import { importsKilled } from './imports-killed.ts'
import { kill } from './kill.ts'
import { killOrders } from './kill-orders.ts'
import { killState } from './kill-state.ts'
import { memoryLimit } from './memory-limit.ts'
import { properties } from './properties.ts'
import { replayAbort } from './replay-abort.ts'
import { secondOpener } from './second-opener.ts'
import { slowClients } from './slow-clients.ts'
import { soak } from './soak.ts'
import { socketAbuse } from './socket-abuse.ts'
import { upgrade } from './upgrade.ts'
import { venueFaults } from './venue-faults.ts'
import { writes } from './writes.ts'

/** Every campaign, in the order of the fault catalogue. */
export const CAMPAIGNS: readonly TortureCampaign[] = [
  kill,
  imports,
  importsKilled,
  killState,
  killOrders,
  writes,
  diskFull,
  diskFullService,
  corruption,
  damage,
  replayAbort,
  socketAbuse,
  clockJumps,
  venueFaults,
  secondOpener,
  upgrade,
  slowClients,
  forum,
  eventLoop,
  memoryLimit,
  asOf,
  properties,
  soak,
]
