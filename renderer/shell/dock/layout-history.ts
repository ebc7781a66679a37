const MAX_STEPS = 50

/**
 * Undo and redo over whole snapshots, as text. A snapshot that differs from the previous one only
 * in ignored details, such as the active pane, replaces it and is not a step of its own.
 */
export class LayoutHistory {
  #undoSteps: string[] = []
  #present: string | null = null
  #future: string[] = []
  readonly #whatCounts: (snapshot: string) => string

  constructor(whatCounts: (snapshot: string) => string) {
    this.#whatCounts = whatCounts
  }

  /** Records the current state. */
  record(snapshot: string): void {
    const previous = this.#present
    if (snapshot === previous) return
    this.#present = snapshot
    if (previous === null || this.#whatCounts(snapshot) === this.#whatCounts(previous)) return
    this.#undoSteps = [...this.#undoSteps, previous].slice(-MAX_STEPS)
    this.#future = []
  }

  /** The state before the last recorded change, or null when there is none. */
  undo(): string | null {
    const previous = this.#undoSteps.pop()
    if (previous === undefined || this.#present === null) return null
    this.#future.push(this.#present)
    this.#present = previous
    return previous
  }

  redo(): string | null {
    const after = this.#future.pop()
    if (after === undefined || this.#present === null) return null
    this.#undoSteps.push(this.#present)
    this.#present = after
    return after
  }

  /**
   * Replaces the state reached by undo or redo with its actual result, because loading a layout
   * rounds shares.
   */
  settle(snapshot: string): void {
    this.#present = snapshot
  }
}
