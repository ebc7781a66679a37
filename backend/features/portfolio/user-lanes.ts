/** Runs the writes of each user one after the other, so that every row has one writer. */
export class UserLanes {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Runs work after all that was asked for this user before it. */
  run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(userId) ?? Promise.resolve()
    const running = before.then(work, work)
    const settled = running.catch(() => {})
    this.#last.set(userId, settled)
    void settled.then(() => {
      if (this.#last.get(userId) === settled) this.#last.delete(userId)
    })
    return running
  }

  get isIdle(): boolean {
    return this.#last.size === 0
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#last.size > 0) await Promise.all(this.#last.values())
  }
}
