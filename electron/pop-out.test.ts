import { describe, expect, it } from 'vitest'
import { decideWindow } from './pop-out.ts'
import { secretStorageOf } from './secret-storage.ts'

const APP = 'http://127.0.0.1:4870'
const requested = { url: `${APP}/#alone=1`, frameName: 'augury-pane-1', features: 'popup' }
const decide = (changes: Partial<typeof requested>, windows = 1) =>
  decideWindow({ ...requested, ...changes }, APP, windows)

describe('decideWindow', () => {
  it('opens one of our panes in its own window [terminal.desktop.pop-out]', () => {
    expect(decide({})).toEqual({ kind: 'pane', width: 720, height: 540 })
    expect(decide({ features: 'popup,width=900,height=100' })).toEqual({
      kind: 'pane',
      width: 900,
      height: 240,
    })
    expect(decide({ features: 'width=99999' })).toMatchObject({ width: 8_192 })
  })

  it('opens other addresses in the browser or not at all', () => {
    expect(decide({ url: 'https://venue.example/' })).toEqual({ kind: 'browser' })
    for (const url of ['http://venue.example/', 'file:///etc/passwd', 'about:blank', '']) {
      expect(decide({ url })).toEqual({ kind: 'nowhere' })
    }
    expect(decide({ frameName: 'anything' })).toEqual({ kind: 'nowhere' })
    expect(decide({ frameName: '' })).toEqual({ kind: 'nowhere' })
  })

  it('stops at a dozen windows', () => {
    expect(decide({}, 12)).toEqual({ kind: 'nowhere' })
  })
})

describe('secretStorageOf', () => {
  it.each([
    ['darwin', true, null, 'system'],
    ['win32', true, null, 'system'],
    ['linux', true, 'gnome_libsecret', 'system'],
    ['linux', true, 'kwallet6', 'system'],
    ['linux', true, 'basic_text', 'memory'],
    ['linux', true, 'unknown', 'memory'],
    ['linux', true, null, 'memory'],
    ['darwin', false, null, 'memory'],
  ] as const)('%s %s %s: %s [terminal.desktop.secrets]', (platform, isAvailable, backend, kind) => {
    const storage = secretStorageOf(platform, isAvailable, backend)
    expect(storage.kind).toBe(kind)
    expect(storage.text).toContain(kind === 'memory' ? 'in memory only' : 'encrypted')
  })
})
