import type { PanelContent } from './panel-content.ts'
import type { PanelSpec } from '../../contract/panels/panel-spec.ts'
import type { PresetId } from '../../contract/panels/panel-names.ts'
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
import { subjectOf } from '../../contract/panels/panel-spec.ts'

/** A computation, and the key under which equal ones share the result. */
export interface ContentWork {
  readonly key: string
  /** @throws NotReady before the first load; any other error is a failure of the panel */
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

/** Computes the content of panels by their spec. */
export function createPanelContents(sources: PanelSources) {
  const presetWork = (id: SharedPreset): ContentWork => ({
    key: id,
    compute: () => SHARED[id](sources),
  })
  return {
    presetWork,
    /** Equal presets and screens share a computation; a watchlist belongs to its user. */
    workFor(spec: PanelSpec, userId: string): ContentWork {
      const subject = subjectOf(spec)
      const filters = spec.filters ?? {}
      if (spec.kind === 'preset') {
        if (subject in SHARED) return presetWork(subject as SharedPreset)
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
