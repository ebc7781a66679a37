import { setImmediate } from 'node:timers/promises'

/**
 * Calls `each` for every item and lets others run after every `atOnce` of them, so that long lists
 * do not hold up answers.
 */
export async function inTurns<T>(
  items: Iterable<T>,
  atOnce: number,
  each: (item: T) => void,
): Promise<void> {
  let done = 0
  for (const item of items) {
    each(item)
    done += 1
    if (done % atOnce === 0) await setImmediate()
  }
}
