import { expect, it } from 'vitest'
import { TIERS, type Tier } from './tiers.ts'

// The table of contract/accounts.md 1.1.
it.each<[Tier, number, number, number, number, number]>([
  ['free', 3, 1, 300, 300, 600],
  ['hobby', 12, 5, 60, 60, 1_200],
  ['pro', 50, 25, 15, 15, 3_000],
  ['institutional', 200, 100, 5, 5, 60_000],
])('the limits of %s are those of the contract', (tier, ...limits) => {
  const { tier: name, ...row } = TIERS[tier]
  expect(name).toBe(tier)
  expect([
    row.panelCap,
    row.screenPanelCap,
    row.minRefreshSeconds,
    row.manualRefreshCooldownSeconds,
    row.requestsPerMinute,
  ]).toEqual(limits)
})
