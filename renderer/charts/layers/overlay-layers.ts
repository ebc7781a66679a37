import type { ChartLayer } from './chart-layer.ts'
import { PriceLinesLayer, StudyPaneLayer, type StudyPane } from './line-layers.ts'
import type { OverlayLine } from './overlay-lines.ts'
import type { DrawnChart } from '../price-chart.ts'
import { VolumeProfileLayer } from './volume-profile-layer.ts'

/** Overlays of a chart besides its own price. */
export interface OverlayPlan {
  readonly priceLines: readonly OverlayLine[]
  readonly panes: readonly { readonly pane: StudyPane; readonly lines: readonly OverlayLine[] }[]
  readonly hasProfile: boolean
}

/** Layers of a chart that follow a plan: those that stay keep their place. */
export class OverlayLayers {
  readonly #chart: DrawnChart
  readonly #layers = new Map<string, { readonly layer: ChartLayer; readonly remove: () => void }>()

  constructor(chart: DrawnChart) {
    this.#chart = chart
  }

  show({ priceLines, panes, hasProfile }: OverlayPlan): void {
    const ids = new Set([
      ...(priceLines.length > 0 ? ['prices'] : []),
      ...(hasProfile ? ['profile'] : []),
      ...panes.map(({ pane }) => pane.title),
    ])
    for (const [key, { remove }] of this.#layers) {
      if (ids.has(key)) continue
      remove()
      this.#layers.delete(key)
    }
    if (priceLines.length > 0) {
      const create = () => new PriceLinesLayer((cents) => cents.toFixed(1))
      this.#layer('prices', create).show(priceLines)
    }
    if (hasProfile) this.#layer('profile', () => new VolumeProfileLayer())
    for (const { pane, lines } of panes) {
      this.#layer(pane.title, () => new StudyPaneLayer(pane)).show(lines)
    }
  }

  remove(): void {
    for (const { remove } of this.#layers.values()) remove()
    this.#layers.clear()
  }

  #layer<L extends ChartLayer>(key: string, create: () => L): L {
    const existing = this.#layers.get(key)?.layer as L | undefined
    if (existing !== undefined) return existing
    const layer = create()
    this.#layers.set(key, { layer, remove: this.#chart.addLayer(layer) })
    return layer
  }
}
