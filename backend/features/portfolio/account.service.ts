import { roundTo } from '../../domain/units.ts'
import { byVenue, venueFields } from '../../domain/venue.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import type { AccountFigures, AccountReads } from './account-figures.ts'
import { centsShown } from './intent-served.ts'
import type { PaperAccounts } from './paper-accounts.ts'
import type { PaperReset, ServedRisk, ServedState } from '../../contract/portfolio.ts'
import type { PortfolioStore } from './portfolio.store.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'

const MOST_MARKETS = 10

export interface AccountService {
  /** The last report; null before the first trade. */
  state(userId: string): Promise<ServedState | null>
  risk(userId: string): Promise<ServedRisk>
  /** @throws InvalidInput unless it is confirmed */
  resetPaper(userId: string, body: unknown): Promise<PaperReset>
  /**
   * Updates the report after an account changed, and halts an account that lost too much. The
   * caller holds the user's queue.
   * @param isReset restarts the highest equity at the current one
   */
  report(userId: string, isReset?: boolean): Promise<void>
}

export function createAccountService(deps: {
  readonly portfolios: PortfolioStore
  readonly accounts: PaperAccounts
  readonly reads: AccountReads
  readonly lanes: PerUserQueue
  readonly clock: Clock
}): AccountService {
  const { portfolios, accounts, reads, lanes, clock } = deps

  const report = async (userId: string, isReset = false): Promise<void> => {
    const figures = await reads.paper(userId)
    const { config, report: before } = figures.portfolio
    const equity = centsShown(figures.equity)
    const known = isReset
      ? equity
      : Number(before?.['peakEquityCents'] ?? config.paperStartBalanceCents)
    const peak = Math.max(known, equity)
    const now = clock.now()
    const next: ServedState = {
      userId,
      ...venueFields('BalanceCents', () => null),
      ...venueFields('PortfolioValueCents', () => null),
      totalExposureCents: centsShown(figures.exposure),
      openPositionCount: figures.open.length,
      dailyRealizedPnlCents: centsShown(figures.realizedToday),
      totalUnrealizedPnlCents: centsShown(figures.unrealized),
      maxDrawdownCents: Math.max(
        isReset ? 0 : Number(before?.['maxDrawdownCents'] ?? 0),
        peak - equity,
      ),
      peakEquityCents: peak,
      ticksSinceLoss: null,
      handoffNote: null,
      lastTickAt: isoOf(now),
      lastReconcileAt: null,
      lastReconcileStatus: null,
      mismatches: [],
      updatedAt: isoOf(now),
    }
    const isOver = config.executionMode !== 'halted' && peak - equity >= config.maxDrawdownHaltCents
    await portfolios.change(
      userId,
      {
        report: next,
        ...(isOver && {
          config: { ...config, executionMode: 'halted' as const },
          haltedAt: now,
          haltReason: 'drawdown' as const,
        }),
      },
      now,
    )
  }

  return {
    report,
    state: async (userId) => (await portfolios.of(userId)).report as ServedState | null,
    async risk(userId) {
      return riskOf(await reads.paper(userId), isoOf(clock.now()))
    },
    resetPaper: (userId, body) =>
      lanes.run(userId, async () => {
        if (new BodyFields(body).raw('confirm') !== true) {
          throw new InvalidInput('confirm must be true: the paper account is reset')
        }
        const epoch = await portfolios.beginPaper(userId, clock.now())
        accounts.forget(userId)
        await report(userId, true)
        return { ok: true, epoch }
      }),
  }
}

const utilization = (used: number, limit: number): number =>
  limit === 0 ? Number(used > 0) : roundTo(Math.max(0, used) / limit, 4)
const util = (usedCents: number, limitCents: number) => ({
  usedCents,
  limitCents,
  utilization: utilization(usedCents, limitCents),
})

function riskOf(figures: AccountFigures, asOf: string): ServedRisk {
  const { portfolio, open } = figures
  const { config, report, haltedAt, haltReason } = portfolio
  const equity = centsShown(figures.equity)
  const peak = Math.max(
    equity,
    Number(report?.['peakEquityCents'] ?? config.paperStartBalanceCents),
  )
  const byCategory: Record<string, number> = {}
  for (const { position } of open) {
    byCategory[position.category] = (byCategory[position.category] ?? 0) + centsShown(position.cost)
  }
  const stale = open.filter(({ worth }) => worth.stale).map(({ position }) => position.ticker)
  const lost = Math.max(0, -centsShown(figures.dailyPnl))
  return {
    asOf,
    executionMode: config.executionMode,
    enabled: config.enabled,
    mode: 'paper',
    balance: {
      totalCents: centsShown(figures.balance),
      ...byVenue(() => null),
      minBalanceCents: config.minBalanceCents,
      asOf,
      stale: false,
    },
    exposure: {
      ...util(centsShown(figures.exposure), config.maxTotalExposureCents),
      perMarket: open
        .map(({ position }) => ({
          marketId: position.ticker,
          marketTitle: position.marketTitle,
          usedCents: centsShown(position.cost),
          limitCents: config.maxPerMarketCents,
        }))
        .sort((a, b) => b.usedCents - a.usedCents || (a.marketId < b.marketId ? -1 : 1))
        .slice(0, MOST_MARKETS),
      byCategory,
    },
    dailyLoss: util(lost, config.maxDailyLossCents),
    drawdown: {
      ...util(peak - equity, config.maxDrawdownHaltCents),
      warnCents: config.drawdownWarnCents,
      warned: peak - equity >= config.drawdownWarnCents,
      peakEquityCents: peak,
      equityCents: equity,
    },
    positions: {
      used: open.length,
      limit: config.maxPositions,
      utilization: utilization(open.length, config.maxPositions),
    },
    cooldown: { ticksSinceLoss: null, required: config.cooldownAfterLossTicks, active: false },
    staleData: stale.length > 0,
    staleReasons: stale.map((one) => `price of ${one} is outdated`),
    lastReconcileAt: null,
    lastReconcileStatus: null,
    halted: haltedAt === null ? null : { at: isoOf(haltedAt), reason: haltReason ?? 'user' },
    credentials: byVenue(() => false),
    lastTick: null,
    nextRunAt: null,
    unknownPnlCents: 0,
  }
}
