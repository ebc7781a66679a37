import { measuredRegime } from '../../domain/regime/label.ts'
import type { ContextSnapshot } from '../../computed/snapshot/context-snapshot.ts'
import type { BoardView, MarketView } from '../../computed/board/market-board.ts'
import { memoizeByKey } from '../../computed/memoized-by-key.ts'
import { indicatorsIn, priceRatios } from '../../computed/served-indicators.ts'
import type { ServedIndicators } from '../../computed/served-indicators.ts'
import { tauAt } from '../../domain/prices/indicators.ts'
import type { ContagionGap } from '../../domain/links/contagion.ts'
import { marketDiff } from '../../domain/changes/market-diff.ts'
import type { DiffReading } from '../../domain/changes/market-diff.ts'
import type { Ticker } from '../../domain/market.ts'
import { PAIRING_PRESETS } from '../../domain/pairing/params.ts'
import { regimeBreakdown } from '../../domain/regime/regime.ts'
import { DAY, roundTo } from '../../domain/units.ts'
import type { Cents, Millis } from '../../domain/units.ts'
import { contagionLinkOf } from '../../http/presenters/contagion-link.ts'
import { crossMatchesOf } from '../../http/presenters/cross-match.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { rowOf } from '../../http/presenters/market-row.ts'
import { isoOf } from '../../lib/clock.ts'
import { dossierActions } from './dossier-actions.ts'
import type { InspectDeps } from './inspect.deps.ts'
import type { InspectQuery, SharedDossier } from '../../contract/inspect.ts'
import { suggestionFor } from './suggestion-of-market.ts'

const MAX_MATCHES = 5
const MAX_LINKS = 10
/** Window of the gaps shown in a dossier. */
const WINDOW = '6h'

/** Input of a dossier: one market at one instant. */
export interface InspectedMarket {
  readonly view: MarketView
  readonly at: Millis
  /** Whether `at` is the present. */
  readonly isNow: boolean
  readonly boardView: BoardView
  readonly snapshot: ContextSnapshot | null
}

type Parts = Pick<InspectQuery, 'contagion' | 'diff' | 'trend' | 'nextActions'>

/** Gaps of a snapshot by either market. */
const gapsByMarket = memoizeByKey((snapshot: ContextSnapshot) => {
  const gapsByTicker = new Map<Ticker, ContagionGap[]>()
  for (const gap of snapshot.gaps(WINDOW)) {
    for (const ticker of [gap.trigger, gap.lagging]) {
      const existing = gapsByTicker.get(ticker)
      if (existing === undefined) gapsByTicker.set(ticker, [gap])
      else existing.push(gap)
    }
  }
  return gapsByTicker
})

const byStrength = (a: ContagionGap, b: ContagionGap): number =>
  b.strength - a.strength ||
  (a.trigger < b.trigger ? -1 : a.trigger > b.trigger ? 1 : a.lagging < b.lagging ? -1 : 1)

/** The caller-independent part of a market's dossier. */
export function createDossiers({
  dayEarlier,
  judgements,
  trends,
  urls,
}: Pick<InspectDeps, 'dayEarlier' | 'judgements' | 'trends' | 'urls'>) {
  const contagionOf = async ({ view, snapshot }: InspectedMarket) => {
    const { ticker } = view.facts
    const gaps = snapshot === null ? [] : (gapsByMarket(snapshot).get(ticker) ?? [])
    if (snapshot === null || gaps.length === 0) return []
    const since = await judgements.gapsSince(snapshot, WINDOW)
    return [...gaps]
      .sort(byStrength)
      .slice(0, MAX_LINKS)
      .flatMap(
        (gap) =>
          contagionLinkOf(gap, WINDOW, (name) => snapshot.markets.get(name), since(gap), urls) ??
          [],
      )
  }

  /** Prices and ratios at both instants; fields known only to snapshots come from the snapshots. */
  const diffOf = async (inspectedMarket: InspectedMarket, indicators: ServedIndicators) => {
    const { view, at, snapshot, isNow } = inspectedMarket
    const from = (at - DAY) as Millis
    const then = await dayEarlier.snapshotBefore(snapshot, isNow)
    const existing = then?.markets.get(view.facts.ticker)
    const price =
      view.price === null || view.change24h === null
        ? (existing?.view.price ?? null)
        : (roundTo(view.price - view.change24h, 4) as Cents)
    const closeTime = (existing?.view.facts ?? view.facts).closeTime
    const ratios = priceRatios({
      price,
      tau: tauAt(closeTime, from),
      spread: existing?.view.spread ?? null,
      hasOrderbook: existing?.view.hasOrderbook ?? false,
    })
    const wasListed = price !== null || existing !== undefined
    const previous: DiffReading | null = wasListed
      ? {
          price,
          ...ratios,
          ee: null,
          rv: existing?.rates.rv ?? null,
          vr: roundOrNull(existing?.surprise.vr ?? null, 3),
          overround: existing?.overround ?? null,
        }
      : null
    const { iyYes, iyNo, cri, ee, las, rv, vr, overround } = indicators
    const now: DiffReading = { price: view.price, iyYes, iyNo, cri, ee, las, rv, vr, overround }
    return { from: isoOf(from), to: isoOf(at), ...marketDiff(previous, now) }
  }

  /** Days until the end: a venue repeats the last price of an ended market as long as it lists it. */
  const trendOf = async ({ view, at, isNow }: InspectedMarket) => {
    const { closeTime } = view.facts
    const isOver = ['closed', 'resolving', 'settled'].includes(view.status)
    const lastDay = isOver && closeTime !== null ? isoOf(closeTime).slice(0, 10) : null
    return (await trends.read(view, at, isNow))
      .filter(({ date }) => lastDay === null || date <= lastDay)
      .map((day) => ({
        ...day,
        price: roundOrNull(day.price),
        high: roundOrNull(day.high),
        low: roundOrNull(day.low),
        volume: roundOrNull(day.volume, 6),
      }))
  }

  const regimeOf = ({ view, snapshot, at }: InspectedMarket): SharedDossier['regime'] => {
    const existing = snapshot?.markets.get(view.facts.ticker)
    const regime = view.status === 'active' ? (existing?.regime ?? null) : null
    if (regime === null) {
      const computedAt = isoOf(snapshot?.at ?? at)
      return { label: 'unknown', asScore: null, signals: [], computedAt, trendLabel: null }
    }
    const { label, score } = measuredRegime(regime, regime.nTrades)
    return {
      label,
      asScore: score,
      signals: regimeBreakdown(regime),
      computedAt: isoOf(regime.computedAt),
      trendLabel: existing?.trendLabel ?? null,
    }
  }

  return {
    async dossier(inspectedMarket: InspectedMarket, parts: Parts): Promise<SharedDossier> {
      const { view, at, boardView, snapshot } = inspectedMarket
      const { facts } = view
      const indicators = indicatorsIn(boardView, snapshot)(view)
      const [contagion, diff24h, trend7d] = await Promise.all([
        parts.contagion ? contagionOf(inspectedMarket) : null,
        parts.diff ? diffOf(inspectedMarket, indicators) : null,
        parts.trend ? trendOf(inspectedMarket) : null,
      ])
      const suggestion = suggestionFor(view, snapshot)
      const row = rowOf(view, urls)
      const { ticker, venue, title, category, eventTitle, status, result } = row
      const { price, bestBid, bestAsk, spread, lastPrice, volume, volume24h, volumeUnit } = row
      const { openInterest, liquidityScore, closeTime, slug, pageUrl, apiUrl, inspectUrl } = row
      const { positives, warnings } = suggestion
      return {
        ticker,
        venue,
        title,
        description: facts.description,
        category,
        eventTitle,
        status,
        result,
        price,
        bestBid,
        bestAsk,
        spread,
        lastPrice,
        volume,
        volume24h,
        volumeUnit,
        openInterest,
        liquidityScore,
        closeTime,
        slug,
        suggestion: { ...suggestion, positives: [...positives], warnings: [...warnings] },
        regime: regimeOf(inspectedMarket),
        indicators,
        edges: [],
        crossVenue: crossMatchesOf(
          view,
          snapshot?.pairsOf.get(ticker) ?? [],
          PAIRING_PRESETS.detail,
          (other) => boardView.get(other),
          urls,
        ).slice(0, MAX_MATCHES),
        ...(contagion === null ? {} : { contagion }),
        ...(diff24h === null ? {} : { diff24h }),
        ...(trend7d === null ? {} : { trend7d }),
        legislation: [],
        ...(parts.nextActions ? { nextActions: dossierActions(view, suggestion, urls) } : {}),
        asOf: isoOf(at),
        pageUrl,
        apiUrl,
        inspectUrl,
        ...(row.sample === undefined ? {} : { sample: row.sample }),
      }
    },
  }
}
