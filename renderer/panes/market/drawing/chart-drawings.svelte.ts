import type { DrawingsLayer } from '../../../charts/layers/drawings-layer.ts'
import type { DrawnChart } from '../../../charts/price-chart.ts'
import type { Pane } from '../../../shell/dock/pane.svelte.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import type { MenuItem } from '../../../ui/menu/menu.ts'
import { drawingsSyncOf } from './drawings-sync.ts'
import { DrawingTool, TOOL_LABELS, TOOLS } from './drawing-tool.svelte.ts'

interface Inputs {
  readonly terminal: () => Terminal
  readonly pane: () => Pane
  readonly ticker: () => string | null
  readonly chart: () => DrawnChart | null
}

/** Drawings of the chart's market, and the tool. Create it during a component's initialisation. */
export class ChartDrawings {
  readonly #inputs: Inputs
  readonly tool: DrawingTool
  readonly all = $derived.by(() => {
    const { terminal, ticker } = this.#inputs
    return terminal().drawings.get(ticker())
  })
  /** Levels are drawn by the chart itself. */
  readonly #isUsed = $derived.by(
    () => this.tool.draft !== null || this.all.some(({ kind }) => kind !== 'level'),
  )
  #layer = $state.raw<DrawingsLayer | null>(null)

  constructor(inputs: Inputs) {
    this.#inputs = inputs
    this.tool = new DrawingTool((drawing) => {
      const ticker = inputs.ticker()
      if (ticker !== null) inputs.terminal().drawings.add(ticker, drawing)
    })
    $effect(() => {
      const sync = drawingsSyncOf(inputs.terminal())
      return inputs.pane().visible ? sync.watch() : undefined
    })
    $effect(() => drawingsSyncOf(inputs.terminal()).follow())
    $effect(() => this.#addLayer())
    $effect(() => this.#layer?.show(this.all, this.tool.draft))
    $effect(() => this.#allowUndo())
  }

  /** Tools to begin a drawing with, at the crosshair or the newest price. */
  menu(time: number | null): readonly MenuItem[] {
    const chart = this.#inputs.chart()
    const position = chart?.positionAt(time) ?? null
    const at = position === null ? null : (chart?.pointOf(position.x, position.y) ?? null)
    return TOOLS.map((kind) => ({
      label: TOOL_LABELS[kind],
      run: () => this.tool.begin(kind, at),
    }))
  }

  #addLayer(): (() => void) | undefined {
    const chart = this.#inputs.chart()
    if (chart === null || !this.#isUsed) return
    let remove: (() => void) | null = null
    let isDisposed = false
    void import('../../../charts/layers/drawings-layer.ts').then(({ DrawingsLayer }) => {
      if (isDisposed) return
      const layer = new DrawingsLayer()
      remove = chart.addLayer(layer)
      this.#layer = layer
    })
    return () => {
      isDisposed = true
      remove?.()
      this.#layer = null
    }
  }

  /** UNDO in this pane takes back a drawing before a change of the layout. */
  #allowUndo(): (() => void) | undefined {
    const ticker = this.#inputs.ticker()
    const { drawings } = this.#inputs.terminal()
    const pane = this.#inputs.pane()
    if (ticker === null) return
    pane.edits = { undo: () => drawings.undo(ticker), redo: () => drawings.redo(ticker) }
    return () => (pane.edits = null)
  }
}
