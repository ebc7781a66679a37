import type { Time } from 'lightweight-charts'
import type { Band } from './series.ts'
import { Underlay, type DrawTarget } from './underlay.ts'

const STRIPE = 6

/** Hatched bands behind the candles, where a feed was interrupted. */
export class GapBands extends Underlay {
  #gaps: readonly Band[] = []
  #colour = ''

  setGaps(gaps: readonly Band[]): void {
    this.#gaps = gaps
    this.chart?.requestUpdate()
  }

  colour(colour: string): void {
    this.#colour = colour
    this.chart?.requestUpdate()
  }

  /** The gap at a slot's time. */
  at(time: number): Band | null {
    return this.#gaps.find(({ from, to }) => from <= time && time <= to) ?? null
  }

  draw(target: DrawTarget): void {
    const scale = this.chart?.chart.timeScale()
    if (scale === undefined || this.#gaps.length === 0) return
    const halfBar = scale.options().barSpacing / 2
    const edges = this.#gaps.flatMap(({ from, to }) => {
      const left = scale.timeToCoordinate(from as Time & number)
      const right = scale.timeToCoordinate(to as Time & number)
      return left === null || right === null
        ? []
        : [{ left: left - halfBar, right: right + halfBar }]
    })
    target.useBitmapCoordinateSpace(({ context, bitmapSize, horizontalPixelRatio: ratio }) => {
      context.strokeStyle = this.#colour
      context.lineWidth = ratio
      for (const edge of edges) {
        const left = Math.max(0, edge.left * ratio)
        const right = Math.min(bitmapSize.width, edge.right * ratio)
        if (right > left)
          drawHatch(context, { left, right, height: bitmapSize.height }, STRIPE * ratio)
      }
    })
  }
}

/** Slanted lines through a band, aligned to the whole pane so that neighbours join. */
function drawHatch(
  context: CanvasRenderingContext2D,
  { left, right, height }: { left: number; right: number; height: number },
  step: number,
): void {
  context.save()
  context.beginPath()
  context.rect(left, 0, right - left, height)
  context.clip()
  context.beginPath()
  for (let x = Math.floor(left / step) * step; x < right + height; x += step) {
    context.moveTo(x, 0)
    context.lineTo(x - height, height)
  }
  context.stroke()
  context.restore()
}
