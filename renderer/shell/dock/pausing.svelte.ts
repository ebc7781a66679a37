import type { Pane } from './pane.svelte.ts'

/** Which panes are paused: all of them, including those opened later, or single ones. */
export class Pausing {
  /** Everything is paused. */
  isAll = $state(false)
  readonly #panes: ReadonlyMap<string, Pane>
  readonly #showNotice: (text: string) => void

  constructor(panes: ReadonlyMap<string, Pane>, showNotice: (text: string) => void) {
    this.#panes = panes
    this.#showNotice = showNotice
  }

  /** Whether a pane is paused. A pane that shares its sources with a paused one is paused too. */
  isPaused(pane: Pane): boolean {
    return pane.isPaused || pane.sources.some(({ pauses }) => pauses > 0)
  }

  get count(): number {
    return [...this.#panes.values()].filter((pane) => this.isPaused(pane)).length
  }

  /** Pauses or resumes all panes. */
  all(isPaused: boolean): void {
    this.isAll = isPaused
    for (const pane of this.#panes.values()) pane.isPaused = false
    this.#showNotice(isPaused ? 'All panes paused. PAUSE resumes them' : 'All panes resumed')
  }

  /** The PAUSE command: resumes everything when anything is paused. */
  toggleAll(): void {
    this.all(!(this.isAll || this.count > 0))
  }

  /** Pauses or resumes one pane, with those that share its sources. */
  toggle(pane: Pane): void {
    const isPaused = !this.isPaused(pane)
    if (!isPaused && this.isAll) {
      this.all(false)
      return
    }
    if (!isPaused) {
      for (const other of this.#panes.values()) {
        if (other.sources.some((source) => pane.sources.includes(source))) other.isPaused = false
      }
    }
    pane.isPaused = isPaused
    this.#showNotice(`${pane.title} ${isPaused ? 'paused. Space resumes it' : 'resumed'}`)
  }
}
