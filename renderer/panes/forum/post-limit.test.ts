import { describe, expect, it } from 'vitest'
import { afterPost, afterRefusal, secondsToWait, type PostWindow } from './post-limit.ts'

const posted = (times: readonly number[]): PostWindow | null =>
  times.reduce<PostWindow | null>((window, at) => afterPost(window, at), null)

describe('the limit of posts', () => {
  it.each<[string, readonly number[], number, number]>([
    ['nothing was posted', [], 0, 0],
    ['nine posts are in the window', Array.from({ length: 9 }, (_, at) => at), 10, 0],
    ['ten posts are in the window', Array.from({ length: 10 }, (_, at) => at), 1_000, 59],
    ['the window has ended', Array.from({ length: 10 }, (_, at) => at), 60_000, 0],
    ['a new window has one post', [...Array.from({ length: 10 }, () => 0), 60_000], 60_000, 0],
  ])('is counted like the service does: %s', (_case, times, now, seconds) => {
    expect(secondsToWait(posted(times), now)).toBe(seconds)
  })

  it('follows the service when it refuses', () => {
    expect(secondsToWait(afterRefusal(5_000, 12_000), 5_000)).toBe(12)
    expect(secondsToWait(afterRefusal(5_000, 12_000), 17_000)).toBe(0)
    expect(secondsToWait(afterRefusal(5_000, null), 5_000)).toBe(60)
  })
})
