/** Runs the tasks of a key one after another, and those of other keys beside them. */
export class TaskQueues {
  readonly #last = new Map<string, Promise<void>>()

  /** Resolves when the task has ended; an earlier task that failed does not stop it. */
  async run(key: string, task: () => Promise<void>): Promise<void> {
    const previous = this.#last.get(key)
    const current = previous === undefined ? task() : previous.then(task, task)
    this.#last.set(key, current)
    try {
      await current
    } finally {
      if (this.#last.get(key) === current) this.#last.delete(key)
    }
  }
}
