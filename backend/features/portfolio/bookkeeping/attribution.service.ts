import type { MarketBoard, MarketView } from '../../../computed/board/market-board.ts'
import type {
  Attribution,
  AttributionKeys,
  AttributionNumbers,
  AttributionRow,
} from '../../../contract/orders/attribution.ts'
import { canonicalTicker } from '../../../domain/market.ts'
import {
  addFigures,
  attributeMarket,
  attributeOther,
  attributeValue,
  centsThatAddUp,
  groupParts,
  NO_FIGURES,
  type AttributedFigures,
  type AttributedGroup,
  type AttributedLot,
  type AttributedPart,
  type AttributionKey,
} from '../../../domain/portfolio/attribution.ts'
import type { LedgerEntry, LedgerEvent, Mode } from '../../../domain/portfolio/ledger.ts'
import { contractsOf, DAY, type Millis, type MoneyE6, type SizeE6 } from '../../../domain/units.ts'
import { isoOf, type Clock } from '../../../lib/clock.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import { worthIn } from '../account-figures.ts'
import type { LedgerStore } from '../ledger.store.ts'
import { shownAccounts } from '../live/live-exchange.ts'
import type { PortfolioStore } from '../portfolio.store.ts'

const MAX_DAYS = 731
const DEFAULT_DAYS = 30
const UNFOLDED_EVENTS: readonly LedgerEvent[] = ['cancellation', 'agent_decision']

/** Period, grouping and filter of an attribution; null for all or the default. */
export interface AttributionQuery {
  readonly from: Millis | null
  readonly to: Millis | null
  readonly groupBy: readonly (AttributionKey | 'day')[] | null
  readonly eventType: readonly LedgerEvent[] | null
  readonly venue: string | null
  readonly marketId: string | null
  readonly source: string | null
  readonly thesisId: string | null
  readonly confidence: string | null
  readonly mode: Mode | null
}

export interface AttributionService {
  /** Rows by day, oldest first. */
  daily(userId: string, query: AttributionQuery): Promise<Attribution>
  /** Rows of the whole period, highest realised profit first; by market without a grouping. */
  groupEntries(userId: string, query: AttributionQuery): Promise<Attribution>
  /** Profit so far, realised and not, whose attribution is unknown. */
  unknownPnl(userId: string): Promise<MoneyE6>
}

/** Titles of theses and views by id. */
export type ReadTitles = (userId: string) => Promise<ReadonlyMap<string, string>>

/**
 * Attributes the profit of a user's accounts: live, and the paper account since its last reset.
 * Days are UTC; positions are valued at the price of their side as it was known at midnight.
 */
export function createAttributionService(deps: {
  readonly portfolios: Pick<PortfolioStore, 'read'>
  readonly ledger: Pick<LedgerStore, 'trades' | 'page'>
  readonly board: Pick<MarketBoard, 'live' | 'market' | 'markets'>
  readonly titles: ReadTitles
  /** The account at the exchange of this run: 0, or that of a simulated one. */
  readonly epochOf?: () => number
  readonly clock: Pick<Clock, 'now'>
}): AttributionService {
  const { portfolios, ledger, board, titles, epochOf = () => 0, clock } = deps

  /** Entries of the accounts that positions are derived from, in the scope of a query. */
  const entriesOf = async (userId: string, query: AttributionQuery, until: Millis) => {
    const { paperEpoch } = await portfolios.read(userId)
    const ticker = query.marketId === null ? null : canonicalTicker(query.marketId)
    const modes: readonly Mode[] = query.mode === null ? ['live', 'paper'] : [query.mode]
    const markets = new Map<string, LedgerEntry[]>()
    const others: LedgerEntry[] = []
    const isInScope = (entry: LedgerEntry): boolean =>
      entry.occurredAt < until &&
      (query.venue === null || entry.venue === query.venue) &&
      (ticker === null || entry.ticker === ticker)
    for (const { mode, epoch } of shownAccounts(modes, paperEpoch, epochOf())) {
      for (const entry of await ledger.trades(userId, { mode, epoch })) {
        if (!isInScope(entry)) continue
        const key = `${mode} ${epoch} ${entry.ticker ?? ''}`
        const existing = markets.get(key)
        if (existing === undefined) markets.set(key, [entry])
        else existing.push(entry)
      }
      const filter = {
        since: null,
        until,
        events: UNFOLDED_EVENTS,
        venue: query.venue,
        ticker,
        source: null,
        confidence: null,
        mode,
      }
      const ledgerEntries = await ledger.page(userId, filter, 'asc', null, Number.MAX_SAFE_INTEGER)
      others.push(...ledgerEntries.filter((entry) => entry.epoch === epoch))
    }
    return { markets: [...markets.values()], others }
  }

  /** Changes of unrealised profit between instants. */
  const valuesOf = async (
    openLots: readonly (readonly AttributedLot[])[],
    instants: readonly Millis[],
    now: Millis,
  ): Promise<AttributedPart[]> => {
    const parts: AttributedPart[] = []
    for (const [n, lots] of openLots.entries()) {
      const at = instants[n]
      if (at === undefined || lots.length === 0) continue
      const viewOf = await viewsAt(lots, at, now)
      for (const lot of lots) {
        const view = viewOf(lot.opening.ticker ?? '')
        const unrealizedMoney = worthIn(lot, view, at).value - lot.cost
        if (unrealizedMoney === 0) continue
        const previous = instants[n - 1]
        if (previous !== undefined) parts.push(attributeValue(lot, unrealizedMoney, previous))
        if (n < instants.length - 1) parts.push(attributeValue(lot, 0 - unrealizedMoney, at))
      }
    }
    return parts
  }

  const viewsAt = async (lots: readonly AttributedLot[], at: Millis, now: Millis) => {
    const tickers = [...new Set(lots.map(({ opening }) => opening.ticker ?? ''))]
    if (at < now) {
      const views = await board.markets(tickers, at)
      return (ticker: string): MarketView | null => views.get(ticker) ?? null
    }
    const live = board.live()
    const views = new Map<string, MarketView | null>()
    for (const ticker of tickers) {
      views.set(ticker, live.get(ticker) ?? (await board.market(ticker, null)))
    }
    return (ticker: string): MarketView | null => views.get(ticker) ?? null
  }

  const read = async (
    userId: string,
    query: AttributionQuery,
    keys: readonly AttributionKey[],
    byDay: boolean,
  ) => {
    const now = clock.now()
    const { from, to } = periodOf(query, now)
    const end = Math.min(to + DAY, Math.max(now, from)) as Millis
    const instants: Millis[] = []
    const step = byDay ? DAY : Infinity
    for (let at: number = from; at < end; at += step) instants.push(at as Millis)
    instants.push(end)
    // An entry of this very millisecond belongs to the period.
    const until = (end === now ? now + 1 : end) as Millis
    const { markets, others } = await entriesOf(userId, query, until)
    const bounds = instants.map((at, n) => (n === instants.length - 1 ? until : at))
    const parts = others.flatMap(attributeOther)
    const openLots: AttributedLot[][] = instants.map(() => [])
    for (const entries of markets) {
      const attribution = attributeMarket(entries, bounds)
      parts.push(...attribution.parts)
      for (const [n, lots] of attribution.openLots.entries()) openLots[n]?.push(...lots)
    }
    if (query.eventType === null) parts.push(...(await valuesOf(openLots, instants, now)))
    const selectedParts = parts.filter((part) => part.at >= from && isSelected(part, query))
    const dayOf = (at: Millis) => (byDay ? Math.floor(at / DAY) * DAY : null)
    const groups = groupParts(selectedParts, keys, dayOf).filter(isNotEmpty)
    const servedGroups = rowsOf(groups, keys, titlesFor(keys) ? await titles(userId) : new Map())
    return { from: dateOf(from), to: dateOf(to), served: servedGroups }
  }

  return {
    async unknownPnl(userId) {
      const now = clock.now()
      const { markets } = await entriesOf(userId, EVERYTHING, (now + 1) as Millis)
      let pnl = 0
      for (const entries of markets) {
        const isUnknown = entries.some(({ confidence }) => confidence === 'unknown')
        if (!isUnknown) continue
        const { parts, openLots } = attributeMarket(entries, [(now + 1) as Millis])
        for (const { to, realized } of parts) {
          if (to.confidence === 'unknown') pnl += realized
        }
        const lots = (openLots[0] ?? []).filter(({ opening }) => opening.confidence === 'unknown')
        if (lots.length === 0) continue
        const viewOf = await viewsAt(lots, now, now)
        for (const lot of lots) {
          pnl += worthIn(lot, viewOf(lot.opening.ticker ?? ''), now).value - lot.cost
        }
      }
      return pnl as MoneyE6
    },
    async daily(userId, query) {
      const keys = (query.groupBy ?? []).filter((key) => key !== 'day')
      const { from, to, served } = await read(userId, query, keys, true)
      served.sort(
        (a, b) => (a.group.day ?? 0) - (b.group.day ?? 0) || compareValues(a.group, b.group),
      )
      return { from, to, timeZone: 'UTC', groupBy: keys, ...sumGroups(served) }
    },
    async groupEntries(userId, query) {
      const groupBy = query.groupBy ?? (['market'] as const)
      const keys = groupBy.filter((key) => key !== 'day')
      const { from, to, served } = await read(userId, query, keys, groupBy.includes('day'))
      served.sort(
        (a, b) =>
          b.row.realizedPnlCents - a.row.realizedPnlCents ||
          (a.group.day ?? 0) - (b.group.day ?? 0) ||
          compareValues(a.group, b.group),
      )
      return { from, to, timeZone: 'UTC', groupBy: [...groupBy], ...sumGroups(served) }
    },
  }
}

/** No period and no filter. */
const EVERYTHING: AttributionQuery = {
  from: null,
  to: null,
  groupBy: null,
  eventType: null,
  venue: null,
  marketId: null,
  source: null,
  thesisId: null,
  confidence: null,
  mode: null,
}

interface ServedGroup {
  readonly group: AttributedGroup
  readonly row: AttributionRow
}

const dateOf = (at: Millis): string => isoOf(at).slice(0, 10)
const titlesFor = (keys: readonly AttributionKey[]): boolean =>
  keys.includes('thesis') || keys.includes('view')

/** @throws InvalidInput for a period that is reversed or too long */
function periodOf({ from, to }: AttributionQuery, now: Millis): { from: Millis; to: Millis } {
  const today = (Math.floor(now / DAY) * DAY) as Millis
  const last = to ?? (from === null ? today : (Math.max(today, from) as Millis))
  const first = from ?? ((last - (DEFAULT_DAYS - 1) * DAY) as Millis)
  if (first > last) throw new InvalidInput('from must not be after to')
  if ((last - first) / DAY >= MAX_DAYS) {
    throw new InvalidInput(`from and to must span at most ${MAX_DAYS} days`)
  }
  return { from: first, to: last }
}

const isSelected = ({ to, eventType }: AttributedPart, query: AttributionQuery): boolean =>
  (query.source === null || to.source === query.source) &&
  (query.confidence === null || to.confidence === query.confidence) &&
  (query.thesisId === null || query.thesisId === (to.thesis ?? 'none')) &&
  (query.eventType === null || (eventType !== null && query.eventType.includes(eventType)))

const isNotEmpty = (group: AttributedGroup): boolean =>
  group.entries > 0 || Object.keys(NO_FIGURES).some((name) => Reflect.get(group, name) !== 0)

const KEY_NAMES = {
  source: 'source',
  venue: 'venue',
  market: 'marketId',
  thesis: 'thesisId',
  strategy: 'strategyId',
  view: 'viewId',
  confidence: 'confidence',
} as const satisfies Record<AttributionKey, keyof AttributionKeys>

/** Values ascending, null last; known before unknown attribution. */
function compareValues(a: AttributedGroup, b: AttributedGroup): number {
  for (const [n, left] of a.values.entries()) {
    const right = b.values[n] ?? null
    if (left === right) continue
    if (left === null) return 1
    return right === null || left < right ? -1 : 1
  }
  return Number(a.isUnknown) - Number(b.isUnknown)
}

function rowsOf(
  groups: readonly AttributedGroup[],
  keys: readonly AttributionKey[],
  titles: ReadonlyMap<string, string>,
): ServedGroup[] {
  const money = (valueOf: (group: AttributedFigures) => number): number[] =>
    centsThatAddUp(groups.map(valueOf))
  const realized = money((group) => group.realized)
  const unrealized = money((group) => group.unrealizedDelta)
  const cash = money((group) => group.cashDelta)
  const fees = money((group) => group.fee)
  const openFees = money((group) => group.openFeeDelta)
  const slippage = money((group) => group.slippage)
  return groups.map((group, n) => {
    const servedFields = Object.fromEntries(
      keys.map((key, index) => [KEY_NAMES[key], group.values[index] ?? null]),
    ) as AttributionKeys
    const [realizedPnlCents, unrealizedPnlDeltaCents] = [realized[n] ?? 0, unrealized[n] ?? 0]
    const row: AttributionRow = {
      ...(group.day !== null && { date: dateOf(group.day as Millis) }),
      keys: group.isUnknown
        ? { ...servedFields, thesisId: null, confidence: 'unknown' }
        : servedFields,
      label: labelOf(group, keys, titles),
      pnlCents: realizedPnlCents + unrealizedPnlDeltaCents,
      realizedPnlCents,
      unrealizedPnlDeltaCents,
      cashDeltaCents: cash[n] ?? 0,
      feeCents: fees[n] ?? 0,
      openFeeDeltaCents: openFees[n] ?? 0,
      slippageCents: slippage[n] ?? 0,
      positionDelta: contractsOf(group.positionDelta as SizeE6),
      fills: group.fills,
      settlements: group.settlements,
      entries: group.entries,
    }
    return { group, row }
  })
}

/** The title of the first key that has one. */
function labelOf(
  group: AttributedGroup,
  keys: readonly AttributionKey[],
  titles: ReadonlyMap<string, string>,
): string | null {
  for (const [n, key] of keys.entries()) {
    const value = group.values[n] ?? null
    if (value === null) continue
    const title = key === 'market' ? group.marketTitle : titles.get(value)
    if (title !== null && title !== undefined) return title
  }
  return null
}

function sumGroups(groups: readonly ServedGroup[]) {
  return {
    rows: groups.map(({ row }) => row),
    totals: sumOf(groups),
    unknown: sumOf(groups.filter(({ group }) => group.isUnknown)),
  }
}

function sumOf(groups: readonly ServedGroup[]): AttributionNumbers {
  const sum = (valueOf: (row: AttributionRow) => number): number =>
    groups.reduce((total, { row }) => total + valueOf(row), 0)
  const exact = groups.reduce((total, { group }) => addFigures(total, group), NO_FIGURES)
  return {
    pnlCents: sum((row) => row.pnlCents),
    realizedPnlCents: sum((row) => row.realizedPnlCents),
    unrealizedPnlDeltaCents: sum((row) => row.unrealizedPnlDeltaCents),
    cashDeltaCents: sum((row) => row.cashDeltaCents),
    feeCents: sum((row) => row.feeCents),
    openFeeDeltaCents: sum((row) => row.openFeeDeltaCents),
    slippageCents: sum((row) => row.slippageCents),
    positionDelta: contractsOf(exact.positionDelta as SizeE6),
    fills: exact.fills,
    settlements: exact.settlements,
    entries: exact.entries,
  }
}
