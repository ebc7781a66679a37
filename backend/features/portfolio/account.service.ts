import type { Tick } from '../../domain/portfolio/tick.ts'
import type { Mode } from '../../domain/portfolio/ledger.ts'
import type { LiveAccount } from '../../domain/portfolio/live-account.ts'
import { reconcileText } from '../../domain/portfolio/risk-gates.ts'
import { HOUR, roundTo, type Millis, type MoneyE6 } from '../../domain/units.ts'
import { byVenue, venueFields, type Venue } from '../../domain/venue.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import { InvalidInput } from '../../lib/errors.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { insertDelivery } from '../../state/delivery-rows.ts'
import { plainNotice, type EventOutbox } from '../../state/event-outbox.ts'
import type { AccountFigures, AccountFiguresReader } from './account-figures.ts'
import { centsOfMoney, dailyPnlCents } from './intent-served.ts'
import type { PaperAccounts } from './paper-accounts.ts'
import type { PaperReset, ServedRisk, ServedState, StateChange } from '../../contract/portfolio.ts'
import { dollars, haltTriggered } from './autopilot/portfolio-events.ts'
import { reportedState } from './autopilot/reported-rows.ts'
import type { TicksSinceLoss } from './autopilot/cooldown.ts'
import { nextRuns } from './autopilot/schedule.ts'
import type { TicksStore } from './autopilot/ticks.store.ts'
import type { ReadCredentialPresence } from './credentials/credentials.ts'
import { withLiveAccount } from './live/live-exchange.ts'
import type { PortfolioRecord, PortfolioStore, TransactionalWrite } from './portfolio.store.ts'
import type { PerUserQueue } from '../../lib/per-user-queue.ts'

const MAX_MARKETS = 10

export interface AccountService {
  /** The last report; null before the first trade. */
  state(userId: string): Promise<ServedState | null>
  /**
   * Writes fields into the report of the account that the user trades with. It is a report: no gate
   * and no halt reads it, and the next tick replaces it.
   */
  putState(userId: string, change: StateChange): Promise<ServedState>
  risk(userId: string): Promise<ServedRisk>
  /** @throws InvalidInput unless it is confirmed */
  resetPaper(userId: string, body: unknown): Promise<PaperReset>
  /**
   * Updates the report of an account after it changed, and halts the one that the user trades with
   * when it lost too much. The caller holds the user's queue.
   */
  report(userId: string, options?: ReportOptions): Promise<AccountSummary>
}

export interface ReportOptions {
  /** The account; the one that the user trades with unless given. */
  readonly mode?: Mode
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
  readonly figuresReader: AccountFiguresReader
  readonly ticks: Pick<TicksStore, 'last'>
  readonly ticksSinceLoss: TicksSinceLoss
  readonly outbox: EventOutbox
  /** Called after an account was halted because it lost too much. */
  readonly onHalted: (userId: string) => void
  readonly credentials: ReadCredentialPresence
  /** Profit so far of unknown attribution. */
  readonly unknownPnl: (userId: string) => Promise<MoneyE6>
  readonly userQueue: PerUserQueue
  readonly clock: Clock
}): AccountService {
  const { portfolios, accounts, figuresReader, ticks, ticksSinceLoss, outbox, userQueue, clock } =
    deps
  const { unknownPnl } = deps

  const report = async (
    userId: string,
    { mode, isReset = false, finish }: ReportOptions = {},
  ): Promise<AccountSummary> => {
    const current = await figuresReader.current(userId)
    const isOther = mode !== undefined && mode !== current.account.mode
    const other = isOther ? await figuresReader.figuresOfMode(userId, mode) : null
    const figures = other ?? current
    const isCurrent = figures === current
    const { account, live, portfolio } = figures
    const { config } = portfolio
    const highWaterMarks = live ?? portfolio
    const equity = centsOfMoney(figures.equity)
    const now = clock.now()
    const drawdownCents = isReset ? 0 : drawdownOf(figures)
    const peak = equity + drawdownCents
    const isHalting =
      isCurrent && config.executionMode !== 'halted' && drawdownCents >= config.maxDrawdownHaltCents
    const summary = { figures, drawdownCents, isHalting }
    const completedTick = finish?.(summary)
    // Ticks of intents hand nothing on, and do not count for the cooldown.
    const isOwnTick =
      completedTick?.tick.mode === account.mode && completedTick.tick.trigger !== 'intent'
    const currentTick = isOwnTick ? completedTick.tick : null
    const last = currentTick ?? (await ticks.last(userId, account.mode))
    const lossFreeTicks = await ticksSinceLoss(userId, figures, currentTick)
    const maxDrawdownCents = Math.max(isReset ? 0 : highWaterMarks.maxDrawdownCents, drawdownCents)
    const next: ServedState = {
      userId,
      ...venueFields('BalanceCents', (venue) => balanceAt(live, venue)),
      ...venueFields('PortfolioValueCents', (venue) =>
        live === null ? null : valueAt(figures, venue),
      ),
      totalExposureCents: centsOfMoney(figures.exposure),
      openPositionCount: figures.open.length,
      dailyRealizedPnlCents: centsOfMoney(figures.realizedToday),
      totalUnrealizedPnlCents: centsOfMoney(figures.unrealized),
      maxDrawdownCents,
      peakEquityCents: peak,
      ticksSinceLoss: lossFreeTicks,
      handoffNote: last?.handoffNote ?? null,
      lastTickAt: isoOrNull(last?.tickAt ?? null),
      lastReconcileAt: isoOrNull(live?.reconciledAt ?? null),
      lastReconcileStatus: live?.status ?? null,
      mismatches: [...(live?.mismatches ?? [])],
      updatedAt: isoOf(now),
    }
    const highest = Math.max(figures.result, isReset ? -Infinity : (live?.peak ?? -Infinity))
    const warnedAt = drawdownWarnedAt(config, highWaterMarks.warnedAt, drawdownCents, now)
    const isNewWarning = warnedAt !== null && highWaterMarks.warnedAt === null
    const isWarning = isCurrent && isNewWarning && !isHalting
    // An account in the background warns once it is the current one.
    const reportedAccount = {
      report: next,
      maxDrawdownCents,
      warnedAt: isNewWarning && !isCurrent ? null : warnedAt,
    }
    const haltedConfig = { config: { ...config, executionMode: 'halted' as const } }
    await portfolios.change(
      userId,
      {
        ...(live === null
          ? { ...reportedAccount, peakCents: peak }
          : {
              live: withLiveAccount(portfolio, {
                ...live,
                ...reportedAccount,
                peak: highest as MoneyE6,
              }),
            }),
        ...(isHalting && { ...haltedConfig, haltedAt: now, haltReason: 'drawdown' as const }),
      },
      now,
      async (transaction) => {
        await completedTick?.write(transaction)
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
    if (isHalting) deps.onHalted(userId)
    return summary
  }

  return {
    report,
    async state(userId) {
      const { portfolio, live } = await figuresReader.current(userId)
      return (live ?? portfolio).report as ServedState | null
    },
    putState: (userId, stateChange) =>
      userQueue.run(userId, async () => {
        const { portfolio, live } = await figuresReader.current(userId)
        const now = clock.now()
        const previous = (live ?? portfolio).report as ServedState | null
        const report = reportedState(stateChange, previous, userId, now)
        const change =
          live === null ? { report } : { live: withLiveAccount(portfolio, { ...live, report }) }
        await portfolios.change(userId, change, now)
        return report
      }),
    async risk(userId) {
      const now = clock.now()
      const figures = await figuresReader.current(userId)
      const last = await ticks.last(userId, figures.account.mode)
      const lossFreeTicks = await ticksSinceLoss(userId, figures)
      const { credentials } = await deps.credentials(userId)
      const unknown = await unknownPnl(userId)
      return riskOf(figures, { now, last, lossFreeTicks, unknownPnl: unknown, credentials })
    },
    resetPaper: (userId, body) =>
      userQueue.run(userId, async () => {
        if (new BodyFields(body).raw('confirm') !== true) {
          throw new InvalidInput('confirm must be true: the paper account is reset')
        }
        const epoch = await portfolios.beginPaper(userId, clock.now())
        accounts.invalidate(userId)
        await report(userId, { mode: 'paper', isReset: true })
        return { ok: true, epoch }
      }),
  }
}

/** A balance read longer ago is marked; ticks read it at their times. */
const BALANCE_STALE_AFTER = HOUR

const balanceAt = (live: LiveAccount | null, venue: Venue): number | null => {
  const balance = live?.balances[venue]
  return balance === undefined ? null : centsOfMoney(balance)
}
const valueAt = ({ open }: AccountFigures, venue: Venue): number => {
  const venuePositions = open.filter(({ position }) => position.venue === venue)
  return centsOfMoney(venuePositions.reduce((sum, { worth }) => sum + worth.value, 0) as MoneyE6)
}

/** Cents below the highest equity; deposits and withdrawals of a live account do not count. */
function drawdownOf({ live, result, equity, portfolio }: AccountFigures): number {
  if (live !== null) {
    return centsOfMoney((Math.max(live.peak ?? result, result) - result) as MoneyE6)
  }
  const { peakCents, config } = portfolio
  return Math.max((peakCents ?? config.paperStartBalanceCents) - centsOfMoney(equity), 0)
}

const utilization = (usedCents: number, limit: number): number =>
  limit === 0 ? Number(usedCents > 0) : roundTo(Math.max(0, usedCents) / limit, 4)
const util = (usedCents: number, limitCents: number) => ({
  usedCents,
  limitCents,
  utilization: utilization(usedCents, limitCents),
})

/** Since when the warning of a drawdown holds; null below it. */
function drawdownWarnedAt(
  config: PortfolioRecord['config'],
  warnedAt: Millis | null,
  drawdownCents: number,
  now: Millis,
): Millis | null {
  const warn = config.drawdownWarnCents
  if (drawdownCents >= warn) return warnedAt ?? now
  return drawdownCents < warn * WARNING_RESET_SHARE ? null : warnedAt
}

function riskOf(
  figures: AccountFigures,
  context: {
    readonly now: Millis
    readonly last: Tick | null
    readonly lossFreeTicks: number | null
    readonly unknownPnl: MoneyE6
    readonly credentials: ServedRisk['credentials']
  },
): ServedRisk {
  const { now, last, lossFreeTicks, unknownPnl, credentials } = context
  const asOf = isoOf(now)
  const { portfolio, open, live } = figures
  const { config, haltedAt, haltReason } = portfolio
  const equity = centsOfMoney(figures.equity)
  const drawdown = drawdownOf(figures)
  const readAt = live === null ? now : live.readAt
  const isOld = readAt === null || now - readAt > BALANCE_STALE_AFTER
  const byCategory: Record<string, number> = {}
  for (const { position } of open) {
    byCategory[position.category] =
      (byCategory[position.category] ?? 0) + centsOfMoney(position.cost)
  }
  const staleTickers = open
    .filter(({ worth }) => worth.stale)
    .map(({ position }) => position.ticker)
  const staleReasons = [
    ...staleTickers.map((ticker) => `price of ${ticker} is outdated`),
    ...(readAt === null ? ['the balance has not been read yet'] : []),
    ...(readAt !== null && isOld ? ['the balance is older than 60 min'] : []),
    ...(live === null || live.status === 'ok' ? [] : [reconcileText(live)]),
  ]
  const dailyLoss = Math.max(0, -dailyPnlCents(figures))
  return {
    asOf,
    executionMode: config.executionMode,
    enabled: config.enabled,
    mode: figures.account.mode,
    balance: {
      totalCents: readAt === null ? null : centsOfMoney(figures.balance),
      ...byVenue((venue) => balanceAt(live, venue)),
      minBalanceCents: config.minBalanceCents,
      asOf: isoOrNull(readAt),
      stale: isOld,
    },
    exposure: {
      ...util(centsOfMoney(figures.exposure), config.maxTotalExposureCents),
      perMarket: open
        .map(({ position }) => ({
          marketId: position.ticker,
          marketTitle: position.marketTitle,
          usedCents: centsOfMoney(position.cost),
          limitCents: config.maxPerMarketCents,
        }))
        .sort((a, b) => b.usedCents - a.usedCents || (a.marketId < b.marketId ? -1 : 1))
        .slice(0, MAX_MARKETS),
      byCategory,
    },
    dailyLoss: util(dailyLoss, config.maxDailyLossCents),
    drawdown: {
      ...util(drawdown, config.maxDrawdownHaltCents),
      warnCents: config.drawdownWarnCents,
      warned: drawdownWarnedAt(config, (live ?? portfolio).warnedAt, drawdown, now) !== null,
      peakEquityCents: equity + drawdown,
      equityCents: readAt === null ? null : equity,
    },
    positions: {
      used: open.length,
      limit: config.maxPositions,
      utilization: utilization(open.length, config.maxPositions),
    },
    cooldown: {
      ticksSinceLoss: lossFreeTicks,
      required: config.cooldownAfterLossTicks,
      active: lossFreeTicks !== null && lossFreeTicks < config.cooldownAfterLossTicks,
    },
    staleData: staleReasons.length > 0,
    staleReasons,
    lastReconcileAt: isoOrNull(live?.reconciledAt ?? null),
    lastReconcileStatus: live?.status ?? null,
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
    unknownPnlCents: centsOfMoney(unknownPnl),
  }
}
