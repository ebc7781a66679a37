import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { MarketView } from '../../computed/board/market-board.ts'
import { DAY, HOUR, MINUTE, contractsOf, roundTo, type Millis } from '../../domain/units.ts'
import { moveText } from '../../domain/links/gap-sentence.ts'
import { medianOf, sumOf } from '../../domain/statistics/statistics.ts'
import type { Evidence, ExplainFact, Move } from '../../domain/world/explain/explain-facts.ts'
import { largestMove, type PathMove } from '../../domain/world/explain/move-start.ts'
import { clockOf, cutTitle, minuteOf, numberText } from '../../domain/world/markdown/text.ts'
import type { ScoredCandidate } from '../../domain/world/salient/salient.ts'
import { decisionTime } from '../../domain/world/salient/resolutions.ts'
import type { MicrostructureRow } from '../../history/market-rows.ts'
import type { HistoryStore } from '../../history/history-store.ts'
import { inspectUrl, marketUrl, type Urls } from '../../http/next-actions.ts'

const BAR = (5 * MINUTE) as Millis
/** Bars of the day searched for a move. */
const BARS = 288
const CHANGES = 50
const TRADES = 2_000
/** Share of a stated move that a path must contain to date its start. */
const MIN_PATH_CONFIDENCE = 0.5
/** Hours from a close or listing within which it attracts attention. */
const DATE_HOURS = 24
/** The same for items about the close, which are served in the last week. */
const CLOSING_HOURS = 7 * 24
/** The same for the trading of a whole day. */
const TRADING_HOURS = 2 * DATE_HOURS
/** The hour of the last day with the most volume, and its share; null without trades. */
export function busiestHour(hours: readonly MicrostructureRow[], at: Millis) {
  const day = hours.filter(({ start }) => start >= at - DAY)
  const volumeOf = ({ buyVolume, sellVolume }: MicrostructureRow): number => buyVolume + sellVolume
  const total = sumOf(day.map(volumeOf))
  const [first, ...rest] = day
  if (first === undefined || total === 0) return null
  const hour = rest.reduce((max, row) => (volumeOf(row) > volumeOf(max) ? row : max), first)
  return { hour, share: volumeOf(hour) / total }
}

const percentText = (share: number): string => `${numberText(100 * share, 0)}%`

/** Time over which an hour is compared with others. */
const USUAL_SPAN = (7 * DAY) as Millis

export interface SourceDeps {
  readonly history: HistoryStore
  readonly urls: Urls
}

/**
 * The market's largest move in (since, at], at most a day, by the closes of five minutes and the
 * mids at the ends of hours, because prices also move without trades.
 */
export async function moveSince(
  history: HistoryStore,
  { market }: Pick<MarketView, 'market'>,
  since: Millis,
  at: Millis,
): Promise<PathMove | null> {
  const [bars, hours] = await Promise.all([
    history.candles({ market, width: BAR, asOf: at, before: at, limit: BARS }),
    history.microstructure({ market, from: (since - HOUR) as Millis, asOf: at }),
  ])
  const closes = bars.map(({ start, close }) => ({ at: start + BAR, price: close / 100 }))
  const mids = hours.flatMap(({ start, bid, ask }) =>
    bid === null || ask === null ? [] : [{ at: start + HOUR, price: (bid + ask) / 200 }],
  )
  const path = [...closes, ...mids]
    .filter((point) => point.at >= since && point.at <= at + HOUR)
    .map((point) => ({ at: Math.min(point.at, at) as Millis, price: point.price }))
    .sort((a, b) => a.at - b.at)
  return largestMove(path)
}

const nameOf = ({ facts }: MarketView): string => `“${cutTitle(facts.title)}”`

/**
 * The venue's changes of the market before its move, and its announced close or listing.
 * @param item its type: a close attracts attention for longer when the item is about it, or about trading
 */
export async function statedFacts(
  { history, urls }: SourceDeps,
  view: MarketView,
  move: Move,
  at: Millis,
  item: ScoredCandidate['type'],
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
  const rowFacts = rows.map((row): ExplainFact => ({
    kind: 'facts_change',
    knownAt: row.knownAt ?? row.at,
    evidence: {
      source: facts.venue,
      title: `${row.type.replaceAll('_', ' ')}: ${row.before ?? 'unknown'} → ${row.after ?? 'unknown'}`,
      url: marketUrl(urls, facts.ticker),
      at: row.at,
    },
  }))
  const spanMs =
    item === 'resolving_soon' ? CLOSING_HOURS : item === 'residual' ? TRADING_HOURS : DATE_HOURS
  const since = facts.openTime ?? view.firstSeenAt
  const decidedAt = decisionTime(facts, at)
  const dates = [
    {
      due: decidedAt,
      title:
        decidedAt === null
          ? ''
          : `${nameOf(view)} ${decidedAt <= at ? 'was' : 'is'} due ${minuteOf(decidedAt)} UTC, as announced`,
    },
    { due: since, title: `${nameOf(view)} is listed since ${minuteOf(since)} UTC` },
  ]
  return [
    ...rowFacts,
    ...dates.flatMap((date): ExplainFact[] => {
      if (date.due === null) return []
      const url = marketUrl(urls, facts.ticker)
      const evidence: Evidence = { source: facts.venue, title: date.title, url, at: since }
      return [{ kind: 'stated_date', due: date.due, within: spanMs, knownAt: since, evidence }]
    }),
  ]
}

/** A market whose move opened a gap, for `peerFacts`. */
export interface Peer {
  readonly view: MarketView
  readonly as: 'contagion' | 'cross_venue_lead'
  /** Its move in the window, cents; null when unknown. */
  readonly move: number | null
  /** The part of the gap that its move opened, cents; null for all of its move. */
  readonly opened: number | null
}

/** Moves of the markets on the other side of a gap since an instant. */
export async function peerFacts(
  { history, urls }: SourceDeps,
  peers: readonly Peer[],
  since: Millis,
  at: Millis,
): Promise<ExplainFact[]> {
  const pendingFacts = peers.map(async ({ view, as, move, opened }): Promise<ExplainFact[]> => {
    const path = await moveSince(history, view, since, at)
    const cents = move ?? path?.cents ?? 0
    if (cents === 0) return []
    // Without enough of its path, all that is known is that it moved within the window.
    const isOnPath = path !== null && path.cents / cents >= MIN_PATH_CONFIDENCE
    const startedAt = isOnPath ? path.startedAt : since
    const evidence = moveEvidence(view, { startedAt, cents }, urls)
    return [{ kind: 'peer_move', as, cents: opened ?? cents, knownAt: startedAt, evidence }]
  })
  return (await Promise.all(pendingFacts)).flat()
}

const moveEvidence = (view: MarketView, { startedAt, cents }: PathMove, urls: Urls): Evidence => ({
  source: view.facts.venue,
  title: `${nameOf(view)} moved ${moveText(cents, 2)}`,
  url: inspectUrl(urls, view.facts.ticker),
  at: startedAt,
})

/**
 * Linked markets that moved since an instant, and the move expected here.
 * @param isVolume whether the item is about volume, which a linked move attracts whatever the price does
 */
export async function linkedFacts(
  { history, urls }: SourceDeps,
  contextSnapshot: ContextSnapshot,
  view: MarketView,
  since: Millis,
  at: Millis,
  isVolume: boolean,
): Promise<ExplainFact[]> {
  const { ticker } = view.facts
  const pendingFacts = (contextSnapshot.linksOf.get(ticker) ?? []).map(
    async (link): Promise<ExplainFact[]> => {
      const other = contextSnapshot.markets.get(link.i === ticker ? link.j : link.i)?.view
      const move = other === undefined ? null : await moveSince(history, other, since, at)
      if (other === undefined || move === null) return []
      const evidence = moveEvidence(other, move, urls)
      const basis = { evidence, knownAt: move.startedAt, movedAt: move.startedAt }
      if (link.kind === 'cross_venue') {
        return [{ kind: 'cross_venue_lead', ...basis, cents: link.sign * move.cents }]
      }
      const beta = contextSnapshot.betaOf(other.facts.ticker, ticker) ?? link.priorBeta
      if (beta === null) return []
      const expectedMove = beta * move.cents
      return [
        isVolume
          ? { kind: 'attention', ...basis, expected: expectedMove }
          : { kind: 'contagion', ...basis, expected: expectedMove },
      ]
    },
  )
  return (await Promise.all(pendingFacts)).flat()
}

/**
 * A large trade, or a thin book with little trading.
 * @param isVolume whether the item is about volume, which a busy hour explains too
 */
export async function flowFacts(
  { history, urls }: SourceDeps,
  { market, facts }: MarketView,
  move: Move,
  at: Millis,
  isVolume: boolean,
): Promise<ExplainFact[]> {
  const from = (move.startedAt - HOUR) as Millis
  const [trades, hours] = await Promise.all([
    history.trades({ market, from, to: at, asOf: at, newest: TRADES }),
    history.microstructure({ market, from: (at - USUAL_SPAN) as Millis, asOf: at }),
  ])
  const url = marketUrl(urls, facts.ticker)
  const changeFacts: ExplainFact[] = []
  const total = trades.reduce((sum, { size }) => sum + size, 0)
  const [first, ...rest] = trades
  if (first !== undefined && total > 0) {
    const largest = rest.reduce((max, trade) => (trade.size > max.size ? trade : max), first)
    const share = largest.size / total
    const title = `one trade of ${roundTo(contractsOf(largest.size), 2)} contracts at ${largest.price / 100}¢, ${percentText(share)} of the volume since ${clockOf(from)}`
    const evidence = { source: facts.venue, title, url, at: largest.ts }
    changeFacts.push({ kind: 'block_trade', share, knownAt: largest.ts, evidence })
  }
  const busy = isVolume ? busiestHour(hours, at) : null
  if (busy !== null) {
    const { hour, share } = busy
    const title = `${percentText(share)} of the day's volume in the hour from ${clockOf(hour.start)}`
    const evidence = { source: facts.venue, title, url, at: hour.start }
    changeFacts.push({ kind: 'busy_hour', share, knownAt: hour.start, evidence })
  }
  const current = hours.at(-1)
  if (current === undefined || hours.length < 2) return changeFacts
  const spreads = hours.flatMap(({ bid, ask }) => (bid === null || ask === null ? [] : [ask - bid]))
  const depths = hours.flatMap(({ bidDepth, askDepth }) =>
    bidDepth === null || askDepth === null ? [] : [bidDepth + askDepth],
  )
  const volumes = hours.map(({ buyVolume, sellVolume }) => buyVolume + sellVolume)
  const ratio = (value: number | null, usual: number | null): number | null =>
    value === null || usual === null || usual === 0 ? null : value / usual
  const spread = current.bid === null || current.ask === null ? null : current.ask - current.bid
  const depth =
    current.bidDepth === null || current.askDepth === null
      ? null
      : current.bidDepth + current.askDepth
  const spreadRatio = ratio(spread, medianOf(spreads))
  const depthRatio = ratio(depth, medianOf(depths))
  changeFacts.push({
    kind: 'thin_book',
    spreadRatio,
    depthRatio,
    volumeBelowMedian: (volumes.at(-1) ?? 0) < (medianOf(volumes) ?? 0),
    knownAt: current.start,
    evidence: {
      source: facts.venue,
      title: `thin book: spread ${numberText(spreadRatio, 1)} and depth ${numberText(depthRatio, 1)} times the week's median`,
      url,
      at: current.start,
    },
  })
  return changeFacts
}
