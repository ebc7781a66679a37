import { roundOrNull } from '../../../http/presenters/market-ref.ts'
import type { PanelContent } from '../panel-content.ts'
import type { PanelSources } from '../panel-sources.ts'

const MAX_THEMES = 20

/** Liquidity by theme, and the total volume. */
export async function liquidityByTheme({
  reads,
  context,
}: Pick<PanelSources, 'reads' | 'context'>): Promise<PanelContent> {
  const { at } = await context.snapshot(null)
  const themes = await reads.themes()
  const present = themes.flatMap(({ volume24hUsd }) => volume24hUsd ?? [])
  const total = present.length === 0 ? null : present.reduce((sum, usd) => sum + usd, 0)
  return {
    payload: {
      kind: 'liquidity_by_theme',
      themes: themes.slice(0, MAX_THEMES),
      totalVolume24hUsd: roundOrNull(total),
    },
    source: { name: 'theme_liquidity', asOf: at, cadence: 'computed' },
  }
}
