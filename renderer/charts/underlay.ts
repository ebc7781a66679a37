import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
} from 'lightweight-charts'

export type DrawTarget = Parameters<IPrimitivePaneRenderer['draw']>[0]

/** A primitive drawn below the series of a chart; both its view and its renderer. */
export abstract class Underlay
  implements ISeriesPrimitive, IPrimitivePaneView, IPrimitivePaneRenderer
{
  /** Null while it is attached to no chart. */
  protected chart: SeriesAttachedParameter | null = null

  attached(chart: SeriesAttachedParameter): void {
    this.chart = chart
  }

  detached(): void {
    this.chart = null
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return [this]
  }

  zOrder(): PrimitivePaneViewZOrder {
    return 'bottom'
  }

  renderer(): IPrimitivePaneRenderer {
    return this
  }

  abstract draw(target: DrawTarget): void
}
