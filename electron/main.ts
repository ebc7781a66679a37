import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { app, dialog, shell, utilityProcess } from 'electron'
import {
  keepRunning,
  linesOf,
  systemTimers,
  type Backend,
  type BackendChild,
  type BackendState,
} from './backend-process.ts'
import { dataDirOf } from './data-dir.ts'
import { linkAmong, readDeepLink, registration, SCHEME } from './deep-link.ts'
import { entryAddress, ticketOf } from './entry-address.ts'
import { handleMessages } from './handlers.ts'
import { addressAfterRefusal, BACKEND_NODE_FLAGS, backendFlags } from './launch-plan.ts'
import { LogFile } from './log-file.ts'
import { MainWindow } from './main-window.ts'
import { Native } from './native.ts'
import type { Ready } from './ready-line.ts'
import { flagsForStart, onAnswer } from './restart.ts'
import { builtParts } from './window.ts'

const parts = builtParts(import.meta.dirname)
const icon = app.isPackaged
  ? join(process.resourcesPath, 'icon.png')
  : join(import.meta.dirname, '..', '..', 'resources', 'icon.png')
const flags = backendFlags(process.argv)
const tools = { readText, fetch: (...args: Parameters<typeof fetch>) => fetch(...args) }

let backend: Backend | null = null
let ready: Pick<Ready, 'url' | 'dataDir'> | null = null
let isQuitting = false
const main = new MainWindow({
  preload: parts.preload,
  icon,
  readText,
  statePath: join(app.getPath('userData'), 'window-state.json'),
})
const log = new LogFile(join(app.getPath('userData'), 'logs'))

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function spawnBackend(attempt: number): BackendChild {
  const args = [parts.backend, ...flagsForStart(flags, ready, attempt)]
  const child = utilityProcess.fork(parts.entry, args, {
    serviceName: 'Augury backend',
    execArgv: [...BACKEND_NODE_FLAGS],
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { AUGURY_LOG_LEVEL: 'warn', ...process.env },
  })
  child.stderr?.on('data', (text: Buffer) => log.write(text.toString()))
  return {
    onLine: (listener) => child.stdout !== null && linesOf(child.stdout, listener),
    onExit: (listener) => void child.on('exit', listener),
    terminate: () => void child.kill(),
    kill: () => child.pid !== undefined && process.kill(child.pid, 'SIGKILL'),
  }
}

async function show(url: string, dataDir: string): Promise<void> {
  ready = { url, dataDir }
  if (onAnswer(main.shown, url) === 'stay') return
  await main.load(await entryAddress(ready, tools))
}

function onState(state: BackendState): void {
  main.broadcast({ state: state.kind, afterMs: state.kind === 'restarting' ? state.afterMs : null })
  if (state.kind === 'running') void show(state.ready.url, state.ready.dataDir)
  if (state.kind === 'refused') onRefused(state.code)
}

function onRefused(code: number): void {
  const dataDir = dataDirOf(flags, process.env)
  const address = addressAfterRefusal(code, readText(join(dataDir, 'run', 'launch.json')))
  if (address !== null) return void show(address, dataDir)
  dialog.showErrorBox(
    'Augury cannot start',
    `Its backend ended with code ${code}. Its log is in ${log.folder}.`,
  )
  app.exit(code)
}

const showLogs = async (): Promise<boolean> => (await shell.openPath(log.folder)) === ''

/** Brings the window forward, reopening it when it was closed. */
function open(): void {
  if (main.shown === null && ready !== null) void show(ready.url, ready.dataDir)
  main.raise()
}

function follow(address: string): void {
  const link = readDeepLink(address)
  if (link.kind === 'refused') dialog.showErrorBox('The link was not followed', link.why)
  else main.send({ kind: 'link', line: link.line })
  open()
}

function start(): void {
  const native = new Native(icon, {
    open,
    showLogs: () => void showLogs(),
    quit: () => app.quit(),
    send(command) {
      main.send(command)
      open()
    },
  })
  handleMessages({
    main,
    native,
    showLogs,
    ticket: async () => (ready === null ? null : ticketOf(await entryAddress(ready, tools))),
  })
  backend = keepRunning(spawnBackend, systemTimers, onState)
  const link = linkAmong(process.argv)
  if (link !== null) follow(link)
}

app.enableSandbox()
const { path, args } = registration(process.execPath, app.isPackaged ? null : app.getAppPath())
app.setAsDefaultProtocolClient(SCHEME, path, [...args])
if (!app.requestSingleInstanceLock()) {
  app.exit(0)
} else {
  app.on('second-instance', (_event, argv) => {
    const link = linkAmong(argv)
    if (link === null) open()
    else follow(link)
  })
  app.on('open-url', (event, address) => {
    event.preventDefault()
    if (app.isReady()) follow(address)
    else void app.whenReady().then(() => follow(address))
  })
  app.on('activate', open)
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', (event) => {
    if (isQuitting || backend === null) return
    event.preventDefault()
    isQuitting = true
    void backend.stop().finally(() => app.quit())
  })
  void app.whenReady().then(start)
}
