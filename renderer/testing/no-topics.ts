import { Topics } from '../api/socket/topics.svelte.ts'
import type { PageClock } from '../lib/clock.svelte.ts'

/** Topics of a page that never connects. */
export const noTopics = (clock: PageClock): Topics =>
  new Topics({
    clock,
    open: () => ({ send: () => {}, close: () => {} }),
    chance: () => 0,
    onFrame: (work) => work(),
    onTime: () => {},
  })
