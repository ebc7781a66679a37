import type { BoardTier, Hydration, Panel } from '../../backend/contract/panels/panels.ts'

const AT = '2026-11-20T10:00:00.000Z'

export const freeTier: BoardTier = {
  panelCap: 3,
  screenPanelCap: 1,
  minRefreshSeconds: 300,
  manualRefreshCooldownSeconds: 300,
  currentPanelCount: 2,
  currentScreenPanelCount: 1,
  name: 'free',
}

/** A panel of movers that was just refreshed. */
export const panel = (id: string, change: Partial<Panel> = {}): Panel => ({
  id,
  title: `Panel ${id}`,
  kind: 'preset',
  status: 'active',
  sortIdx: 0,
  refreshFloorSeconds: 300,
  spec: {
    version: 1,
    kind: 'preset',
    preset: { id: 'movers_volume_z' },
    display: { visualization: 'table' },
    schedule: { mode: 'manual' },
  },
  createdAt: AT,
  updatedAt: AT,
  lastRunAt: AT,
  lastError: null,
  nextRunAt: null,
  cooldownUntil: null,
  payload: {
    kind: 'movers_volume_z',
    window: '24h',
    movers: [
      {
        ticker: 'KXOIL-1',
        venue: 'venue_a',
        title: 'Oil above 100?',
        price: 41,
        url: '',
        delta: 5,
        from: 36,
        volume24h: 1_200,
        volumeZ: 2.5,
      },
    ],
  },
  sourceClock: { source: 'quotes', asOf: AT, ageSeconds: 0, stale: false },
  cacheState: 'fresh',
  executionStatus: 'success-fresh',
  ...change,
})

export const boardOf = (
  panels: readonly Panel[],
  generatedAt: string,
  tier: BoardTier = freeTier,
): Pick<Hydration, 'panels' | 'generatedAt' | 'tier'> => ({
  panels: [...panels],
  generatedAt,
  tier: {
    ...tier,
    currentPanelCount: panels.length,
    currentScreenPanelCount: panels.filter(({ kind }) => kind === 'screen').length,
  },
})
