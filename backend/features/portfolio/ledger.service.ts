import { canonicalTicker } from '../../domain/market.ts'
import type { LedgerEntry, LedgerEvent, Mode } from '../../domain/portfolio/ledger.ts'
import { foldMarkets, type LedgerPosition } from '../../domain/portfolio/position-fold.ts'
import { centsOf, contractsOf, roundTo, type Millis, type MoneyE6 } from '../../domain/units.ts'
import { isoOrNull } from '../../http/presenters/market-ref.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import type { Since } from '../../contract/params.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import type { AccountFiguresReader, AccountValue } from './account-figures.ts'
import { centsOfMoney, exactDollars, priceCents } from './intent-served.ts'
import type { LedgerStore } from './ledger.store.ts'
import { paperTradesAt, wasRecordedAt } from './holdings.ts'
import { shownAccounts, type LedgerAccount } from './live/live-exchange.ts'
import type {
  LedgerPage,
  PositionPage,
  ServedEntry,
  ServedPosition,
} from '../../contract/portfolio.ts'
import type { PortfolioRecord, PortfolioStore } from './portfolio.store.ts'
import { listPage, type Paging, type RowPosition } from '../../http/request/list-page.ts'

const MAX_PAGE_SIZE = 500

/** Query of a list of ledger entries; null for all. */
export interface LedgerQuery {
  readonly limit: number
  readonly cursor: string | null
  readonly since: Since | null
  readonly until: Millis | null
  readonly eventType: readonly LedgerEvent[] | null
  readonly venue: string | null
  readonly marketId: string | null
  readonly source: string | null
  readonly thesisId: string | null
  readonly confidence: string | null
  readonly mode: Mode | null
  readonly order: 'asc' | 'desc'
}
export type PositionQuery = LedgerQuery & {
  readonly status: 'open' | 'closed' | 'settled' | 'all'
  /** Positions as they were recorded at this instant; null for now. */
  readonly asOf: Millis | null
}

export interface LedgerService {
  /** @param events event types of the route; the query narrows them */
  page(
    userId: string,
    events: readonly LedgerEvent[] | null,
    query: LedgerQuery,
  ): Promise<LedgerPage>
  /** @throws InvalidInput for an instant in the future */
  positions(userId: string, query: PositionQuery): Promise<PositionPage>
}

export function createLedgerService(deps: {
  readonly ledger: LedgerStore
  readonly portfolios: PortfolioStore
  readonly figures: AccountFiguresReader
  /** The live account: 0, or that of a simulated exchange. */
  readonly epochOf: () => number
  readonly clock: Clock
}): LedgerService {
  const { ledger, portfolios, figures, epochOf, clock } = deps
  const instantOfSince = (since: Since | null): Millis | null =>
    since === null ? null : 'at' in since ? since.at : ((clock.now() - since.span) as Millis)

  const tradesAt = async (
    userId: string,
    portfolio: PortfolioRecord,
    account: LedgerAccount,
    asOf: Millis | null,
  ): Promise<readonly LedgerEntry[]> => {
    if (asOf === null) return ledger.trades(userId, account)
    return account.mode === 'paper'
      ? paperTradesAt(ledger, userId, portfolio, asOf)
      : (await ledger.trades(userId, account)).filter(wasRecordedAt(asOf))
  }

  return {
    async page(userId, routeEvents, query) {
      const { order, until, venue, source, confidence, mode, marketId } = query
      const events =
        query.eventType === null
          ? routeEvents
          : query.eventType.filter((eventType) => routeEvents?.includes(eventType) ?? true)
      const ticker = marketId === null ? null : canonicalTicker(marketId)
      const filter = {
        since: instantOfSince(query.since),
        until,
        events,
        venue,
        ticker,
        source,
        confidence,
        mode,
        thesisId: query.thesisId,
      }
      const { rows, pageInfo } = await listPage(
        pagingOf(query),
        [routeEvents, { ...query, limit: 0, cursor: null }],
        (after, max) =>
          ledger.page(userId, filter, order, after && { at: after.at, id: Number(after.id) }, max),
        ({ occurredAt, seq }) => ({ at: occurredAt, id: String(seq) }),
      )
      return { data: rows.map(servedEntry), pageInfo }
    },
    async positions(userId, query) {
      const now = clock.now()
      const asOf = notInFuture(query.asOf, now)
      const portfolio = await portfolios.read(userId)
      const modes = query.mode === null ? (['live', 'paper'] as const) : [query.mode]
      const visiblePositions: ShownPosition[] = []
      for (const account of shownAccounts(modes, portfolio.paperEpoch, epochOf())) {
        const { epoch } = account
        const trades = await tradesAt(userId, portfolio, account, asOf)
        for (const position of foldMarkets(trades).values())
          visiblePositions.push({ ...position, epoch })
      }
      const since = instantOfSince(query.since)
      const ticker = query.marketId === null ? null : canonicalTicker(query.marketId)
      const matchingPositions = visiblePositions
        .filter(({ status }) => query.status === 'all' || status === query.status)
        .filter((position) => query.venue === null || position.venue === query.venue)
        .filter((position) => ticker === null || position.ticker === ticker)
        .filter((position) => query.confidence === null || position.confidence === query.confidence)
        .filter(({ lastFillAt }) => since === null || lastFillAt >= since)
        .filter(({ lastFillAt }) => query.until === null || lastFillAt < query.until)
        .filter(
          ({ thesisId }) => query.thesisId === null || query.thesisId === (thesisId ?? 'none'),
        )
        .sort((left, right) => comparePositions(sortPositionOf(left), sortPositionOf(right)))
      const { rows, pageInfo } = await listPage(
        pagingOf(query),
        { ...query, limit: 0, cursor: null },
        (after, max) => {
          if (after === null) return matchingPositions.slice(0, max)
          const last = positionIn(after)
          return matchingPositions
            .filter((position) => comparePositions(last, sortPositionOf(position)) < 0)
            .slice(0, max)
        },
        (position) => positionOf(sortPositionOf(position)),
      )
      const data: ServedPosition[] = []
      for (const position of rows) {
        const accountValue =
          position.status === 'open' ? await figures.valueOfPosition(position, asOf) : null
        data.push(servedPosition(position, accountValue, asOf ?? now))
      }
      return { data, pageInfo }
    },
  }
}

const pagingOf = ({ limit, cursor }: Paging): Paging => ({
  limit: Math.min(MAX_PAGE_SIZE, Math.max(1, limit)),
  cursor,
})

type ShownPosition = LedgerPosition & { readonly epoch: number }

/** The account of a demo exchange may hold the same market as the account at the venues. */
const idOf = ({ mode, venue, ticker, epoch }: ShownPosition): string => {
  const id = `${mode}:${venue}:${ticker}`
  return mode === 'live' && epoch > 0 ? `${id}:${epoch}` : id
}
const RANK = { open: 0, closed: 1, settled: 1 } as const

/** Sort key of positions: open ones first, then by cost, descending. */
interface SortPosition {
  readonly rank: number
  readonly cost: number
  readonly id: string
}
const sortPositionOf = (position: ShownPosition): SortPosition => ({
  rank: RANK[position.status],
  cost: position.cost,
  id: idOf(position),
})
const comparePositions = (left: SortPosition, right: SortPosition): number =>
  left.rank - right.rank || right.cost - left.cost || (left.id < right.id ? -1 : 1)

/** The rank is one digit before the id. */
const positionOf = ({ rank, cost, id }: SortPosition): RowPosition => ({
  at: cost,
  id: `${rank}${id}`,
})
const positionIn = ({ at, id }: RowPosition): SortPosition => ({
  rank: Number(id.charAt(0)),
  cost: at,
  id: id.slice(1),
})

const shownOrNull = (money: MoneyE6 | null): number | null =>
  money === null ? null : centsOfMoney(money)

function servedEntry(entry: LedgerEntry): ServedEntry {
  const { size, price, cashDelta, fee, slippage, realized } = entry
  return {
    id: entry.id,
    seq: entry.seq,
    eventType: entry.eventType,
    mode: entry.mode,
    source: entry.source,
    occurredAt: isoOf(entry.occurredAt),
    recordedAt: isoOf(entry.recordedAt),
    venue: entry.venue,
    marketId: entry.ticker,
    marketTitle: entry.marketTitle,
    category: entry.category,
    action: entry.action,
    direction: entry.direction,
    quantity: size === null ? null : contractsOf(size),
    priceCents: priceCents(price),
    cashDeltaCents: centsOfMoney(cashDelta),
    feeCents: centsOfMoney(fee),
    slippageCents: shownOrNull(slippage),
    realizedPnlCents: shownOrNull(realized),
    exact: {
      cashDelta: exactDollars(cashDelta),
      fee: exactDollars(fee),
      realizedPnl: realized === null ? null : exactDollars(realized),
    },
    result: entry.result,
    orderId: entry.orderId,
    clientOrderId: entry.clientOrderId ?? null,
    venueTradeId: entry.venueTradeId ?? null,
    liquidity: entry.liquidity,
    tickId: entry.tickId,
    intentId: entry.intentId,
    thesisId: entry.thesisId ?? null,
    strategyId: entry.strategyId ?? null,
    viewId: entry.viewId ?? null,
    confidence: entry.confidence,
    key: entry.key,
    note: entry.note,
    payload: entry.payload,
  }
}

function servedPosition(
  position: ShownPosition,
  accountValue: AccountValue | null,
  now: Millis,
): ServedPosition {
  const { size, cost, realized, fees } = position
  const hasPrice = accountValue !== null && accountValue.price !== null
  return {
    id: idOf(position),
    mode: position.mode,
    venue: position.venue,
    marketId: position.ticker,
    marketTitle: position.marketTitle,
    category: position.category,
    direction: position.direction,
    quantity: contractsOf(size),
    avgPriceCents: size === 0 ? 0 : roundTo((cost / size) * 100, 4),
    costCents: centsOfMoney(cost),
    currentPriceCents:
      accountValue?.price === null || accountValue === null ? null : centsOf(accountValue.price),
    priceAsOf: isoOrNull(accountValue?.priceAsOf ?? null),
    stale: accountValue?.stale ?? false,
    valueCents: hasPrice ? centsOfMoney(accountValue.value) : null,
    unrealizedPnlCents: hasPrice ? centsOfMoney((accountValue.value - cost) as MoneyE6) : null,
    realizedPnlCents: centsOfMoney(realized),
    feesCents: centsOfMoney(fees),
    status: position.status,
    openedAt: isoOf(position.openedAt),
    lastFillAt: isoOf(position.lastFillAt),
    closedAt: isoOrNull(position.closedAt),
    thesisId: position.thesisId ?? null,
    strategyId: position.strategyId ?? null,
    confidence: position.confidence,
    asOf: isoOf(now),
  }
}
