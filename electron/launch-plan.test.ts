import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { defaultDataDir } from '../backend/lib/files/data-folder.ts'
import { SERVICE_FLAGS } from '../backend/lib/process/service-flags.ts'
import { findBrowser, findTestBrowser } from '../scripts/browsers.mjs'
import manifest from '../package.json' with { type: 'json' }
import { dataDirOf } from './data-dir.ts'
import {
  addressAfterRefusal,
  appWindowArguments,
  BACKEND_NODE_FLAGS,
  backendFlags,
  endsWithWindow,
  hasDisplay,
  mayHaveShown,
  waysToShow,
  whereItRuns,
} from './launch-plan.ts'

describe('waysToShow', () => {
  const everything = { electron: '/electron', browser: '/chromium', hasDisplay: true }
  const kinds = (environment: Partial<typeof everything> | Record<string, unknown>) =>
    waysToShow({ ...everything, ...environment }).map(({ kind }) => kind)

  it.each([
    [{}, ['electron', 'app-window', 'address']],
    [{ electron: null }, ['app-window', 'address']],
    [{ browser: null }, ['electron', 'address']],
    [{ electron: null, browser: null }, ['address']],
    [{ hasDisplay: false }, ['address']],
  ])('%j: %j', (environment, expected) => {
    expect(kinds(environment)).toEqual(expected)
  })
})

describe('BACKEND_NODE_FLAGS', () => {
  it('are those of the backend itself, and of npm run serve', () => {
    expect(BACKEND_NODE_FLAGS).toEqual(SERVICE_FLAGS)
    expect(manifest.scripts.serve).toBe(`node ${SERVICE_FLAGS.join(' ')} backend/main.ts`)
  })
})

describe('hasDisplay', () => {
  it.each([
    ['linux', {}, false],
    ['linux', { DISPLAY: '' }, false],
    ['linux', { DISPLAY: ':0' }, true],
    ['linux', { WAYLAND_DISPLAY: 'wayland-0' }, true],
    ['darwin', {}, true],
    ['win32', {}, true],
  ] as const)('%s %j: %s', (platform, env, expected) => {
    expect(hasDisplay(platform, env)).toBe(expected)
  })
})

describe('findBrowser', () => {
  it('returns the first that exists on the path', () => {
    const env = { PATH: ['/usr/local/bin', '/usr/bin'].join(':') }
    const there = new Set(['/usr/bin/google-chrome', '/usr/bin/chromium'])
    expect(findBrowser('linux', env, (path) => there.has(path))).toBe('/usr/bin/chromium')
    expect(findBrowser('linux', env, () => false)).toBeNull()
    expect(findBrowser('linux', {}, () => true)).toBeNull()
  })

  it('looks in the program folders of Windows', () => {
    const env = { PROGRAMFILES: 'P' }
    const edge = join('P', 'Microsoft', 'Edge', 'Application', 'msedge.exe')
    expect(findBrowser('win32', env, (path) => path === edge)).toBe(edge)
  })
})

describe('findTestBrowser', () => {
  it('prefers the headless shell, in which no window can be opened', () => {
    const env = { PATH: '/usr/bin' }
    const there = new Set(['/usr/bin/chromium', '/usr/bin/chromium-headless-shell'])
    const exists = (path: string): boolean => there.has(path)
    expect(findTestBrowser('linux', env, exists)).toBe('/usr/bin/chromium-headless-shell')
    expect(findBrowser('linux', env, exists)).toBe('/usr/bin/chromium')
    there.delete('/usr/bin/chromium-headless-shell')
    expect(findTestBrowser('linux', env, exists)).toBe('/usr/bin/chromium')
  })
})

describe('appWindowArguments', () => {
  it('disables the sandbox only where Chromium would not start with it', () => {
    const args = appWindowArguments('http://127.0.0.1:4870/#ticket=T', '/data/window', false)
    expect(args).toContain('--app=http://127.0.0.1:4870/#ticket=T')
    expect(args).toContain('--user-data-dir=/data/window')
    expect(args).not.toContain('--no-sandbox')
    expect(appWindowArguments('http://127.0.0.1:1/', '/data', true)).toContain('--no-sandbox')
  })
})

describe('backendFlags', () => {
  it('returns what follows the separator', () => {
    expect(backendFlags(['electron', '.', '--', '--source', 'demo'])).toEqual(['--source', 'demo'])
    expect(backendFlags(['Augury', '--inspect'])).toEqual([])
  })
})

describe('dataDirOf', () => {
  it.each([
    ['linux', { HOME: '/home/u' }],
    ['linux', { HOME: '/home/u', XDG_DATA_HOME: '/xdg' }],
    ['darwin', { HOME: '/Users/u' }],
    ['win32', { USERPROFILE: 'C:\\Users\\u', APPDATA: 'C:\\Users\\u\\AppData\\Roaming' }],
  ] as const)('agrees with the backend on %s %j', (platform, env) => {
    expect(dataDirOf([], env, platform)).toBe(defaultDataDir(env, platform))
  })

  it.each([
    [['--data', '/a'], { AUGURY_DATA: '/b' }, '/a'],
    [['--data=/a', '--port', '0'], {}, '/a'],
    [['--data', '/a', '--data', '/c'], {}, '/c'],
    [[], { AUGURY_DATA: '/b' }, '/b'],
  ])('%j %j: %s', (flags, env, expected) => {
    expect(dataDirOf(flags, env, 'linux')).toBe(expected)
  })
})

describe('whereItRuns', () => {
  it('is one sentence with the address and, for our own instance, how to stop it', () => {
    expect(whereItRuns('http://127.0.0.1:4870', 'address', true)).toBe(
      'Augury runs at http://127.0.0.1:4870 (open it in a browser). Ctrl+C stops it.',
    )
    expect(whereItRuns('http://127.0.0.1:4870', 'app-window', false)).toBe(
      'Augury already runs at http://127.0.0.1:4870 in a window of its own.',
    )
  })

  it('states how to open the address once its ticket has expired', () => {
    const address = 'http://127.0.0.1:4870/#ticket=T'
    expect(whereItRuns(address, 'address', false)).toBe(
      `Augury already runs at ${address} (open it in a browser within a minute; later: npx augury open).`,
    )
  })
})

it.each([
  [0, 10, true],
  [1, 15_000, false],
  [1, 15_001, true],
  [null, 10, false],
  [null, 60_000, true],
])(
  'a window program that ends with %s after %s ms may have shown a window: %s',
  (code, ms, shown) => {
    expect(mayHaveShown(code, ms)).toBe(shown)
  },
)

it.each([
  [0, true, true],
  [1, false, false],
  [2, false, true],
  [1, true, true],
])('the launcher ends with code %s of a window that was shown %s: %s', (code, wasShown, ends) => {
  expect(endsWithWindow(code, wasShown)).toBe(ends)
})

it.each([
  [3, '{"url":"http://127.0.0.1:1/"}', 'http://127.0.0.1:1/'],
  [3, null, null],
  [3, '{', null],
  [2, '{"url":"http://127.0.0.1:1/"}', null],
])('after a refusal with %s beside %s it opens %s', (code, text, address) => {
  expect(addressAfterRefusal(code, text)).toBe(address)
})
