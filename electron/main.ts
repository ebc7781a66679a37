import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  app,
  dialog,
  ipcMain,
  nativeTheme,
  screen,
  utilityProcess,
  type BrowserWindow,
} from 'electron'
import {
  DATA_IN_USE,
  keepRunning,
  linesOf,
  systemTimers,
  type Backend,
  type BackendChild,
  type BackendState,
} from './backend-process.ts'
import { CHANNELS } from './bridge.ts'
import { dataDirOf } from './data-dir.ts'
import { entryAddress, runningAddress } from './entry-address.ts'
import { backendFlags } from './launch-plan.ts'
import { isFromPage } from './navigation.ts'
import { builtParts, openOutside, openWindow } from './window.ts'
import { fitToDisplays, readWindowState } from './window-state.ts'

const PAPER = { light: '#f7f8fa', dark: '#0b0e13' } as const
const parts = builtParts(import.meta.dirname)
const flags = backendFlags(process.argv)
const statePath = () => join(app.getPath('userData'), 'window-state.json')

let window: BrowserWindow | null = null
let backend: Backend | null = null
let appOrigin = ''
let isQuitting = false

function spawnBackend(): BackendChild {
  const child = utilityProcess.fork(parts.entry, [parts.backend, ...flags], {
    serviceName: 'Augury backend',
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { AUGURY_LOG_LEVEL: 'warn', ...process.env },
  })
  return {
    onLine: (listener) => child.stdout !== null && linesOf(child.stdout, listener),
    onExit: (listener) => void child.on('exit', listener),
    terminate: () => void child.kill(),
    kill: () => child.pid !== undefined && process.kill(child.pid, 'SIGKILL'),
  }
}

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

async function show(url: string, dataDir: string): Promise<void> {
  appOrigin = new URL(url).origin
  const address = await entryAddress({ url, dataDir }, { readText, fetch })
  window ??= newWindow()
  try {
    await window.loadURL(address)
  } catch (cause) {
    dialog.showErrorBox('Augury cannot show its page', String(cause))
  }
}

function newWindow(): BrowserWindow {
  const { workArea } = screen.getPrimaryDisplay()
  const others = screen.getAllDisplays().map((display) => display.workArea)
  const opened = openWindow({
    preload: parts.preload,
    version: app.getVersion(),
    state: fitToDisplays(readWindowState(readText(statePath())), [workArea, ...others]),
    background: nativeTheme.shouldUseDarkColors ? PAPER.dark : PAPER.light,
    appOrigin: () => appOrigin,
  })
  opened.on('close', () => {
    const state = { bounds: opened.getNormalBounds(), isMaximized: opened.isMaximized() }
    writeFileSync(statePath(), JSON.stringify(state))
  })
  opened.on('closed', () => {
    window = null
  })
  return opened
}

function onState(state: BackendState): void {
  window?.webContents.send(CHANNELS.serviceState, state.kind)
  if (state.kind === 'running') void show(state.ready.url, state.ready.dataDir)
  if (state.kind === 'refused') onRefused(state.code)
}

function onRefused(code: number): void {
  const dataDir = dataDirOf(flags, process.env)
  const address = runningAddress(readText(join(dataDir, 'run', 'launch.json')))
  if (code === DATA_IN_USE && address !== null) return void show(address, dataDir)
  dialog.showErrorBox('Augury cannot start', `Its backend ended with code ${code}.`)
  app.exit(code)
}

function handleMessages(): void {
  ipcMain.handle(CHANNELS.openOutside, (event, address: unknown) =>
    isFromPage(event.senderFrame, appOrigin) && typeof address === 'string'
      ? openOutside(address, appOrigin)
      : false,
  )
}

app.enableSandbox()
if (!app.requestSingleInstanceLock()) {
  app.exit(0)
} else {
  app.on('second-instance', () => {
    if (window?.isMinimized() === true) window.restore()
    window?.focus()
  })
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', (event) => {
    if (isQuitting || backend === null) return
    event.preventDefault()
    isQuitting = true
    void backend.stop().finally(() => app.quit())
  })
  void app.whenReady().then(() => {
    handleMessages()
    backend = keepRunning(spawnBackend, systemTimers, onState)
  })
}
