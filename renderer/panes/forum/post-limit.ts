import { POSTS_PER_MINUTE } from '../../../backend/domain/forum/messages.ts'

const WINDOW = 60_000

/** Accepted posts of the current minute, counted like the service does. */
export interface PostWindow {
  readonly openedAt: number
  readonly postCount: number
}

/** The window after an accepted post. */
export const afterPost = (window: PostWindow | null, now: number): PostWindow =>
  window === null || now - window.openedAt >= WINDOW
    ? { openedAt: now, postCount: 1 }
    : { ...window, postCount: window.postCount + 1 }

/** The window after the service refused a post for this long. */
export const afterRefusal = (now: number, retryAfter: number | null): PostWindow => ({
  openedAt: now - WINDOW + (retryAfter ?? WINDOW),
  postCount: POSTS_PER_MINUTE,
})

/** Whole seconds until another post is accepted; 0 for at once. */
export function secondsToWait(window: PostWindow | null, now: number): number {
  if (window === null || window.postCount < POSTS_PER_MINUTE) return 0
  return Math.max(0, Math.ceil((window.openedAt + WINDOW - now) / 1_000))
}
