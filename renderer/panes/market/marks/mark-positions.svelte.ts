import type { FillsLayer, OwnFill } from '../../../charts/layers/fills-layer.ts'
import type { PlacedMark } from '../../../charts/mark-kinds.ts'
import type { DrawnChart } from '../../../charts/price-chart.ts'
import type { ChartEvent } from './chart-events.ts'

interface Inputs {
  readonly events: () => readonly ChartEvent[]
  readonly chart: () => DrawnChart | null
  /** The element of the pane. */
  readonly frame: () => HTMLElement | null
}

/**
 * Where a chart draws its events: fills at their price, others as lines. Create it during a
 * component's initialisation.
 */
export class MarkPositions {
  readonly #inputs: Inputs
  #instantMarks = $state.raw<readonly PlacedMark[]>([])
  #fillMarks = $state.raw<readonly PlacedMark[]>([])
  #layer = $state.raw<FillsLayer | null>(null)

  /** Events without a price. */
  readonly instants: readonly ChartEvent[] = $derived.by(() =>
    this.#inputs.events().filter(({ fill }) => fill === null),
  )
  readonly #fills: readonly OwnFill[] = $derived.by(() =>
    this.#inputs
      .events()
      .flatMap(({ id, time, fill }) => (fill === null ? [] : [{ id, time, ...fill }])),
  )
  readonly #hasFills = $derived.by(() => this.#fills.length > 0)
  readonly all: readonly PlacedMark[] = $derived.by(() => [
    ...this.#instantMarks,
    ...this.#fillMarks,
  ])

  constructor(inputs: Inputs) {
    this.#inputs = inputs
    $effect(() => this.#addLayer())
    $effect(() => this.#layer?.show(this.#fills))
  }

  placeInstants(marks: readonly PlacedMark[]): void {
    this.#instantMarks = marks
  }

  /** Moves the focus to the next or previous mark; to the last one from elsewhere. */
  step(by: 1 | -1): void {
    const marks = [...(this.#inputs.frame()?.querySelectorAll<HTMLElement>('[data-mark]') ?? [])]
    const focusedIndex = marks.findIndex((mark) => mark === document.activeElement)
    marks
      .at(focusedIndex < 0 ? -1 : (focusedIndex + by) % marks.length)
      ?.focus({ preventScroll: true })
  }

  /** Moves the focus from a mark to the chart. */
  focusChart(): void {
    this.#inputs.frame()?.querySelector<HTMLElement>('[data-focus]')?.focus()
  }

  #addLayer(): (() => void) | undefined {
    const chart = this.#inputs.chart()
    if (chart === null || !this.#hasFills) return
    let remove: (() => void) | null = null
    let isDisposed = false
    void import('../../../charts/layers/fills-layer.ts').then(({ FillsLayer }) => {
      if (isDisposed) return
      const layer = new FillsLayer((marks) => (this.#fillMarks = marks))
      remove = chart.addLayer(layer)
      this.#layer = layer
    })
    return () => {
      isDisposed = true
      remove?.()
      this.#layer = null
    }
  }
}
