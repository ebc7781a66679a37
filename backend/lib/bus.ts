/** Typed publish and subscribe inside one process; the seam where a message broker would sit. */
export interface Bus<Topics extends Record<string, unknown>> {
  publish<K extends keyof Topics>(topic: K, message: Topics[K]): void
  /** Returns how to stop listening. A listener that throws does not keep others from hearing. */
  subscribe<K extends keyof Topics>(topic: K, listener: (message: Topics[K]) => void): () => void
}

export function createBus<Topics extends Record<string, unknown>>(
  onListenerError: (error: unknown, topic: keyof Topics) => void,
): Bus<Topics> {
  const listeners = new Map<keyof Topics, Set<(message: never) => void>>()
  return {
    publish(topic, message) {
      for (const listener of listeners.get(topic) ?? []) {
        try {
          listener(message as never)
        } catch (error) {
          onListenerError(error, topic)
        }
      }
    },
    subscribe(topic, listener) {
      const set = listeners.get(topic) ?? new Set()
      listeners.set(topic, set)
      set.add(listener as (message: never) => void)
      return () => set.delete(listener as (message: never) => void)
    },
  }
}
