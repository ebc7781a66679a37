/** A user's tier, which sets their limits; contract/accounts.md 1.1. */
export type Tier = 'free' | 'hobby' | 'pro' | 'institutional'

/** Limits of a tier: panels, seconds, and requests per minute of the general class. */
export interface TierRow {
  readonly tier: Tier
  readonly panelCap: number
  readonly screenPanelCap: number
  readonly minRefreshSeconds: number
  readonly manualRefreshCooldownSeconds: number
  readonly requestsPerMinute: number
}

const row = (
  tier: Tier,
  [panelCap, screenPanelCap, minRefreshSeconds, manualRefreshCooldownSeconds]: readonly [
    panels: number,
    screens: number,
    refresh: number,
    cooldown: number,
  ],
  requestsPerMinute: number,
): TierRow => ({
  tier,
  panelCap,
  screenPanelCap,
  minRefreshSeconds,
  manualRefreshCooldownSeconds,
  requestsPerMinute,
})

export const TIERS: Readonly<Record<Tier, TierRow>> = {
  free: row('free', [3, 1, 300, 300], 600),
  hobby: row('hobby', [12, 5, 60, 60], 1_200),
  pro: row('pro', [50, 25, 15, 15], 3_000),
  institutional: row('institutional', [200, 100, 5, 5], 60_000),
}
