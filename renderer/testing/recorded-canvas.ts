import type { DrawTarget, Underlay } from '../charts/underlay.ts'
import type { ChartColours } from '../charts/layers/chart-colours.ts'
import type { ChartLayer } from '../charts/layers/chart-layer.ts'
import type { ChartBar } from '../charts/chart-bars.ts'

/** Unix seconds of the first bar, and seconds of each. */
export const FIRST_BAR = 1_200
export const BAR_SPAN = 60
/** Size of the canvas in px; its top is the price 100, and a pixel is a cent. */
export const CANVAS = { width: 100, height: 100 }

export const COLOURS: ChartColours = {
  background: 'background',
  text: 'text',
  faint: 'faint',
  line: 'line',
  up: 'up',
  down: 'down',
  upSoft: 'upSoft',
  downSoft: 'downSoft',
  edge: 'edge',
  price: 'price',
  priceSoft: 'priceSoft',
  gap: 'gap',
  event: 'event',
  lines: ['first', 'second'],
  fontFamily: 'Sans',
}

/** A bar without trades and quotes. */
export const barAt = (index: number, more: Partial<ChartBar> = {}): ChartBar => ({
  time: FIRST_BAR + index * BAR_SPAN,
  candle: null,
  bid: null,
  ask: null,
  mid: null,
  price: null,
  source: null,
  isOld: false,
  ...more,
})

/** Prices below 0 have no place. */
export const yOf = (cents: number): number | null => (cents < 0 ? null : CANVAS.height - cents)

/** A chart whose bars are 10 px wide, the first from 0 to 10, of which those of `range` are in view. */
export function chartOf(range: { from: number; to: number } | null = { from: 0, to: 9 }) {
  let updates = 0
  const scale = {
    logicalToCoordinate: (slot: number) => 5 + 10 * slot,
    getVisibleLogicalRange: () => range,
    options: () => ({ barSpacing: 10 }),
    timeToCoordinate: (time: number) =>
      time < FIRST_BAR ? null : 5 + (10 * (time - FIRST_BAR)) / BAR_SPAN,
  }
  const chart = { timeScale: () => scale }
  const attached = { chart, requestUpdate: () => void (updates += 1) }
  return { chart, attached: attached as never, updates: () => updates }
}

/** A drawing context that records its calls and settings, in order. */
export function recordedContext() {
  const calls: string[] = []
  const values: Record<string, unknown> = {}
  const context = new Proxy(values, {
    get:
      (_target, name) =>
      (...args: readonly unknown[]) =>
        calls.push(`${String(name)} ${args.join(' ')}`.trim()),
    set: (_target, name, value) => {
      calls.push(`${String(name)}=${String(value)}`)
      return true
    },
  })
  return { context: context as unknown as CanvasRenderingContext2D, calls }
}

/** The calls on a canvas, in order. */
export function callsOf(drawing: Pick<Underlay, 'draw'>, ratio = 1): string[] {
  const { context, calls } = recordedContext()
  const bitmapSize = { width: CANVAS.width * ratio, height: CANVAS.height * ratio }
  drawing.draw({
    useMediaCoordinateSpace: (draw: (space: object) => void) =>
      draw({ context, mediaSize: CANVAS }),
    useBitmapCoordinateSpace: (draw: (space: object) => void) =>
      draw({ context, bitmapSize, horizontalPixelRatio: ratio }),
  } as unknown as DrawTarget)
  return calls
}

/** A layer on a chart; `attached` are the primitives that it has on the price. */
export function layerOnChart<Layer extends ChartLayer>(
  layer: Layer,
  range?: { from: number; to: number },
) {
  const { chart, attached: parameter, updates } = chartOf(range)
  const attached: Underlay[] = []
  const price = {
    attachPrimitive(drawing: Underlay) {
      attached.push(drawing)
      drawing.attached(parameter)
    },
    detachPrimitive(drawing: Underlay) {
      attached.splice(attached.indexOf(drawing), 1)
      drawing.detached()
    },
  }
  layer.attach({ chart, price, yOf } as never)
  return { layer, attached, updates, calls: () => attached.flatMap((drawing) => callsOf(drawing)) }
}
