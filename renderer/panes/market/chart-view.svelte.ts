import type { ChartBar } from '../../charts/chart-bars.ts'
import type { DrawnChart } from '../../charts/price-chart.ts'
import type { Band } from '../../charts/series.ts'
import type { Pane } from '../../shell/dock/pane.svelte.ts'
import type { FillMark } from '../../shell/links/fill-marks.svelte.ts'
import type { Terminal } from '../../shell/terminal.svelte.ts'

/** Bars on each side of an opened fill. */
const BARS_AROUND = 60

interface Inputs {
  readonly terminal: Terminal
  readonly pane: Pane
  readonly ticker: string | null
  /** Seconds of a bar. */
  readonly seconds: number
  readonly hasBars: boolean
}

/** Crosshair and time range of a chart, shared within its link group. */
export class ChartView {
  readonly #inputs: () => Inputs
  chart = $state.raw<DrawnChart | null>(null)
  hoveredBar = $state.raw<ChartBar | null>(null)
  /** The feed gap under the crosshair. */
  hoveredGap = $state.raw<Band | null>(null)
  /** Whether the arrow keys move the crosshair. */
  isByKey = $state(false)
  /** Shows the time range that charts of its link group share. */
  isShared = $state(false)
  readonly crosshair = $derived.by(() => {
    const { terminal, pane } = this.#inputs()
    return terminal.crosshairs[pane.link]
  })
  #shownFill: FillMark | null = null

  /** Create it during a component's initialisation. */
  constructor(inputs: () => Inputs) {
    this.#inputs = inputs
    $effect(() => {
      if (this.crosshair?.pane === inputs().pane.id && !this.isByKey) return
      this.chart?.pointAt(this.crosshair?.time ?? null)
    })
    $effect(() => {
      const { terminal, pane } = inputs()
      const range = terminal.ranges[pane.link]
      if (this.isShared && range !== null && range.pane !== pane.id) this.chart?.showRange(range)
    })
    $effect(() => this.#showOpenedFill())
  }

  /** Sets the crosshair of the link group, in Unix seconds, or removes it. */
  point(time: number | null): void {
    const { terminal, pane } = this.#inputs()
    const { link, id } = pane
    const { crosshair } = this
    // A pointer that leaves this pane must not remove another pane's crosshair.
    if (time === null && crosshair !== null && crosshair.pane !== id) return
    terminal.crosshairs[link] = time === null ? null : { time, pane: id }
  }

  stepCrosshair(by: number): void {
    const next = this.chart?.timeBeside(this.crosshair?.time ?? null, by) ?? null
    if (next !== null) this.point(next)
  }

  toggleCrosshair(): void {
    this.isByKey = !this.isByKey
    if (this.isByKey) this.stepCrosshair(0)
    else {
      this.chart?.pointAt(null)
      this.point(null)
    }
  }

  /** The user moved the view. */
  onViewMoved(view: Band): void {
    const { terminal, pane } = this.#inputs()
    if (this.isShared) terminal.ranges[pane.link] = { ...view, pane: pane.id }
  }

  toggleShared(): void {
    const { terminal, pane } = this.#inputs()
    this.isShared = !this.isShared
    terminal.showNotice(
      this.isShared ? `Time range shared with charts of group ${pane.link}` : 'Own time range',
    )
  }

  /** Scrolls the opened fill into view once, with the bars around it. */
  #showOpenedFill(): void {
    const { terminal, pane, ticker, seconds, hasBars } = this.#inputs()
    const fill = terminal.fillMarks.fillOf(pane.link, ticker)
    const { chart } = this
    if (fill === null || chart === null || !hasBars || fill === this.#shownFill) return
    this.#shownFill = fill
    const halfRange = BARS_AROUND * seconds
    // After the chart has shown its newest bars.
    requestAnimationFrame(() => {
      chart.showRange({ from: fill.time - halfRange, to: fill.time + halfRange })
      // The position of a bar is known once the range is drawn.
      requestAnimationFrame(() => chart.pointAt(fill.time))
    })
  }
}
