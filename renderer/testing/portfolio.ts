import { fireEvent, screen } from '@testing-library/svelte'
import type { Component } from 'svelte'
import type { ServedDecision, ServedTick } from '../../backend/contract/orders/ticks.ts'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'
import { pageUnderTest, type Writes } from './page-under-test.ts'
import { AT, OWNER, renderSignedIn } from './signed-in.svelte.ts'

export const PAGE = { limit: 200, nextCursor: null, hasMore: false }
export const position = {
  id: 'paper:venue_a:KX',
  mode: 'paper',
  venue: 'venue_a',
  marketId: 'KX',
  marketTitle: 'Rate cut in December?',
  direction: 'no',
  quantity: 40,
  avgPriceCents: 41.25,
  currentPriceCents: 44,
  stale: true,
  valueCents: 1_760,
  unrealizedPnlCents: 110,
  realizedPnlCents: -250,
  status: 'open',
  openedAt: AT,
}
export const risk = {
  asOf: AT,
  enabled: false,
  mode: 'paper',
  balance: { totalCents: 498_350, minBalanceCents: 10_000 },
  exposure: {
    usedCents: 240_000,
    limitCents: 300_000,
    perMarket: [
      { marketId: 'KX', marketTitle: 'Rate cut?', usedCents: 1_650, limitCents: 100_000 },
    ],
  },
  dailyLoss: { usedCents: 0, limitCents: 15_000 },
  drawdown: {
    usedCents: 50_000,
    limitCents: 50_000,
    warnCents: 30_000,
    peakEquityCents: 550_000,
    equityCents: 500_000,
  },
  positions: { used: 1, limit: 20 },
  cooldown: { ticksSinceLoss: null, required: 4, active: false },
  staleData: false,
  staleReasons: [],
  halted: null,
  lastTick: null,
  nextRunAt: null,
}
export const config = {
  cronExpression: '0 7,19 * * *',
  credentialsUpdatedAt: { venue_a: null, venue_b: null },
  maxOrdersPerTick: 3,
  maxSingleOrderCents: 20_000,
  minTauDays: 3,
  minEdgeCents: 1.5,
  excludeCategories: ['sports'],
  cooldownAfterLossTicks: 4,
  maxTotalExposureCents: 300_000,
  maxPerMarketCents: 100_000,
  maxPositions: 20,
  minBalanceCents: 10_000,
  maxDailyLossCents: 15_000,
  drawdownWarnCents: 30_000,
  maxDrawdownHaltCents: 50_000,
  minAdjIy: 100,
  maxLas: 0.15,
  minThesisConfidence: 0,
  crossVenuePairsEnabled: false,
  decisionModel: 'tier:medium',
  monthlyModelBudgetUsd: 15,
  paperStartBalanceCents: 500_000,
  paperFill: 'touch',
  executionMode: 'dry-run',
  withoutEffect: ['decisionModel', 'crossVenuePairsEnabled', 'tickIntervalMinutes'],
  schedule: { lastError: null },
}
export const gate = (name: string, passed: boolean, value: number, limit: number) => ({
  gate: name,
  passed,
  value,
  limit,
  note: null,
})
export const decision = {
  n: 1,
  kind: 'entry',
  action: 'buy',
  marketId: 'KX',
  marketTitle: 'Rate cut?',
  direction: 'yes',
  quantity: 10,
  limitPriceCents: 44,
  reason: '44¢ is at or below the entry of 50¢',
  gates: [gate('single_order', false, 440, 400), gate('tau', true, 12, 3)],
  outcome: 'rejected_by_gate',
  filledQuantity: 0,
  avgFillPriceCents: null,
} as unknown as ServedDecision
export const tick = {
  id: 'pt_1',
  tickAt: AT,
  trigger: 'schedule',
  status: 'completed',
  skipReason: null,
  error: null,
  haltTriggered: false,
  decisions: [decision],
  actionsCount: 1,
  gatesFailed: 1,
  handoffNote: 'Orders: 1 decided',
  portfolioValueCents: 500_000,
  dailyPnlCents: -120,
  drawdownCents: 120,
  tickDurationMs: 63,
} as unknown as ServedTick
export const entry = {
  id: 'le_1',
  eventType: 'fill',
  occurredAt: AT,
  marketId: 'KX',
  marketTitle: 'Rate cut?',
  action: 'buy',
  direction: 'yes',
  quantity: 10,
  priceCents: 44,
  cashDeltaCents: -457,
  feeCents: 17,
  openFeeDeltaCents: 0,
  realizedPnlCents: null,
  result: null,
  note: null,
  source: 'import_venue_a',
  payload: {},
}
export const sums = {
  pnlCents: 1_250,
  realizedPnlCents: 1_500,
  unrealizedPnlDeltaCents: -250,
  feeCents: 34,
  openFeeDeltaCents: 0,
  slippageCents: 5,
  fills: 2,
  cashDeltaCents: 0,
  positionDelta: 0,
  settlements: 0,
  entries: 2,
}
export const attribution = {
  from: '2026-10-22',
  to: '2026-11-20',
  rows: [{ keys: { marketId: 'KX' }, label: 'Rate cut?', ...sums }],
  totals: sums,
  unknown: sums,
}

export const daily = {
  from: '2026-11-18',
  to: '2026-11-20',
  rows: [
    { date: '2026-11-18', keys: {}, label: null, ...sums, pnlCents: 4_000 },
    { date: '2026-11-20', keys: {}, label: null, ...sums, pnlCents: -1_000 },
  ],
}

const answers =
  (scene: Partial<Record<'risk' | 'config' | 'ticks' | 'positions' | 'attribution', object>>) =>
  (path: string): object | null => {
    if (path.startsWith('/api/auth/me')) return OWNER
    if (path.includes('/positions')) {
      return scene.positions ?? { data: [position], pageInfo: PAGE }
    }
    if (path.includes('/risk')) return scene.risk ?? risk
    if (path.includes('/config')) return scene.config ?? config
    if (path.includes('/ticks')) return scene.ticks ?? { data: [tick], pageInfo: PAGE }
    if (path.includes('/attribution/daily')) return daily
    if (path.includes('/attribution')) return scene.attribution ?? attribution
    return path.includes('/ledger') || path.includes('/fills')
      ? { data: [entry], pageInfo: { ...PAGE, nextCursor: 'c1', hasMore: true } }
      : null
  }
type Drawn = Component<{ terminal: Terminal; pane: Pane }>
export async function show(drawn: Drawn, line: string, scene: object = {}, writes?: Writes) {
  const page = pageUnderTest(answers(scene), writes)
  const pane = page.paneOf(line)
  await renderSignedIn(drawn, page.terminal, pane)
  return { ...page, pane }
}
export const cells = () =>
  screen.getAllByRole('gridcell').map(({ textContent }) => textContent.trim())
export const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent
export const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
