import { describe, expect, it, vi } from 'vitest'
import { pacedFrames } from './paced-frames.ts'

const FRAME = 16

function paced(min: number) {
  vi.useFakeTimers()
  const began = performance.now()
  const now = () => performance.now() - began
  const times: number[] = []
  const onFrame = (work: () => void) => void setTimeout(work, FRAME - (now() % FRAME))
  const later = (work: () => void, ms: number) => void setTimeout(work, ms)
  const frame = pacedFrames({ onFrame, schedule: later, now }, min)
  return { times, change: () => frame(() => times.push(now())) }
}

describe('paced frames', () => {
  it('run on the next frame after a pause', () => {
    const { times, change } = paced(45)
    change()
    vi.advanceTimersByTime(200)
    expect(times).toEqual([16])
    change()
    vi.advanceTimersByTime(200)
    expect(times).toEqual([16, 208])
  })

  it('keep their interval while changes continue, and lose none', () => {
    const { times, change } = paced(45)
    const again = () => {
      change()
      if (times.length < 4) setTimeout(again, 60)
    }
    change()
    vi.advanceTimersByTime(17)
    change()
    vi.advanceTimersByTime(100)
    again()
    vi.advanceTimersByTime(400)
    expect(times.length).toBeGreaterThanOrEqual(4)
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(45)
  })
})
