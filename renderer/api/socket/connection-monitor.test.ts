import { beforeEach, describe, expect, it } from 'vitest'
import { CHECK_INTERVAL, ConnectionMonitor } from './connection-monitor.ts'

const time = { wall: 0, monotonic: 0 }
let monitor: ConnectionMonitor
const pass = (span: number): void => {
  time.wall += span
  time.monotonic += span
}

beforeEach(() => {
  Object.assign(time, { wall: 1_795_000_000_000, monotonic: 70_000 })
  monitor = new ConnectionMonitor({ read: () => time.wall, monotonic: () => time.monotonic })
})

describe('jumps of the clock', () => {
  it('are none at the first check', () => {
    pass(CHECK_INTERVAL)
    expect(monitor.check()).toBe(false)
  })

  it.each([
    ['the machine slept for ten seconds', 11_000, 11_000, false],
    ['and longer', 11_001, 11_001, true],
    ['its clock alone was set ahead', 11_001, 1_000, true],
    ['its clock alone was set back', -9_001, 1_000, true],
    ['its clock stayed, and it slept', 1_000, 11_001, true],
    ['a check came early', 10, 10, false],
  ])('since the last check: %s', (_what, wall, monotonic, jumped) => {
    monitor.check()
    time.wall += wall
    time.monotonic += monotonic
    expect(monitor.check()).toBe(jumped)
    pass(CHECK_INTERVAL)
    expect(monitor.check()).toBe(false)
  })
})

describe('a connection', () => {
  it('is dead after more than 25 seconds without a frame', () => {
    monitor.recordMessage()
    pass(25_000)
    expect(monitor.isDead).toBe(false)
    pass(1)
    expect(monitor.isDead).toBe(true)
    monitor.recordMessage()
    expect(monitor.isDead).toBe(false)
  })

  it('is dead when no frame follows a probe within three seconds', () => {
    monitor.recordMessage()
    expect(monitor.probe()).toBe(true)
    pass(3_000)
    expect([monitor.probe(), monitor.isDead]).toEqual([false, false])
    pass(1)
    expect(monitor.isDead).toBe(true)
  })

  it.each(['recordMessage', 'onClosed'] as const)('waits for no reply after %s', (end) => {
    monitor.recordMessage()
    monitor.probe()
    monitor[end]()
    pass(3_001)
    expect(monitor.isDead).toBe(false)
    expect(monitor.probe()).toBe(true)
  })
})
