import type { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ShellCommand, ServiceUpdate } from './bridge.ts'
import type { HandlerParts } from './handlers.ts'
import type { MenuActions } from './menus.ts'

/** Electron runs in no test of this kind: the app and the windows are replaced by their calls. */
const scene = vi.hoisted(() => ({
  log: [] as string[],
  app: null as unknown,
  children: [] as unknown[],
  folder: '',
  hasLock: true,
  isReady: true,
  shown: null as string | null,
  acts: null as unknown,
  parts: null as unknown,
}))

vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events')
  const note = (text: string) => void scene.log.push(text)
  const app = Object.assign(new Emitter(), {
    isPackaged: false,
    getPath: () => scene.folder,
    getAppPath: () => '/src',
    enableSandbox: () => note('sandbox'),
    setAsDefaultProtocolClient: (scheme: string, path: string, args: string[]) =>
      note(`links ${scheme} ${path === process.execPath ? 'node' : path} ${args.join()}`),
    requestSingleInstanceLock: () => scene.hasLock,
    exit: (code: number) => note(`exit ${code}`),
    quit: () => note('quit'),
    isReady: () => scene.isReady,
    whenReady: () => Promise.resolve(),
  })
  scene.app = app
  return {
    app,
    dialog: { showErrorBox: (title: string, text: string) => note(`error ${title}: ${text}`) },
    shell: { openPath: (path: string) => Promise.resolve(path === '' ? 'no' : '') },
    utilityProcess: {
      fork: (entry: string, args: string[], options: { execArgv: string[]; env: object }) => {
        const stdout = Object.assign(new Emitter(), { setEncoding: () => {} })
        const child = Object.assign(new Emitter(), {
          stdout,
          stderr: new Emitter(),
          pid: 4_000_000,
          kill: () => note('terminate'),
        })
        scene.children.push(child)
        note(`fork ${entry.split(/[/\\]/).at(-1)} ${args.slice(1).join(' ')}`.trim())
        expect(args[0]).toMatch(/\.js$/)
        expect(options.execArgv).toEqual(['--max-semi-space-size=64'])
        return child
      },
    },
  }
})
vi.mock('./main-window.ts', () => ({
  MainWindow: class {
    get shown() {
      return scene.shown
    }
    load(address: string) {
      scene.shown = new URL(address).origin
      scene.log.push(`load ${address}`)
      return Promise.resolve()
    }
    raise = () => scene.log.push('raise')
    broadcast = ({ state, afterMs }: ServiceUpdate) => scene.log.push(`${state} ${afterMs}`)
    send = ({ kind, line }: ShellCommand) => scene.log.push(`command ${kind} ${line}`)
  },
}))
vi.mock('./native.ts', () => ({
  Native: class {
    readonly notify = () => Promise.resolve('shown')
    constructor(_icon: string, acts: MenuActions) {
      scene.acts = acts
    }
  },
}))
vi.mock('./handlers.ts', () => ({
  handleMessages: (parts: HandlerParts) => void (scene.parts = parts),
}))

const URL_1 = 'http://127.0.0.1:4870/'
const URL_2 = 'http://127.0.0.1:4999/'
const startWith = (...argv: readonly string[]) =>
  vi.spyOn(process, 'argv', 'get').mockReturnValue([...argv])

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.resetModules()
  // The mocked app is the same for each import of the program.
  ;(scene.app as EventEmitter | null)?.removeAllListeners()
  const folder = mkdtempSync(join(tmpdir(), 'augury-main-'))
  Object.assign(scene, { folder, hasLock: true, isReady: true, shown: null })
  scene.log.length = 0
  scene.children.length = 0
  startWith('electron', 'main.js', '--', '--data', folder)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  rmSync(scene.folder, { recursive: true, force: true })
})

interface Child extends EventEmitter {
  readonly stdout: EventEmitter
  readonly stderr: EventEmitter
  pid: number | undefined
}
const app = () => scene.app as EventEmitter
const child = () => scene.children.at(-1) as Child
const called = () => scene.log.splice(0)
/** Work that waits for answers of promises. */
const settle = () => vi.advanceTimersByTimeAsync(0)

/** Starts the program; its backend was started, unless it refuses to run. */
async function start() {
  await import('./main.ts')
  await settle()
}
async function becomesReady(url = URL_1) {
  const line = JSON.stringify({ ready: true, url, source: 'demo', dataDir: scene.folder })
  child().stdout.emit('data', `${line}\n`)
  await settle()
}
function launchFile(content: object) {
  mkdirSync(join(scene.folder, 'run'), { recursive: true })
  writeFileSync(join(scene.folder, 'run', 'launch.json'), JSON.stringify(content))
}

it('starts its backend with its flags, and shows the page once it is ready', async () => {
  await start()
  expect(called()).toEqual([
    'sandbox',
    'links augury node /src',
    `fork backend-entry.js --data ${scene.folder}`,
    'starting null',
  ])
  await becomesReady()
  expect(called()).toEqual(['running null', `load ${URL_1}`])
  child().stderr.emit('data', Buffer.from('a warning\n'))
  expect(readFileSync(join(scene.folder, 'logs', 'backend.log'), 'utf8')).toBe('a warning\n')
})

it('does not start a second time', async () => {
  scene.hasLock = false
  await start()
  expect(called()).toEqual(['sandbox', 'links augury node /src', 'exit 0'])
  app().emit('activate')
  expect(called()).toEqual([])
})

it('restarts its backend at the same port and leaves the page; at another the page follows', async () => {
  await start()
  await becomesReady()
  called()
  child().emit('exit', 1)
  expect(called()).toEqual(['restarting 500'])
  await vi.advanceTimersByTimeAsync(500)
  expect(called()).toEqual([
    `fork backend-entry.js --data ${scene.folder} --port 4870`,
    'starting null',
  ])
  await becomesReady()
  expect(called()).toEqual(['running null'])
  child().emit('exit', 1)
  await vi.advanceTimersByTimeAsync(1_000)
  called()
  await becomesReady(URL_2)
  expect(called()).toEqual(['running null', `load ${URL_2}`])
})

it.each([
  { code: 3, running: { url: URL_2 }, done: [`load ${URL_2}`] },
  { code: 3, running: null, done: ['error', 'exit 3'] },
  { code: 2, running: { url: URL_2 }, done: ['error', 'exit 2'] },
])('a backend that ends with $code beside $running: $done', async ({ code, running, done }) => {
  if (running !== null) launchFile(running)
  await start()
  called()
  child().emit('exit', code)
  await settle()
  const calls = called()
  expect(calls[0]).toBe('refused null')
  const error = `error Augury cannot start: Its backend ended with code ${code}. Its log is in ${join(scene.folder, 'logs')}.`
  expect(calls.slice(1)).toEqual(done.map((call) => (call === 'error' ? error : call)))
})

it('stops its backend before it ends', async () => {
  await start()
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  called()
  const quit = () => {
    const event = { preventDefault: vi.fn() }
    app().emit('before-quit', event)
    return event.preventDefault.mock.calls.length
  }
  expect([quit(), called()]).toEqual([1, ['terminate']])
  expect([quit(), called()]).toEqual([0, []])
  // It is killed when it does not end.
  await vi.advanceTimersByTimeAsync(5_999)
  expect(kill).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(kill.mock.calls).toEqual([[4_000_000, 'SIGKILL']])
  child().emit('exit', null)
  await settle()
  expect(called()).toEqual(['stopped null', 'quit'])
})

it('quits with its last window, and kills no backend without a process id', async () => {
  scene.hasLock = true
  const event = { preventDefault: vi.fn() }
  const started = import('./main.ts')
  await started
  app().emit('window-all-closed')
  expect(called()).toContain('quit')
  child().pid = undefined
  app().emit('before-quit', event)
  expect(event.preventDefault).toHaveBeenCalled()
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true)
  await vi.advanceTimersByTimeAsync(6_000)
  expect(kill).not.toHaveBeenCalled()
})

it('comes forward, and opens its window again', async () => {
  await start()
  called()
  app().emit('activate')
  expect(called()).toEqual(['raise'])
  await becomesReady()
  called()
  app().emit('second-instance', {}, ['electron', 'main.js'])
  expect(called()).toEqual(['raise'])
  scene.shown = null
  app().emit('activate')
  await settle()
  expect(called()).toEqual(['raise', `load ${URL_1}`])
})

it('follows links that open panes, and no others [terminal.desktop.link]', async () => {
  await start()
  called()
  app().emit('second-instance', {}, ['electron', 'augury://open?c=MOV'])
  expect(called()).toEqual(['command link MOV', 'raise'])
  const opened = (address: string) => {
    const event = { preventDefault: vi.fn() }
    app().emit('open-url', event, address)
    expect(event.preventDefault).toHaveBeenCalled()
  }
  opened('augury://open?c=NEW')
  expect(called()).toEqual(['command link NEW', 'raise'])
  opened('augury://delete?c=NEW')
  expect(called()).toEqual(['error The link was not followed: Links can only open panes', 'raise'])
  scene.isReady = false
  opened('augury://open?c=CHG')
  expect(called()).toEqual([])
  await settle()
  expect(called()).toEqual(['command link CHG', 'raise'])
})

it('follows the link that started it', async () => {
  startWith('electron', 'augury://open?c=MOV')
  await start()
  expect(called().slice(-2)).toEqual(['command link MOV', 'raise'])
})

it('gives the page a ticket of its service, and menus the actions of the app', async () => {
  await start()
  const parts = scene.parts as HandlerParts
  const acts = scene.acts as MenuActions
  expect(await parts.ticket()).toBeNull()
  expect(await parts.showLogs()).toBe(true)
  await becomesReady()
  launchFile({ secret: 's' })
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ url: `${URL_1}#ticket=T1` })))
  expect(await parts.ticket()).toBe('T1')
  vi.unstubAllGlobals()
  called()
  acts.send({ kind: 'run', line: 'MOV' })
  acts.open()
  acts.quit()
  expect(called()).toEqual(['command run MOV', 'raise', 'raise', 'quit'])
})
