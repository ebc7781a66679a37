import type { Logical } from 'lightweight-charts'
import { positionOnAxis, type Axis } from './series.ts'
import { Underlay } from './underlay.ts'

/** Something drawn at times of its own, between the bars and beyond them, in given colours. */
export abstract class TimedUnderlay<Colours> extends Underlay {
  protected colours: Colours | null = null
  #axis: Axis | null = null

  colour(colours: Colours): void {
    this.colours = colours
    this.chart?.requestUpdate()
  }

  /** Maps times to coordinates; null while there is no bar. */
  measure(axis: Axis | null): void {
    this.#axis = axis
    this.chart?.requestUpdate()
  }

  /** Horizontal positions of times in Unix seconds; null while nothing can be placed. */
  protected positions(): ((time: number) => number) | null {
    const scale = this.chart?.chart.timeScale()
    const axis = this.#axis
    if (scale === undefined || axis === null) return null
    // The library positions whole slots only; the axis is even, so two of them give all others.
    const zero = scale.logicalToCoordinate(0 as Logical)
    const secondX = scale.logicalToCoordinate(1 as Logical)
    if (zero === null || secondX === null) return null
    // A bar is drawn around its place, so its start is half a bar to the left.
    return (time) => zero + (positionOnAxis(axis, time) - 0.5) * (secondX - zero)
  }
}
