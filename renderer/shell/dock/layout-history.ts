const MAX_STEPS = 50

/**
 * Undo and redo over whole snapshots, as text. A snapshot that differs from the previous one only
 * in ignored details, such as the active pane, replaces it and is not a step of its own.
 */
export class LayoutHistory {
  #past: string[] = []
  #present: string | null = null
  #future: string[] = []
  readonly #whatCounts: (snapshot: string) => string

  constructor(whatCounts: (snapshot: string) => string) {
    this.#whatCounts = whatCounts
  }

  /** Records the current state. */
  record(snapshot: string): void {
    const before = this.#present
    if (snapshot === before) return
    this.#present = snapshot
    if (before === null || this.#whatCounts(snapshot) === this.#whatCounts(before)) return
    this.#past = [...this.#past, before].slice(-MAX_STEPS)
    this.#future = []
  }

  /** The state before the last recorded change, or null when there is none. */
  undo(): string | null {
    const before = this.#past.pop()
    if (before === undefined || this.#present === null) return null
    this.#future.push(this.#present)
    this.#present = before
    return before
  }

  redo(): string | null {
    const after = this.#future.pop()
    if (after === undefined || this.#present === null) return null
    this.#past.push(this.#present)
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
