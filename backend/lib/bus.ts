/**
 * Typed publish and subscribe inside one process; a message broker would replace this interface.
 */
export interface Bus<Topics extends Record<string, unknown>> {
  publish<K extends keyof Topics>(topic: K, message: Topics[K]): void
  /** Returns the unsubscribe function. A listener that throws does not affect the others. */
  subscribe<K extends keyof Topics>(topic: K, listener: (message: Topics[K]) => void): () => void
}

type Listeners<Topics> = { [K in keyof Topics]?: Set<(message: Topics[K]) => void> }

export function createBus<Topics extends Record<string, unknown>>(
  onListenerError: (error: unknown, topic: keyof Topics) => void,
): Bus<Topics> {
  const listeners: Listeners<Topics> = {}
  return {
    publish(topic, message) {
      for (const listener of listeners[topic] ?? []) {
        try {
          listener(message)
        } catch (error) {
          onListenerError(error, topic)
        }
      }
    },
    subscribe(topic, listener) {
      const listenersOfTopic = (listeners[topic] ??= new Set())
      listenersOfTopic.add(listener)
      return () => listenersOfTopic.delete(listener)
    },
  }
}
