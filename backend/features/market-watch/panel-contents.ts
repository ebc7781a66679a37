import type { PanelContent } from './panel-content.ts'
import type { PanelSpec } from './panel-spec.schema.ts'
import type { PresetId } from './panel-words.ts'
import type { PanelSources } from './panel-sources.ts'
import { calendarCatalysts } from './presets/catalysts.ts'
import { crossVenueContagion } from './presets/contagion.ts'
import { dataHealth } from './presets/data-health.ts'
import { index24h } from './presets/index-24h.ts'
import { moversByVolume } from './presets/movers.ts'
import { priceScreen, unreadScreen } from './presets/price-screen.ts'
import { regimeAttention } from './presets/regime-attention.ts'
import { liquidityByTheme } from './presets/themes.ts'
import { watchlistMicrostructure } from './presets/watchlist.ts'
import { subjectOf } from './panel-spec.schema.ts'

/** Something to compute, and the name under which equal ones share what came out. */
export interface ContentWork {
  readonly key: string
  /** @throws NotReady before the first load is finished; any other failure is one of the panel */
  compute(): Promise<PanelContent>
}

const SHARED: Readonly<
  Record<
    Exclude<PresetId, 'watchlist_microstructure'>,
    (sources: PanelSources) => Promise<PanelContent>
  >
> = {
  sf_index_24h: index24h,
  liquidity_by_theme: liquidityByTheme,
  regime_attention: regimeAttention,
  cross_venue_contagion: crossVenueContagion,
  movers_volume_z: moversByVolume,
  data_health: dataHealth,
  calendar_catalysts: calendarCatalysts,
}
export type SharedPreset = keyof typeof SHARED

/** What panels show, by what they ask for. */
export function createPanelContents(sources: PanelSources) {
  const ofPreset = (id: SharedPreset): ContentWork => ({
    key: id,
    compute: () => SHARED[id](sources),
  })
  return {
    ofPreset,
    /** Equal presets and screens are one piece of work; a watchlist is its user's own. */
    of(spec: PanelSpec, userId: string): ContentWork {
      const subject = subjectOf(spec)
      const filters = spec.filters ?? {}
      if (spec.kind === 'preset') {
        if (subject in SHARED) return ofPreset(subject as SharedPreset)
        const tickers = filters.tickers ?? []
        return {
          key: `watchlist_microstructure ${userId} ${JSON.stringify(tickers)}`,
          compute: () => watchlistMicrostructure(sources, userId, tickers),
        }
      }
      const source = spec.sources?.[0] ?? 'latest_market_prices'
      return {
        key: `screen ${source} ${JSON.stringify(filters)}`,
        compute: () =>
          source === 'latest_market_prices'
            ? priceScreen(sources, filters)
            : Promise.resolve(unreadScreen(source, filters)),
      }
    },
  }
}
export type PanelContents = ReturnType<typeof createPanelContents>
