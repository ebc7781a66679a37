import type { PanelPayload } from '../../api/watch-types.ts'
import { moversView, screenView, watchlistView } from './market-views.ts'
import type { PanelView } from './panel-view.ts'
import { contagionView, regimeView } from './structure-views.ts'
import { catalystsView, healthView, indexView, themesView } from './world-views.ts'

/** What a payload says. @param now the service's time, for what is told from now */
export function viewOf(payload: PanelPayload, now: number): PanelView {
  // A screen may bear the name of a preset: its rows tell it apart.
  if ('rows' in payload) return screenView(payload)
  switch (payload.kind) {
    case 'sf_index_24h':
      return indexView(payload, now)
    case 'liquidity_by_theme':
      return themesView(payload)
    case 'regime_attention':
      return regimeView(payload)
    case 'cross_venue_contagion':
      return contagionView(payload)
    case 'movers_volume_z':
      return moversView(payload)
    case 'data_health':
      return healthView(payload, now)
    case 'calendar_catalysts':
      return catalystsView(payload, now)
    case 'watchlist_microstructure':
      return watchlistView(payload)
  }
}
