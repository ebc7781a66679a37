/** Leases of users: one tick, pull or look-up of orders at a time. They end with the process. */
export class TickLeases {
  readonly #leases = new Map<string, string>()

  /** The tick that holds the lease of a user; null for none. */
  holder(userId: string): string | null {
    return this.#leases.get(userId) ?? null
  }

  /**
   * Takes the lease of a user for a tick, until the returned function is called; null while another
   * one holds it.
   */
  take(userId: string, tickId: string): (() => void) | null {
    if (this.#leases.has(userId)) return null
    this.#leases.set(userId, tickId)
    return () => {
      if (this.#leases.get(userId) === tickId) this.#leases.delete(userId)
    }
  }
}
