import type {
  ContextSnapshot,
  MarketQuantities,
} from '../../../computed/snapshot/context-snapshot.ts'
import { measuredRegime } from '../../../domain/regime/label.ts'
import type { RegimeLabel } from '../../../domain/regime/label.ts'
import type { MarketRegime } from '../../../domain/regime/regime.ts'
import { regimeSummary } from '../../../domain/world/salient/regime-sentence.ts'
import { refOf, roundOrNull } from '../../../http/presenters/market-ref.ts'
import type { PanelContent } from '../panel-content.ts'
import type { RegimeBucket, RegimePanel } from '../../../contract/panels/panel-payloads.ts'
import type { PanelSources } from '../panel-sources.ts'

const MAX_MARKETS = 15
const BUCKETS: readonly RegimeLabel[] = ['maker', 'neutral', 'taker', 'unknown']

interface LabelledMarket {
  readonly quantities: MarketQuantities
  readonly label: RegimeLabel
  readonly score: number | null
  readonly change: number | null
}

const regimeMeasures = (regime: MarketRegime) => measuredRegime(regime, regime.nTrades)
const scoreIn = (snapshot: ContextSnapshot | null, ticker: string): number | null => {
  const regime = snapshot?.markets.get(ticker)?.regime ?? null
  return regime === null ? null : regimeMeasures(regime).score
}

/** Active markets with a regime, and the change of their score over a day. */
const labelledMarkets = (
  snapshot: ContextSnapshot,
  previousSnapshot: ContextSnapshot | null,
): LabelledMarket[] =>
  [...snapshot.markets.values()].flatMap((quantities) => {
    const { regime, view } = quantities
    if (regime === null || view.status !== 'active') return []
    const previous = scoreIn(previousSnapshot, view.facts.ticker)
    const { label, score } = regimeMeasures(regime)
    const change = previous === null || score === null ? null : roundOrNull(score - previous, 4)
    return [{ quantities, label, score, change }]
  })

function bucketOf(label: RegimeLabel, all: readonly LabelledMarket[]): RegimeBucket {
  const marketsWithLabel = all.filter((market) => market.label === label)
  const dollars = marketsWithLabel.flatMap(({ quantities }) => quantities.view.volume24hUsd ?? [])
  const scores = marketsWithLabel.flatMap(({ score }) => score ?? [])
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    label,
    count: marketsWithLabel.length,
    volume24hUsd: dollars.length === 0 ? null : roundOrNull(sum(dollars)),
    meanAsScore: scores.length === 0 ? null : roundOrNull(sum(scores) / scores.length, 4),
  }
}

const size = ({ change }: LabelledMarket): number => (change === null ? -1 : Math.abs(change))
const tickerOf = ({ quantities }: LabelledMarket): string => quantities.view.facts.ticker

/** Regime labels, and the markets whose score changed most over the day. */
export async function regimeAttention({
  context,
  dayEarlier,
  urls,
}: Pick<PanelSources, 'context' | 'dayEarlier' | 'urls'>): Promise<PanelContent> {
  const snapshot = await context.snapshot(null)
  const { world } = await context.world(null)
  const all = labelledMarkets(snapshot, await dayEarlier(snapshot))
  const markets: RegimePanel['markets'] = all
    .toSorted((a, b) => size(b) - size(a) || (tickerOf(a) < tickerOf(b) ? -1 : 1))
    .slice(0, MAX_MARKETS)
    .map(({ quantities, label, score, change }) => ({
      ...refOf(quantities.view, urls),
      label,
      asScore: score,
      change24h: change,
      volume24h: roundOrNull(quantities.view.volume24h, 6),
      volumeZ: roundOrNull(quantities.surprise.vr, 3),
    }))
  return {
    payload: {
      kind: 'regime_attention',
      buckets: BUCKETS.map((label) => bucketOf(label, all)),
      markets,
      regimeSummary: regimeSummary(world.universe),
    },
    source: { name: 'regime_snapshots', asOf: snapshot.at, cadence: 'computed' },
  }
}
