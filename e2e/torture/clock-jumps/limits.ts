import { createRateLimiter } from '../../../backend/http/limits/rate-limit.ts'
import { FakeClock } from '../../../backend/testing/fake-clock.ts'
import { JumpingClock } from '../../../backend/testing/jumping-clock.ts'
import { RequestBudget } from '../../../backend/venues/request-budget.ts'

const LIMIT = 10
const WINDOW = 60_000

/**
 * Requests served beyond the limit, or rejected within it, when the wall time jumps during a rate
 * window.
 */
export async function wrongDecisions(jump: number): Promise<number> {
  const base = new FakeClock()
  const clock = new JumpingClock(base)
  const limiter = createRateLimiter(() => clock.monotonic())
  const take = (): boolean => limiter.consume('general', 'caller', LIMIT).allowed
  let wrong = 0
  for (let request = 0; request < LIMIT; request += 1) if (!take()) wrong += 1
  await base.advance(WINDOW / 2)
  clock.jump(jump)
  for (let request = 0; request < LIMIT; request += 1) if (take()) wrong += 1
  await base.advance(WINDOW / 2)
  for (let request = 0; request < LIMIT; request += 1) if (!take()) wrong += 1
  return wrong
}

/** Requests to a venue sent before its Retry-After ended, or not sent after it. */
export async function brokenPauses(jump: number): Promise<number> {
  const base = new FakeClock()
  const clock = new JumpingClock(base)
  const budget = new RequestBudget({ ratePerSecond: 5, burst: 5, clock })
  budget.pause(10_000)
  let sent = 0
  const never = new AbortController()
  void budget.acquire('live', never.signal).then(() => (sent += 1))
  await base.advance(5_000)
  clock.jump(jump)
  await base.advance(4_900)
  const early = sent
  await base.advance(200)
  return early + (sent === 1 ? 0 : 1)
}
