/**
 * Pending calls to stores. A test that advances a clock waits for them, because real stores take as
 * long as the machine needs.
 */
export class Unanswered {
  #count = 0

  /** The store, with each of its promises counted until it is settled. */
  of<Store extends object>(store: Store): Store {
    const read = (target: Store, name: string | symbol): unknown => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args)
        if (answer instanceof Promise) this.#waitFor(answer)
        return answer
      }
    }
    return new Proxy(store, { get: read })
  }

  /** Resolves once no call is pending and the completed ones caused no new ones. */
  async ended(): Promise<void> {
    for (let still = 0; still < 3; still = this.#count === 0 ? still + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #waitFor(answer: Promise<unknown>): void {
    this.#count += 1
    const resolveOnce = (): void => {
      this.#count -= 1
    }
    answer.then(resolveOnce, resolveOnce)
  }
}
