import type { Tick } from '../../domain/portfolio/tick.ts'
import { roundTo, type Millis, type MoneyE6 } from '../../domain/units.ts'
import { byVenue, venueFields } from '../../domain/venue.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { insertDelivery } from '../../state/delivery-rows.ts'
import { plainNotice, type EventOutbox } from '../../state/event-outbox.ts'
import type { AccountFigures, AccountReads } from './account-figures.ts'
import { centsShown, dailyPnlShown } from './intent-served.ts'
import type { PaperAccounts } from './paper-accounts.ts'
import type { PaperReset, ServedRisk, ServedState } from '../../contract/portfolio.ts'
import { dollars, haltTriggered } from './autopilot/portfolio-events.ts'
import type { TicksSinceLoss } from './autopilot/cooldown.ts'
import { nextRuns } from './autopilot/schedule.ts'
import type { TicksStore } from './autopilot/ticks.store.ts'
import type { ReadCredentialPresence } from './credentials/credentials.ts'
import type { TransactionalWrite, PortfolioRecord, PortfolioStore } from './portfolio.store.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'

const MAX_MARKETS = 10

export interface AccountService {
  /** The last report; null before the first trade. */
  state(userId: string): Promise<ServedState | null>
  risk(userId: string): Promise<ServedRisk>
  /** @throws InvalidInput unless it is confirmed */
  resetPaper(userId: string, body: unknown): Promise<PaperReset>
  /**
   * Updates the report after an account changed, and halts an account that lost too much. The
   * caller holds the user's queue.
   */
  report(userId: string, options?: ReportOptions): Promise<AccountSummary>
}

export interface ReportOptions {
  /** Restarts the highest equity at the current one. */
  readonly isReset?: boolean
  /** Returns the tick that ends with this report, and writes it in the same transaction. */
  readonly finish?: (summary: AccountSummary) => {
    readonly tick: Tick
    readonly write: TransactionalWrite
  }
}

/** The figures of a report. */
export interface AccountSummary {
  readonly figures: AccountFigures
  readonly drawdownCents: number
  /** Whether this report halted the account. */
  readonly isHalting: boolean
}

/** A warning is given again after the drawdown fell below this share of its limit. */
const WARNING_RESET_SHARE = 0.8

export function createAccountService(deps: {
  readonly portfolios: PortfolioStore
  readonly accounts: PaperAccounts
  readonly reads: AccountReads
  readonly ticks: Pick<TicksStore, 'last'>
  readonly ticksSinceLoss: TicksSinceLoss
  readonly outbox: EventOutbox
  readonly credentials: ReadCredentialPresence
  /** Profit so far of unknown attribution. */
  readonly unknownPnl: (userId: string) => Promise<MoneyE6>
  readonly userQueue: PerUserQueue
  readonly clock: Clock
}): AccountService {
  const { portfolios, accounts, reads, ticks, ticksSinceLoss, outbox, userQueue, clock } = deps
  const { unknownPnl } = deps

  const report = async (
    userId: string,
    { isReset = false, finish }: ReportOptions = {},
  ): Promise<AccountSummary> => {
    const figures = await reads.paper(userId)
    const { config, report: before } = figures.portfolio
    const equity = centsShown(figures.equity)
    const baseline = isReset
      ? equity
      : Number(before?.['peakEquityCents'] ?? config.paperStartBalanceCents)
    const peak = Math.max(baseline, equity)
    const now = clock.now()
    const drawdownCents = peak - equity
    const isHalting =
      config.executionMode !== 'halted' && drawdownCents >= config.maxDrawdownHaltCents
    const summary = { figures, drawdownCents, isHalting }
    const finished = finish?.(summary)
    const last = finished?.tick ?? (await ticks.last(userId))
    const since = await ticksSinceLoss(userId, figures.portfolio, finished?.tick)
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
        drawdownCents,
      ),
      peakEquityCents: peak,
      ticksSinceLoss: since,
      handoffNote: last?.handoffNote ?? null,
      lastTickAt: isoOrNull(last?.tickAt ?? null),
      lastReconcileAt: null,
      lastReconcileStatus: null,
      mismatches: [],
      updatedAt: isoOf(now),
    }
    const warnedAt = warnedSince(figures.portfolio, drawdownCents, now)
    const isWarning = warnedAt !== null && figures.portfolio.warnedAt === null && !isHalting
    const halted = { config: { ...config, executionMode: 'halted' as const } }
    await portfolios.change(
      userId,
      {
        report: next,
        warnedAt,
        ...(isHalting && { ...halted, haltedAt: now, haltReason: 'drawdown' as const }),
      },
      now,
      async (transaction) => {
        await finished?.write(transaction)
        if (isWarning) {
          const message = `The drawdown of ${dollars(drawdownCents)} reached the warning of ${dollars(config.drawdownWarnCents)}`
          const notice = plainNotice({ userId, ruleId: null }, message, now)
          await insertDelivery(transaction, notice, null)
        }
        if (!isHalting) return
        const halt = {
          drawdownCents,
          haltCapCents: config.maxDrawdownHaltCents,
          previousExecutionMode: config.executionMode,
          equityCents: equity,
          peakEquityCents: peak,
        }
        await outbox.publish(transaction, haltTriggered(userId, halt, now))
      },
    )
    outbox.wake()
    return summary
  }

  return {
    report,
    state: async (userId) => (await portfolios.read(userId)).report as ServedState | null,
    async risk(userId) {
      const now = clock.now()
      const figures = await reads.paper(userId)
      const last = await ticks.last(userId)
      const since = await ticksSinceLoss(userId, figures.portfolio)
      const { credentials } = await deps.credentials(userId)
      const unknown = await unknownPnl(userId)
      return riskOf(figures, { now, last, since, unknownPnl: unknown, credentials })
    },
    resetPaper: (userId, body) =>
      userQueue.run(userId, async () => {
        if (new BodyFields(body).raw('confirm') !== true) {
          throw new InvalidInput('confirm must be true: the paper account is reset')
        }
        const epoch = await portfolios.beginPaper(userId, clock.now())
        accounts.forget(userId)
        await report(userId, { isReset: true })
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

/** Since when the warning of a drawdown holds; null below it. */
function warnedSince(
  { config, warnedAt }: PortfolioRecord,
  drawdownCents: number,
  now: Millis,
): Millis | null {
  const warn = config.drawdownWarnCents
  if (drawdownCents >= warn) return warnedAt ?? now
  return drawdownCents < warn * WARNING_RESET_SHARE ? null : warnedAt
}

function riskOf(
  figures: AccountFigures,
  about: {
    readonly now: Millis
    readonly last: Tick | null
    readonly since: number | null
    readonly unknownPnl: MoneyE6
    readonly credentials: ServedRisk['credentials']
  },
): ServedRisk {
  const { now, last, since, unknownPnl, credentials } = about
  const asOf = isoOf(now)
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
  const lost = Math.max(0, -dailyPnlShown(figures))
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
        .slice(0, MAX_MARKETS),
      byCategory,
    },
    dailyLoss: util(lost, config.maxDailyLossCents),
    drawdown: {
      ...util(peak - equity, config.maxDrawdownHaltCents),
      warnCents: config.drawdownWarnCents,
      warned: warnedSince(portfolio, peak - equity, now) !== null,
      peakEquityCents: peak,
      equityCents: equity,
    },
    positions: {
      used: open.length,
      limit: config.maxPositions,
      utilization: utilization(open.length, config.maxPositions),
    },
    cooldown: {
      ticksSinceLoss: since,
      required: config.cooldownAfterLossTicks,
      active: since !== null && since < config.cooldownAfterLossTicks,
    },
    staleData: stale.length > 0,
    staleReasons: stale.map((one) => `price of ${one} is outdated`),
    lastReconcileAt: null,
    lastReconcileStatus: null,
    halted: haltedAt === null ? null : { at: isoOf(haltedAt), reason: haltReason ?? 'user' },
    credentials,
    lastTick:
      last === null
        ? null
        : {
            id: last.id,
            tickAt: isoOf(last.tickAt),
            status: last.status,
            actionsCount: last.decisions.filter(({ kind }) => kind !== 'hold').length,
          },
    nextRunAt: isoOrNull(nextRuns(portfolio, now, 1)[0] ?? null),
    unknownPnlCents: centsShown(unknownPnl),
  }
}
