/**
 * Loaded into a process before its own code: measures the event loop delay, and reports it on
 * descriptor 3 whenever anything arrives there; each report resets the measurement.
 */
import { Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'
import type { LoopDelay } from './loop-watch.ts'

/** Milliseconds between two measurements; the reported delay includes them. */
const RESOLUTION = 1
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e6 - RESOLUTION)

// Workers and forked processes inherit our flags and have loops of their own.
if (isMainThread && process.send === undefined) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION })
  delay.enable()
  const line = new Socket({ fd: 3 })
  line.on('error', () => {})
  line.on('data', () => {
    const { count, max } = delay
    const loopDelay: LoopDelay = {
      looks: count,
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      p999: late(delay.percentile(99.9)),
      max: late(max),
    }
    line.write(`${JSON.stringify(loopDelay)}\n`)
    delay.reset()
  })
  line.unref()
}
