import type { Pane } from './pane.svelte.ts'

/** Which panes hold still: all of them, those that open later too, or some by themselves. */
export class Pausing {
  /** Everything holds still. */
  isAll = $state(false)
  readonly #panes: ReadonlyMap<string, Pane>
  readonly #say: (text: string) => void

  constructor(panes: ReadonlyMap<string, Pane>, say: (text: string) => void) {
    this.#panes = panes
    this.#say = say
  }

  /** Does a pane hold still? One that shares what it shows with a paused one does as well. */
  holds(pane: Pane): boolean {
    return pane.isPaused || pane.sources.some(({ pauses }) => pauses > 0)
  }

  get count(): number {
    return [...this.#panes.values()].filter((pane) => this.holds(pane)).length
  }

  /** Has all panes hold still, or move again. */
  all(isPaused: boolean): void {
    this.isAll = isPaused
    for (const pane of this.#panes.values()) pane.isPaused = false
    this.#say(isPaused ? 'All panes hold still. PAUSE lets them move again' : 'All panes move')
  }

  /** What PAUSE does: everything moves when anything holds still. */
  toggleAll(): void {
    this.all(!(this.isAll || this.count > 0))
  }

  /** Has one pane hold still, with those that show the same answers, or move again. */
  toggle(pane: Pane): void {
    const isPaused = !this.holds(pane)
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
    this.#say(`${pane.title} ${isPaused ? 'holds still. Space lets it move again' : 'moves'}`)
  }
}
