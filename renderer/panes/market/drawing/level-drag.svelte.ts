import { on } from 'svelte/events'
import { watchedPage } from '../../../api/alert-queries.ts'
import { targetOf } from '../../../api/path.ts'
import type { DrawnChart, Level } from '../../../charts/price-chart.ts'
import { formatCents } from '../../../lib/format.ts'
import type { Terminal } from '../../../shell/terminal.svelte.ts'
import type { MenuItem } from '../../../ui/menu/menu.ts'
import { toTick } from '../chart/to-tick.ts'
import type { DrawingTool } from './drawing-tool.svelte.ts'

interface Inputs {
  readonly terminal: () => Terminal
  readonly ticker: () => string | null
  /** Price step of the market in cents. */
  readonly tick: () => number
  /** Present price of the market in cents; null while it is unknown. */
  readonly price: () => number | null
  readonly levels: () => readonly Level[]
  readonly chart: () => DrawnChart | null
  readonly tool: DrawingTool
}

/** A pointer that moves less than this has clicked. */
const MIN_DRAG_PX = 4

/** Parts of a chart that handle the pointer themselves. */
const CONTROLS = 'button, input, select, form, .surface, [role="menu"]'

/** Moves the levels and alerts of a chart: by dragging their lines, or by keys from a menu. */
export class LevelDrag {
  readonly #inputs: Inputs
  #draggedLevel = $state.raw<Level | null>(null)
  /** The lines as drawn, the dragged one at its new price. */
  readonly levels = $derived.by(() =>
    this.#inputs
      .levels()
      .map((level) => (level.id === this.#draggedLevel?.id ? this.#draggedLevel : level)),
  )

  constructor(inputs: Inputs) {
    this.#inputs = inputs
  }

  /** Attaches the handling of the pointer to the region of the chart. */
  readonly attach = (region: HTMLElement): (() => void) => {
    const { chart, terminal } = this.#inputs
    let unbind: (() => void) | null = null
    /** Height at which the pointer was pressed; null once the line is dragged. */
    let pressedAt: number | null = null
    const heightOf = ({ clientY }: PointerEvent) => clientY - region.getBoundingClientRect().top
    const lineUnder = (event: PointerEvent): Level | null => {
      const isControl = event.target instanceof Element && event.target.closest(CONTROLS) !== null
      return isControl || event.pointerType === 'touch'
        ? null
        : (chart()?.levelAt(heightOf(event)) ?? null)
    }
    const end = () => {
      unbind?.()
      unbind = null
      this.#draggedLevel = null
    }
    const begin = (event: PointerEvent) => {
      const level = event.button === 0 ? lineUnder(event) : null
      if (level === null) return
      // Without the mouse events that would follow, the chart does not pan.
      event.preventDefault()
      region.focus({ preventScroll: true })
      region.setPointerCapture(event.pointerId)
      this.#draggedLevel = level
      pressedAt = heightOf(event)
      unbind = terminal().keys.bind('menu', [
        { chord: 'Escape', label: 'leave the line where it was', run: end },
      ])
    }
    const move = (event: PointerEvent) => {
      if (this.#draggedLevel === null) {
        region.style.cursor = lineUnder(event) === null ? '' : 'ns-resize'
        return
      }
      if (pressedAt !== null && Math.abs(heightOf(event) - pressedAt) < MIN_DRAG_PX) return
      pressedAt = null
      const at = chart()?.pointOf(0, heightOf(event)) ?? null
      if (at !== null)
        this.#draggedLevel = { ...this.#draggedLevel, price: toTick(at.price, this.#inputs.tick()) }
    }
    const drop = () => {
      const draggedLevel = this.#draggedLevel
      end()
      if (draggedLevel !== null) this.#store(draggedLevel, draggedLevel.price)
    }
    const removals = [
      on(region, 'pointerdown', begin, { capture: true }),
      on(region, 'pointermove', move),
      on(region, 'pointerup', drop),
      on(region, 'pointercancel', end),
    ]
    return () => {
      end()
      for (const remove of removals) remove()
    }
  }

  /** Items that move a line by keys: the tool places it again. */
  menu(time: number): readonly MenuItem[] {
    return this.#inputs.levels().map((level) => ({
      label: `Move ${level.kind === 'alert' ? 'alert' : 'level'} at ${formatCents(level.price)}`,
      run: () =>
        this.#inputs.tool.moveLevel({ time, price: level.price }, (price) =>
          this.#store(level, toTick(price, this.#inputs.tick())),
        ),
    }))
  }

  #store(level: Level, price: number): void {
    const ticker = this.#inputs.ticker()
    const previous = this.#inputs.levels().find(({ id }) => id === level.id)
    if (ticker === null || previous === undefined || previous.price === price) return
    if (level.kind === 'level') this.#inputs.terminal().drawings.moveLevel(ticker, level.id, price)
    else void this.#moveAlert(level.id, price)
  }

  async #moveAlert(id: string, threshold: number): Promise<void> {
    const terminal = this.#inputs.terminal()
    const { live } = terminal
    const now = this.#inputs.price()
    // On the other side of the price it waits for the opposite move.
    const condition =
      now === null ? {} : { condition: now >= threshold ? 'price_below' : 'price_above' }
    const target = targetOf('/api/alert-rules/:id', { id })
    const answer = await live.send('PATCH', target, { threshold, ...condition })
    live.refetch(live.source(watchedPage))
    if (answer.ok) {
      const sign = now === null ? '' : now >= threshold ? '≤ ' : '≥ '
      terminal.showNotice(`Alert moved to ${sign}${formatCents(threshold)}`)
    } else terminal.showNotice(`The alert was not moved: ${answer.failure.message}`, 'error')
  }
}
