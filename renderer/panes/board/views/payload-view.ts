import type { PanelPayload } from '../../../../backend/contract/panels/panel-payloads.ts'
import type { VolumeUnit } from '../../../../backend/domain/units.ts'
import { moversView, screenView, watchlistView } from './market-views.ts'
import type { PanelView } from './panel-view.ts'
import { contagionView, regimeView } from './structure-views.ts'
import { catalystsView, healthView, indexView, themesView } from './world-views.ts'

/**
 * The view of a payload.
 * @param now the service's time, for relative times
 * @param unit of volumes, as the user chose
 */
export function viewOf(payload: PanelPayload, now: number, unit: VolumeUnit): PanelView {
  // A screen may have the same name as a preset; its rows distinguish it.
  if ('rows' in payload) return screenView(payload, unit)
  switch (payload.kind) {
    case 'sf_index_24h':
      return indexView(payload, now)
    case 'liquidity_by_theme':
      return themesView(payload)
    case 'regime_attention':
      return regimeView(payload, unit)
    case 'cross_venue_contagion':
      return contagionView(payload)
    case 'movers_volume_z':
      return moversView(payload, unit)
    case 'data_health':
      return healthView(payload, now)
    case 'calendar_catalysts':
      return catalystsView(payload, now)
    case 'watchlist_microstructure':
      return watchlistView(payload, unit)
  }
}
