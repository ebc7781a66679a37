import type { PageClock } from '../lib/clock.svelte.ts'
import type { Topic } from '../api/socket/topics.svelte.ts'

/**
 * A chart is drawn at most four times a second: more cannot be read, and each draw costs a frame.
 */
export const DRAW_EVERY_MS = 250

interface DisplayedTopic<Data extends object> {
  readonly topic: Topic<Data>
  readonly data: Data | null
}

/**
 * Throttles a topic to four updates a second; another topic passes at once. Create it during a
 * component's initialisation.
 */
export class PacedTopic<Data extends object> {
  #shown = $state.raw<DisplayedTopic<Data> | null>(null)

  constructor(topicNow: () => Topic<Data> | null, clock: Pick<PageClock, 'monotonic'>) {
    let shownAt = -Infinity
    let shownTopic: Topic<Data> | null = null
    let timer: ReturnType<typeof setTimeout> | null = null
    const clear = () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
    }
    $effect(() => {
      const topic = topicNow()
      const next = topic === null ? null : { topic, data: topic.data }
      const show = () => {
        shownAt = clock.monotonic()
        shownTopic = topic
        this.#shown = next
      }
      const wait = shownAt + DRAW_EVERY_MS - clock.monotonic()
      if (wait <= 0 || topic !== shownTopic) show()
      else timer = setTimeout(show, wait)
      return clear
    })
  }

  /** The data to draw of this topic. */
  dataOf(topic: Topic<Data>): Data | null {
    const current = this.#shown
    return current?.topic === topic ? current.data : topic.data
  }
}
