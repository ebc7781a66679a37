/**
 * Questions that stores have not answered yet. A test that moves a clock waits for their end, since
 * real stores take as long as the machine lets them.
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

  /** Resolves once nothing is asked any more, and what was answered has led to nothing new. */
  async ended(): Promise<void> {
    for (let still = 0; still < 3; still = this.#count === 0 ? still + 1 : 0) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  #waitFor(answer: Promise<unknown>): void {
    this.#count += 1
    const settle = (): void => {
      this.#count -= 1
    }
    answer.then(settle, settle)
  }
}
