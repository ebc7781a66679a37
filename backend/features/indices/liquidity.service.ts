import type { MarketQuantities } from '../../computed/snapshot/context-snapshot.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { containsAll, termsOfFilter } from '../../domain/text/word-filter.ts'
import { themeLiquidity } from '../../domain/liquidity/theme-liquidity.ts'
import type { MarketLiquidity, ThemeLiquidity } from '../../domain/liquidity/theme-liquidity.ts'
import { TOPIC_LABELS } from '../../domain/topics/topic-rules.ts'
import { foldText } from '../../domain/text/tokens.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { refOf, roundOrNull } from '../../http/presenters/market-ref.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import type { IndicesDeps } from './indices.deps.ts'
import type {
  ThemeLiquidity as ServedTheme,
  LiquidityByTheme,
  LiquidityQuery,
} from '../../contract/indices.ts'

interface Member extends MarketLiquidity {
  readonly market: MarketQuantities
}

const memberOf = (market: MarketQuantities): Member => {
  const { view, theme, volumeDayAgoUsd } = market
  return {
    ticker: view.facts.ticker,
    theme,
    liquidityScore: view.liquidityScore,
    volume24hUsd: view.volume24hUsd,
    volume24hUsdDayAgo: volumeDayAgoUsd,
    // A contract pays a dollar.
    openInterestUsd: view.openInterest,
    bidDepthUsd: view.bidDepthUsd,
    askDepthUsd: view.askDepthUsd,
    spread: view.spread,
    market,
  }
}

const LABELS: Readonly<Record<string, string>> = TOPIC_LABELS

/** Label of a theme: the label of the topic, else the category's words. */
function labelOf(theme: string): string {
  const knownLabel = Object.hasOwn(LABELS, theme) ? LABELS[theme] : undefined
  if (knownLabel !== undefined) return knownLabel
  const themeText = theme.replaceAll('-', ' ')
  return themeText.charAt(0).toUpperCase() + themeText.slice(1)
}

const toResponse = (theme: ThemeLiquidity<Member>, urls: Urls): ServedTheme => ({
  theme: theme.theme,
  label: labelOf(theme.theme),
  marketCount: theme.marketCount,
  volume24hUsd: roundOrNull(theme.volume24hUsd),
  openInterestUsd: roundOrNull(theme.openInterestUsd),
  depthUsd: roundOrNull(theme.depthUsd),
  medianSpread: roundOrNull(theme.medianSpread),
  liquidityScore: theme.liquidityScore,
  change24hPct: theme.change24hPct,
  topMarkets: theme.top.map(({ market }) => refOf(market.view, urls)),
})

/** Liquidity by theme. Methodology F3. */
export function createLiquidityService({
  context,
  clock,
  urls,
}: Pick<IndicesDeps, 'context' | 'clock' | 'urls'>) {
  return {
    async byTheme({ q, category, venue, limit, asOf: requestedAsOf }: LiquidityQuery) {
      const now = clock.now()
      const asOf = notInFuture(requestedAsOf, now)
      const snapshot = await contextSnapshotAsOf(context, asOf)
      const counts = passes({ category, venue, topic: null, words: null })
      const terms = termsOfFilter(q ?? '')
      const members = [...(snapshot?.markets.values() ?? [])]
        .filter(({ view }) => view.status === 'active' && counts(view))
        .map(memberOf)
      const themes = themeLiquidity(members)
        .map((theme) => toResponse(theme, urls))
        .filter(({ theme, label }) => containsAll(foldText(`${theme} ${label}`), terms))
        .slice(0, limit)
      const generatedAt = isoOf(snapshot?.at ?? asOf ?? now)
      return { themes, count: themes.length, generatedAt } satisfies LiquidityByTheme
    },
  }
}
export type LiquidityService = ReturnType<typeof createLiquidityService>
