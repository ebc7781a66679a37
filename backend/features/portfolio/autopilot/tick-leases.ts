/** Leases of users: one tick, pull or look-up of orders at a time. They end with the process. */
export class TickLeases {
  readonly #held = new Map<string, string>()

  /** The tick that holds the lease of a user; null for none. */
  holder(userId: string): string | null {
    return this.#held.get(userId) ?? null
  }

  /**
   * Takes the lease of a user for a tick, until the returned function is called; null while another
   * one holds it.
   */
  take(userId: string, tickId: string): (() => void) | null {
    if (this.#held.has(userId)) return null
    this.#held.set(userId, tickId)
    return () => {
      if (this.#held.get(userId) === tickId) this.#held.delete(userId)
    }
  }
}
