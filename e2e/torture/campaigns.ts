import type { TortureCampaign } from './campaign.ts'
import { corruption } from './corruption.ts'
import { kill } from './kill.ts'
import { socketAbuse } from './socket-abuse.ts'

/** Every campaign by the order of the fault catalogue. */
export const CAMPAIGNS: readonly TortureCampaign[] = [kill, corruption, socketAbuse]
