import type { TortureCampaign } from './campaign.ts'

/** Every campaign by the order of the fault catalogue. */
export const CAMPAIGNS: readonly TortureCampaign[] = []
