import { describe, expect, it } from 'vitest'
import { addressAfter, recoveryAfterExit, RECOVERY_CHOICES } from './recovery.ts'
import { flagsForStart, onAnswer } from './restart.ts'

const MINUTE = 60_000

describe('recoveryAfterExit', () => {
  it('loads the page again after a crash [terminal.desktop.crash]', () => {
    for (const reason of [
      'crashed',
      'killed',
      'oom',
      'abnormal-exit',
      'memory-eviction',
    ] as const) {
      expect(recoveryAfterExit(reason, [], 0)).toEqual({ kind: 'reload' })
    }
    expect(recoveryAfterExit('clean-exit', [], 0)).toEqual({ kind: 'nothing' })
  })

  it('shows a dialog after three crashes within five minutes [terminal.desktop.crash]', () => {
    expect(recoveryAfterExit('crashed', [0], 4 * MINUTE).kind).toBe('reload')
    const loop = recoveryAfterExit('crashed', [0, 2 * MINUTE], 4 * MINUTE)
    expect(loop).toMatchObject({ kind: 'ask' })
    expect('message' in loop && loop.message).toMatch(
      /^The page crashed 3 times within five minutes/,
    )
    expect(recoveryAfterExit('oom', [0, 1], 2)).toMatchObject({
      message: expect.stringContaining('out of memory') as string,
    })
    // Old crashes do not count.
    expect(recoveryAfterExit('crashed', [0, 1], 6 * MINUTE)).toEqual({ kind: 'reload' })
  })

  it('does not reload when a reload cannot help', () => {
    expect(recoveryAfterExit('launch-failed', [], 0).kind).toBe('ask')
    expect(recoveryAfterExit('integrity-failure', [], 0).kind).toBe('ask')
  })

  it('offers a retry, a fresh layout and quitting', () => {
    const at = 'http://127.0.0.1:4870/'
    expect(RECOVERY_CHOICES).toHaveLength(3)
    expect(addressAfter(0, at)).toBe(at)
    expect(addressAfter(1, at)).toBe('http://127.0.0.1:4870/#layout=fresh')
    expect(addressAfter(2, at)).toBeNull()
  })
})

describe('a restart of the service', () => {
  const last = { url: 'http://127.0.0.1:51234' }

  it('requests the previous port, for the open page [terminal.desktop.restart]', () => {
    const flags = ['--port', '0', '--source', 'demo']
    expect(flagsForStart(flags, null, 0)).toEqual(flags)
    expect(flagsForStart(flags, last, 1)).toEqual([...flags, '--port', '51234'])
    // Another process may use it by now.
    expect(flagsForStart(flags, last, 4)).toEqual(flags)
  })

  it('keeps an open page at the same address [terminal.desktop.restart]', () => {
    expect(onAnswer(null, last.url)).toBe('enter')
    expect(onAnswer(last.url, last.url)).toBe('stay')
    expect(onAnswer(last.url, 'http://127.0.0.1:4870')).toBe('move')
  })
})
