import type { Grid, GridMarket } from '../../../computed/grid/grid.ts'
import type { RegimeLabel } from '../../../domain/regime-label.ts'
import type { MarketRegime } from '../../../domain/regime.ts'
import { regimeSummary } from '../../../domain/world/regime-sentence.ts'
import { refOf, rounded } from '../../../http/market-ref.ts'
import type { PanelContent } from '../panel-content.ts'
import type { RegimeBucket, RegimePanel } from '../panel-payloads.schema.ts'
import type { PanelSources } from '../panel-sources.ts'

const MOST_MARKETS = 15
const BUCKETS: readonly RegimeLabel[] = ['maker', 'neutral', 'taker']

interface Labelled {
  readonly known: GridMarket
  readonly regime: MarketRegime
  readonly change: number | null
}

const scoreIn = (grid: Grid | null, ticker: string): number | null =>
  grid?.markets.get(ticker)?.regime?.score ?? null

/** Active markets that have a regime, with the change of their score over a day. */
const labelledIn = (grid: Grid, earlier: Grid | null): Labelled[] =>
  [...grid.markets.values()].flatMap((known) => {
    const { regime, view } = known
    if (regime === null || view.status !== 'active') return []
    const before = scoreIn(earlier, view.facts.ticker)
    return [{ known, regime, change: before === null ? null : rounded(regime.score - before, 4) }]
  })

function bucketOf(label: RegimeLabel, all: readonly Labelled[]): RegimeBucket {
  const own = all.filter(({ regime }) => regime.label === label)
  const dollars = own.flatMap(({ known }) => known.view.volume24hUsd ?? [])
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  return {
    label,
    count: own.length,
    volume24hUsd: dollars.length === 0 ? null : rounded(sum(dollars)),
    meanAsScore:
      own.length === 0 ? null : rounded(sum(own.map(({ regime }) => regime.score)) / own.length, 4),
  }
}

const size = ({ change }: Labelled): number => (change === null ? -1 : Math.abs(change))
const tickerOf = ({ known }: Labelled): string => known.view.facts.ticker

/** Who is paid by crossing, and where that changed most over the day. */
export async function regimeAttention({
  context,
  dayEarlier,
  clock,
  urls,
}: Pick<PanelSources, 'context' | 'dayEarlier' | 'clock' | 'urls'>): Promise<PanelContent> {
  const grid = await context.grid(null)
  const { world } = await context.world(null)
  const all = labelledIn(grid, await dayEarlier(grid, clock.now()))
  const markets: RegimePanel['markets'] = all
    .toSorted((a, b) => size(b) - size(a) || (tickerOf(a) < tickerOf(b) ? -1 : 1))
    .slice(0, MOST_MARKETS)
    .map(({ known, regime, change }) => ({
      ...refOf(known.view, urls),
      label: regime.label,
      asScore: regime.score,
      change24h: change,
      volume24h: rounded(known.view.volume24h, 6),
      volumeZ: rounded(known.surprise.vr, 3),
    }))
  return {
    payload: {
      kind: 'regime_attention',
      buckets: BUCKETS.map((label) => bucketOf(label, all)),
      markets,
      regimeSummary: regimeSummary(world.universe),
    },
    source: { name: 'regime_snapshots', asOf: grid.at, cadence: 'computed' },
  }
}
