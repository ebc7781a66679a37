const MOST_STEPS = 50

/** Undo and redo over whole snapshots, as text; equal neighbours count once. */
export class LayoutHistory {
  #past: string[] = []
  #present: string | null = null
  #future: string[] = []

  /** Takes the state as it is now. */
  record(snapshot: string): void {
    if (snapshot === this.#present) return
    if (this.#present !== null) this.#past = [...this.#past, this.#present].slice(-MOST_STEPS)
    this.#present = snapshot
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

  /** Begins anew, as on another workspace. */
  restart(): void {
    this.#past = []
    this.#future = []
    this.#present = null
  }
}
