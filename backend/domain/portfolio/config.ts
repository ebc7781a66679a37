import type { GateLimits } from './risk-gates.ts'

export const EXECUTION_MODES = ['dry-run', 'live', 'halted'] as const
export const PAPER_FILL_RULES = ['touch', 'cross'] as const
export type PaperFillRule = (typeof PAPER_FILL_RULES)[number]

/** A user's portfolio configuration; money in cents. */
export interface PortfolioConfig extends GateLimits {
  readonly cronExpression: string
  readonly decisionModel: string
  /** Budget for the models of ticks in a UTC month, dollars; 0 for no limit. */
  readonly monthlyModelBudgetUsd: number
  readonly maxDrawdownHaltCents: number
  readonly drawdownWarnCents: number
  readonly crossVenuePairsEnabled: boolean
  readonly tickIntervalMinutes: number
  readonly paperStartBalanceCents: number
  readonly paperFill: PaperFillRule
}

export const DEFAULT_CONFIG: PortfolioConfig = {
  enabled: false,
  executionMode: 'dry-run',
  cronExpression: '0 7,19 * * *',
  decisionModel: 'tier:medium',
  monthlyModelBudgetUsd: 15,
  maxTotalExposureCents: 300_000,
  maxPerMarketCents: 100_000,
  maxDailyLossCents: 15_000,
  maxPositions: 20,
  minBalanceCents: 10_000,
  maxOrdersPerTick: 3,
  maxSingleOrderCents: 20_000,
  cooldownAfterLossTicks: 4,
  maxDrawdownHaltCents: 50_000,
  drawdownWarnCents: 30_000,
  excludeCategories: ['sports', 'esports'],
  minAdjIy: 100,
  maxLas: 0.15,
  minTauDays: 3,
  crossVenuePairsEnabled: false,
  minEdgeCents: 0,
  minThesisConfidence: 0,
  tickIntervalMinutes: 720,
  paperStartBalanceCents: 500_000,
  paperFill: 'touch',
}

/** Fields that are stored and have no effect. */
export const FIELDS_WITHOUT_EFFECT = [
  'tickIntervalMinutes',
] as const satisfies readonly (keyof PortfolioConfig)[]

/** Bounds of the integers of a configuration, and of its other numbers. */
export const INTEGER_BOUNDS: Readonly<
  Partial<Record<keyof PortfolioConfig, readonly [number, number]>>
> = {
  maxTotalExposureCents: [0, 1e11],
  maxPerMarketCents: [0, 1e11],
  maxDailyLossCents: [0, 1e11],
  minBalanceCents: [0, 1e11],
  maxSingleOrderCents: [0, 1e11],
  maxDrawdownHaltCents: [1, 1e11],
  drawdownWarnCents: [1, 1e11],
  maxPositions: [0, 1000],
  maxOrdersPerTick: [0, 100],
  cooldownAfterLossTicks: [0, 1000],
  tickIntervalMinutes: [1, 10_080],
  paperStartBalanceCents: [0, 1e11],
}
export const NUMBER_BOUNDS: Readonly<
  Partial<Record<keyof PortfolioConfig, readonly [number, number]>>
> = {
  minAdjIy: [0, 1_000_000],
  maxLas: [0, 10],
  minTauDays: [0, 3650],
  minEdgeCents: [0, 100],
  minThesisConfidence: [0, 1],
  monthlyModelBudgetUsd: [0, 1_000_000],
}
