/** Runs the writes of each user in sequence, so that every row has one writer. */
export class PerUserQueue {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Queues work behind all earlier work of this user. */
  run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const previous = this.#last.get(userId) ?? Promise.resolve()
    const currentTask = previous.then(work, work)
    const settledTask = currentTask.catch(() => {})
    this.#last.set(userId, settledTask)
    void settledTask.then(() => {
      if (this.#last.get(userId) === settledTask) this.#last.delete(userId)
    })
    return currentTask
  }

  get isIdle(): boolean {
    return this.#last.size === 0
  }

  /** Resolves when no work is queued or running. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
