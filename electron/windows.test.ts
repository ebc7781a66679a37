import { EventEmitter } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CHANNELS, type ShellCommand } from './bridge.ts'
import { handleMessages } from './handlers.ts'
import { MainWindow } from './main-window.ts'
import { Native } from './native.ts'
import { builtParts } from './window.ts'

/** Electron runs in no test of this kind: its modules are replaced by what they were called with. */
const electron = vi.hoisted(() => ({
  log: [] as unknown[][],
  windows: [] as unknown[],
  handlers: new Map<string, (...args: never[]) => unknown>(),
  permissions: new Map<string, (...args: never[]) => unknown>(),
  choice: 0,
  isDark: true,
  loads: (_address: string): Promise<void> => Promise.resolve(),
  trays: [] as unknown[],
  menus: [] as unknown[],
  notifications: [] as unknown[],
  isSupported: true,
}))

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  const { log, windows, handlers, permissions } = electron
  class BrowserWindow extends Emitter {
    static getAllWindows = () => windows
    readonly options: object
    isHidden = false
    isMin = false
    isMax = false
    readonly webContents
    constructor(options: object) {
      super()
      this.options = options
      windows.push(this)
      this.webContents = Object.assign(new Emitter(), {
        send: (...args: unknown[]) => log.push(['send', ...args]),
        reload: () => log.push(['reload']),
        setWindowOpenHandler: (open: unknown) => Object.assign(this.webContents, { open }),
      })
    }
    maximize = () => log.push(['maximize'])
    show = () => log.push(['show'])
    focus = () => log.push(['focus'])
    restore = () => log.push(['restore'])
    isMinimized = () => this.isMin
    isMaximized = () => this.isMax
    getNormalBounds = () => ({ x: 1, y: 2, width: 900, height: 700 })
    loadURL = (address: string) => {
      log.push(['load', address])
      return electron.loads(address)
    }
  }
  class Tray extends Emitter {
    constructor(image: unknown) {
      super()
      electron.trays.push(this)
      log.push(['tray', image])
    }
    setToolTip = (text: string) => log.push(['tip', text])
    setContextMenu = (menu: unknown) => log.push(['trayMenu', menu])
  }
  class Notification extends Emitter {
    static isSupported = () => electron.isSupported
    constructor(options: unknown) {
      super()
      electron.notifications.push(this)
      log.push(['note', options])
    }
    show = () => log.push(['showNote'])
  }
  const display = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } }
  return {
    BrowserWindow,
    Tray,
    Notification,
    Menu: {
      setApplicationMenu: (menu: unknown) => electron.menus.push(menu),
      buildFromTemplate: (template: unknown) => template,
    },
    nativeImage: {
      createFromPath: (path: string) => ({
        isEmpty: () => path === 'missing.png',
        resize: (size: object) => ({ path, ...size }),
      }),
    },
    app: { getVersion: () => '1.2.3', quit: () => log.push(['quit']) },
    dialog: {
      showErrorBox: (...args: unknown[]) => log.push(['error', ...args]),
      showMessageBoxSync: (options: object) => {
        log.push(['ask', options])
        return electron.choice
      },
    },
    nativeTheme: {
      get shouldUseDarkColors() {
        return electron.isDark
      },
    },
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
    shell: { openExternal: (address: string) => log.push(['outside', address]) },
    session: {
      defaultSession: {
        setPermissionRequestHandler: (act: never) => permissions.set('request', act),
        setPermissionCheckHandler: (act: never) => permissions.set('check', act),
        setDevicePermissionHandler: (act: never) => permissions.set('device', act),
      },
    },
    ipcMain: {
      handle: (channel: string, act: never) => handlers.set(channel, act),
      on: (channel: string, act: never) => handlers.set(channel, act),
    },
    safeStorage: {
      isAsyncEncryptionAvailable: () => Promise.resolve(true),
      getSelectedStorageBackend: () => 'kwallet',
    },
  }
})

const ORIGIN = 'http://127.0.0.1:8080'
let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'augury-windows-'))
  for (const list of [electron.log, electron.windows, electron.trays, electron.menus])
    list.length = 0
  electron.notifications.length = 0
  electron.handlers.clear()
  Object.assign(electron, {
    choice: 0,
    isDark: true,
    isSupported: true,
    loads: () => Promise.resolve(),
  })
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

interface FakeWindow extends EventEmitter {
  readonly options: Record<string, unknown> & { readonly webPreferences: Record<string, unknown> }
  isMin: boolean
  isMax: boolean
  readonly webContents: EventEmitter & { readonly open: (request: object) => unknown }
}
const newest = () => electron.windows.at(-1) as FakeWindow
/** What was called since the last time. */
const called = () => electron.log.splice(0)
const names = () => called().map(([name]) => name)

function windowOf(stored: object | null = null) {
  const main = new MainWindow({
    preload: 'preload.cjs',
    icon: 'icon.png',
    statePath: join(folder, 'window-state.json'),
    readText: () => (stored === null ? null : JSON.stringify(stored)),
  })
  return main
}

describe('the main window', () => {
  it('is sandboxed, opens once at its address, and shows when it is ready', async () => {
    const main = windowOf()
    expect([main.shown, main.origin]).toEqual([null, ''])
    await main.load(`${ORIGIN}/?ticket=1`)
    expect(called()).toEqual([['load', `${ORIGIN}/?ticket=1`]])
    expect([main.shown, main.origin]).toEqual([ORIGIN, ORIGIN])
    const { options } = newest()
    expect(options).toMatchObject({
      show: false,
      autoHideMenuBar: true,
      icon: 'icon.png',
      backgroundColor: '#0b0e13',
      webPreferences: {
        preload: 'preload.cjs',
        sandbox: true,
        contextIsolation: true,
        nodeIntegration: false,
        webviewTag: false,
        spellcheck: false,
      },
    })
    expect(options.webPreferences['additionalArguments']).toEqual([
      expect.stringMatching(/1\.2\.3$/),
    ])
    newest().emit('ready-to-show')
    newest().emit('ready-to-show')
    expect(names()).toEqual(['show'])
    await main.load(`${ORIGIN}/other`)
    expect(electron.windows).toHaveLength(1)
  })

  it('has the colour of the system, and the size that was stored', async () => {
    electron.isDark = false
    const main = windowOf({ bounds: { x: 5, y: 6, width: 1_000, height: 800 }, isMaximized: true })
    await main.load(ORIGIN)
    expect(newest().options).toMatchObject({ backgroundColor: '#f4f6f8', x: 5, y: 6, width: 1_000 })
    expect(names()).toEqual(['maximize', 'load'])
    newest().isMax = true
    newest().emit('close')
    expect(JSON.parse(readFileSync(join(folder, 'window-state.json'), 'utf8'))).toEqual({
      bounds: { x: 1, y: 2, width: 900, height: 700 },
      isMaximized: true,
    })
    newest().emit('closed')
    expect(main.shown).toBeNull()
    await main.load(ORIGIN)
    expect(electron.windows).toHaveLength(2)
  })

  it('reports an address that does not load', async () => {
    electron.loads = () => Promise.reject(new Error('refused'))
    await windowOf().load(ORIGIN)
    expect(called().at(-1)).toEqual(['error', 'Augury cannot show its page', 'Error: refused'])
  })

  it('comes forward, also when it is minimised', async () => {
    const main = windowOf()
    main.raise()
    expect(names()).toEqual([])
    await main.load(ORIGIN)
    called()
    main.raise()
    expect(names()).toEqual(['show', 'focus'])
    newest().isMin = true
    main.raise()
    expect(names()).toEqual(['restore', 'show', 'focus'])
  })

  it('keeps the last commands until the page listens', async () => {
    const main = windowOf()
    await main.load(ORIGIN)
    called()
    const command = (line: string): ShellCommand => ({ kind: 'run', line })
    for (let index = 0; index < 10; index += 1) main.send(command(`L${index}`))
    expect(called()).toEqual([])
    main.onPageReady()
    expect(called()).toEqual(
      [2, 3, 4, 5, 6, 7, 8, 9].map((index) => ['send', CHANNELS.command, command(`L${index}`)]),
    )
    main.send(command('now'))
    expect(called()).toEqual([['send', CHANNELS.command, command('now')]])
    main.onPageReady()
    expect(called()).toEqual([])
    // Another page does not listen yet.
    await main.load(ORIGIN)
    called()
    main.send(command('later'))
    expect(called()).toEqual([])
    main.broadcast({ state: 'running', afterMs: null })
    expect(called()).toEqual([
      ['send', CHANNELS.serviceStatus, { state: 'running', afterMs: null }],
    ])
  })

  it('reloads after a crash, and asks after several', async () => {
    const main = windowOf()
    await main.load(ORIGIN)
    main.onPageReady()
    called()
    const crash = () => newest().webContents.emit('render-process-gone', {}, { reason: 'crashed' })
    crash()
    expect(names()).toEqual(['reload'])
    main.send({ kind: 'run', line: 'MOV' })
    expect(called()).toEqual([])
    electron.choice = 1
    for (let count = 0; count < 6; count += 1) crash()
    const all = called()
    const dialog = all.find(([name]) => name === 'ask')
    expect(dialog?.[1]).toMatchObject({ type: 'error', title: 'Augury', defaultId: 1, cancelId: 0 })
    expect(
      all.some(([name, address]) => name === 'load' && address === `${ORIGIN}/#layout=fresh`),
    ).toBe(true)
    electron.choice = 2
    for (let count = 0; count < 6; count += 1) crash()
    expect(names()).toContain('quit')
    newest().webContents.emit('render-process-gone', {}, { reason: 'clean-exit' })
    expect(names()).toEqual([])
  })
})

describe('what a page may do', () => {
  const contentsOf = async () => {
    await windowOf().load(ORIGIN)
    called()
    return newest().webContents
  }

  it.each([
    [`${ORIGIN}/x`, false, []],
    ['https://example.com/', true, [['outside', 'https://example.com/']]],
    ['file:///etc/passwd', true, []],
  ])('navigates to %s: refused %s', async (url, isRefused, outside) => {
    const contents = await contentsOf()
    for (const type of ['will-navigate', 'will-redirect']) {
      const preventDefault = vi.fn()
      contents.emit(type, { url, preventDefault })
      expect([preventDefault.mock.calls.length > 0, called()]).toEqual([isRefused, outside])
    }
  })

  it('attaches no web view, and opens pane windows only, guarded alike', async () => {
    const contents = await contentsOf()
    const preventDefault = vi.fn()
    contents.emit('will-attach-webview', { preventDefault })
    expect(preventDefault).toHaveBeenCalled()
    expect(contents.open({ url: 'https://example.com/', features: '', frameName: '' })).toEqual({
      action: 'deny',
    })
    expect(called()).toEqual([['outside', 'https://example.com/']])
    expect(contents.open({ url: 'file:///x', features: '', frameName: '' })).toEqual({
      action: 'deny',
    })
    expect(called()).toEqual([])
    const allowed = contents.open({
      url: `${ORIGIN}/#alone=f-1&line=MOV`,
      features: 'popup,width=700,height=500',
      frameName: 'augury-pane-1',
    })
    expect(allowed).toMatchObject({
      action: 'allow',
      overrideBrowserWindowOptions: { width: 700, height: 500, webPreferences: { sandbox: true } },
    })
    const created = new EventEmitter() as EventEmitter & { setWindowOpenHandler?: unknown }
    created.setWindowOpenHandler = () => {}
    contents.emit('did-create-window', { webContents: created })
    const stop = vi.fn()
    created.emit('will-navigate', { url: 'https://example.com/', preventDefault: stop })
    expect(stop).toHaveBeenCalled()
  })

  it('has the permissions of the terminal only', async () => {
    await contentsOf()
    const act = (name: string) => electron.permissions.get(name) as (...args: unknown[]) => unknown
    const [request, check, device] = [act('request'), act('check'), act('device')]
    const requested = (permission: string, details: object) => {
      let granted: unknown = null
      request({}, permission, (value: unknown) => (granted = value), details)
      return granted
    }
    const here = { requestingUrl: `${ORIGIN}/` }
    expect(requested('geolocation', here)).toBe(false)
    expect(requested('notifications', { requestingUrl: 'https://example.com/' })).toBe(false)
    expect(requested('media', { ...here, mediaTypes: ['video'] })).toBe(false)
    expect(requested('media', { ...here, mediaTypes: ['audio'] })).toBe(
      check({}, 'media', ORIGIN, { mediaType: 'audio' }),
    )
    expect(check({}, 'media', ORIGIN, { mediaType: 'video' })).toBe(false)
    expect(check({}, 'geolocation', ORIGIN, {})).toBe(false)
    expect(device()).toBe(false)
  })
})

describe('messages of the page', () => {
  const setUp = async () => {
    const main = windowOf()
    await main.load(ORIGIN)
    called()
    const done: unknown[] = []
    const native = {
      notify: (note: object) => (done.push(['notify', note]), Promise.resolve('shown')),
      showMenus: (menus: unknown) => done.push(['menus', menus]),
      showState: (state: unknown) => done.push(['state', state]),
    }
    handleMessages({
      main,
      native: native as unknown as Native,
      showLogs: () => Promise.resolve(true),
      ticket: () => Promise.resolve('t1'),
    })
    const frame = { url: `${ORIGIN}/`, parent: null, origin: ORIGIN }
    const send = (channel: string, value?: unknown, senderFrame: object | null = frame) =>
      electron.handlers.get(channel)?.({ senderFrame } as never, value as never)
    return { main, done, send }
  }

  it('are answered', async () => {
    const { send, done } = await setUp()
    expect(await send(CHANNELS.ticket)).toBe('t1')
    expect(await send(CHANNELS.showLogs)).toBe(true)
    expect(await send(CHANNELS.openOutside, 'https://example.com/')).toBe(true)
    expect(called()).toEqual([['outside', 'https://example.com/']])
    expect(await send(CHANNELS.openOutside, 5)).toBe(false)
    expect(await send(CHANNELS.notify, { title: 'T', body: 'B', line: null })).toBe('shown')
    expect(await send(CHANNELS.notify, { title: '' })).toBe('denied')
    expect(await send(CHANNELS.secretStorage)).toMatchObject({ kind: 'system' })
    send(CHANNELS.menus, [{ label: 'Look', rows: [] }])
    send(CHANNELS.menus, 'x')
    send(CHANNELS.dataState, { tone: 'fresh', text: 'Live', isPaused: false })
    send(CHANNELS.dataState, {})
    expect(done).toEqual([
      ['notify', { title: 'T', body: 'B', line: null }],
      ['menus', [{ label: 'Look', rows: [] }]],
      ['state', { tone: 'fresh', text: 'Live', isPaused: false }],
    ])
  })

  it('of another page are refused', async () => {
    const { send, done, main } = await setUp()
    const other = { url: 'https://example.com/', parent: null, origin: 'https://example.com' }
    expect(await send(CHANNELS.ticket, undefined, other)).toBeNull()
    expect(await send(CHANNELS.showLogs, undefined, other)).toBe(false)
    expect(await send(CHANNELS.openOutside, 'https://example.com/', other)).toBe(false)
    expect(await send(CHANNELS.notify, { title: 'T', body: 'B', line: null }, null)).toBe('denied')
    expect(await send(CHANNELS.secretStorage, undefined, other)).toBeNull()
    send(CHANNELS.menus, [{ label: 'Look', rows: [] }], other)
    expect([done, called()]).toEqual([[], []])
    send(CHANNELS.command, undefined, other)
    main.send({ kind: 'run', line: 'MOV' })
    expect(called()).toEqual([])
    send(CHANNELS.command)
    expect(called()).toEqual([['send', CHANNELS.command, { kind: 'run', line: 'MOV' }]])
  })
})

describe('the tray and notifications', () => {
  const setUp = (icon = 'icon.png') => {
    const done: unknown[] = []
    const native = new Native(icon, {
      send: (command) => void done.push(command),
      open: () => void done.push('open'),
      showLogs: () => void done.push('logs'),
      quit: () => void done.push('quit'),
    })
    return { native, done }
  }

  it('show the state of the data, and open the window', () => {
    const { native, done } = setUp()
    const first = called()
    expect(first[0]).toEqual(['tray', expect.objectContaining({ path: 'icon.png' })])
    expect(electron.menus).toHaveLength(1)
    ;(electron.trays[0] as EventEmitter).emit('click')
    expect(done).toEqual(['open'])
    native.showState({ tone: 'stale', text: 'No data for 5 min', isPaused: true })
    const [tip, menu] = called()
    expect(tip).toEqual(['tip', expect.stringContaining('No data for 5 min')])
    expect(menu?.[0]).toBe('trayMenu')
    native.showMenus([{ label: 'Look', rows: [] }])
    expect(electron.menus).toHaveLength(2)
    setUp('missing.png')
    expect(called()[0]?.[1]).not.toHaveProperty('path')
  })

  it('resolve once the system answers, and run their command', async () => {
    const { native, done } = setUp()
    const note = (line: string | null) => ({ title: 'T', body: 'B', line })
    called()
    const shown = native.notify(note('MOV'))
    expect(called()).toEqual([['note', { title: 'T', body: 'B' }], ['showNote']])
    const [first] = electron.notifications as EventEmitter[]
    first?.emit('show')
    expect(await shown).toBe('shown')
    first?.emit('click')
    expect(done).toEqual(['open', { kind: 'run', line: 'MOV' }])
    const denied = native.notify(note(null))
    const second = electron.notifications[1] as EventEmitter
    second.emit('failed')
    expect(await denied).toBe('denied')
    second.emit('click')
    expect(done).toEqual(['open', { kind: 'run', line: 'MOV' }, 'open'])
    electron.isSupported = false
    expect(await native.notify(note(null))).toBe('unsupported')
    expect(electron.notifications).toHaveLength(2)
  })
})

it('the built parts are beside the main script', () => {
  const { preload, entry, backend } = builtParts(join('dist', 'main'))
  expect([preload, entry, backend]).toEqual([
    join('dist', 'preload', 'preload.cjs'),
    join('dist', 'main', 'backend-entry.js'),
    join('dist', 'backend', 'main.js'),
  ])
})
