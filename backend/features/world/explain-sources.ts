import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { DAY, HOUR, MINUTE, contractsOf, roundTo, type Millis } from '../../domain/units.ts'
import { medianOf } from '../../domain/statistics/statistics.ts'
import type { Evidence, ExplainFact, Move } from '../../domain/world/explain/explain-facts.ts'
import { moveOfPath, type PathMove } from '../../domain/world/explain/move-start.ts'
import { decidedAt } from '../../domain/world/salient/resolutions.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { inspectUrl, marketUrl, type Urls } from '../../http/next-actions.ts'

const BAR = (5 * MINUTE) as Millis
/** Bars of the day searched for a move. */
const BARS = 288
const CHANGES = 50
const TRADES = 2_000
const QUIET_DAYS = (7 * DAY) as Millis

export interface SourceDeps {
  readonly history: HistoryStore
  readonly urls: Urls
}

/** Closes of the last day, ascending, as the market's move. */
export async function dayMove(
  history: HistoryStore,
  { market }: Pick<MarketView, 'market'>,
  at: Millis,
): Promise<PathMove | null> {
  const bars = await history.candles({ market, width: BAR, asOf: at, before: at, limit: BARS })
  const path = bars
    .filter(({ start }) => start >= at - DAY)
    .map(({ start, close }) => ({ at: (start + BAR) as Millis, price: close / 100 }))
  return moveOfPath(path)
}

const nameOf = ({ facts }: MarketView): string => facts.title

/** The venue's changes of the market, and its upcoming resolution. */
export async function statedFacts(
  { history, urls }: SourceDeps,
  view: MarketView,
  move: Move,
  at: Millis,
): Promise<ExplainFact[]> {
  const { facts, market } = view
  const rows = await history.changes({
    since: (move.startedAt - DAY) as Millis,
    asOf: at,
    types: ['status_change', 'close_time_change', 'resolved'],
    markets: [market],
    after: null,
    limit: CHANGES,
  })
  const stated = rows.map((row): ExplainFact => ({
    kind: 'facts_change',
    knownAt: row.knownAt ?? row.at,
    evidence: {
      source: facts.venue,
      title: `${row.type.replaceAll('_', ' ')}: ${row.before ?? 'unknown'} → ${row.after ?? 'unknown'}`,
      url: marketUrl(urls, facts.ticker),
      at: row.at,
    },
  }))
  const decided = decidedAt(facts, at)
  if (decided === null) return stated
  const evidence: Evidence = {
    source: facts.venue,
    title: `${nameOf(view)} is decided`,
    url: marketUrl(urls, facts.ticker),
    at: decided,
  }
  return [...stated, { kind: 'catalyst', knownAt: view.firstSeenAt, evidence }]
}

/** Linked markets that moved, and the move expected here. */
export async function linkedFacts(
  { history, urls }: SourceDeps,
  contextSnapshot: ContextSnapshot,
  view: MarketView,
  at: Millis,
): Promise<ExplainFact[]> {
  const { ticker } = view.facts
  const found = (contextSnapshot.linksOf.get(ticker) ?? []).map(
    async (link): Promise<ExplainFact[]> => {
      const other = contextSnapshot.markets.get(link.i === ticker ? link.j : link.i)?.view
      const move = other === undefined ? null : await dayMove(history, other, at)
      if (other === undefined || move === null) return []
      const evidence: Evidence = {
        source: other.facts.venue,
        title: `${nameOf(other)} moved ${roundTo(move.cents, 2)}¢`,
        url: inspectUrl(urls, other.facts.ticker),
        at: move.startedAt,
      }
      const known = { evidence, knownAt: move.startedAt, movedAt: move.startedAt }
      if (link.kind === 'cross_venue') {
        return [{ kind: 'cross_venue_lead', ...known, cents: link.sign * move.cents }]
      }
      const beta = contextSnapshot.betaOf(other.facts.ticker, ticker) ?? link.priorBeta
      return beta === null ? [] : [{ kind: 'contagion', ...known, expected: beta * move.cents }]
    },
  )
  return (await Promise.all(found)).flat()
}

/** A large trade, or a thin book with little trading. */
export async function flowFacts(
  { history, urls }: SourceDeps,
  { market, facts }: MarketView,
  move: Move,
  at: Millis,
): Promise<ExplainFact[]> {
  const from = (move.startedAt - HOUR) as Millis
  const [trades, hours] = await Promise.all([
    history.trades({ market, from, to: at, asOf: at, newest: TRADES }),
    history.microstructure({ market, from: (at - QUIET_DAYS) as Millis, asOf: at }),
  ])
  const url = marketUrl(urls, facts.ticker)
  const found: ExplainFact[] = []
  const total = trades.reduce((sum, { size }) => sum + size, 0)
  const [first, ...rest] = trades
  if (first !== undefined && total > 0) {
    const largest = rest.reduce((most, trade) => (trade.size > most.size ? trade : most), first)
    const title = `${roundTo(contractsOf(largest.size), 2)} contracts at ${largest.price / 100}¢`
    const evidence = { source: facts.venue, title, url, at: largest.ts }
    found.push({ kind: 'block_trade', share: largest.size / total, knownAt: largest.ts, evidence })
  }
  const now = hours.at(-1)
  if (now === undefined || hours.length < 2) return found
  const spreads = hours.flatMap(({ bid, ask }) => (bid === null || ask === null ? [] : [ask - bid]))
  const depths = hours.flatMap(({ bidDepth, askDepth }) =>
    bidDepth === null || askDepth === null ? [] : [bidDepth + askDepth],
  )
  const traded = hours.map(({ buyVolume, sellVolume }) => buyVolume + sellVolume)
  const ratio = (value: number | null, usual: number | null): number | null =>
    value === null || usual === null || usual === 0 ? null : value / usual
  const spread = now.bid === null || now.ask === null ? null : now.ask - now.bid
  const depth = now.bidDepth === null || now.askDepth === null ? null : now.bidDepth + now.askDepth
  found.push({
    kind: 'thin_book',
    spreadRatio: ratio(spread, medianOf(spreads)),
    depthRatio: ratio(depth, medianOf(depths)),
    volumeBelowMedian: (traded.at(-1) ?? 0) < (medianOf(traded) ?? 0),
    knownAt: now.start,
    evidence: {
      source: facts.venue,
      title: 'spread and depth against their week',
      url,
      at: now.start,
    },
  })
  return found
}
