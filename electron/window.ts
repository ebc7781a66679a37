import { join } from 'node:path'
import {
  BrowserWindow,
  session,
  shell,
  type BrowserWindowConstructorOptions,
  type Session,
  type WebContents,
} from 'electron'
import { VERSION_ARGUMENT } from './bridge.ts'
import { destinationOf } from './navigation.ts'
import { mayUse } from './permissions.ts'
import { decideWindow } from './pop-out.ts'
import { MIN_SIZE, type WindowState } from './window-state.ts'

export interface WindowOptions {
  readonly preload: string
  readonly icon: string
  readonly version: string
  readonly state: WindowState
  /** Colour before the first paint. */
  readonly background: string
  /** Current origin of the backend; a restart may change it. */
  readonly appOrigin: () => string
}

type PageWindowOptions = Pick<
  WindowOptions,
  'preload' | 'icon' | 'version' | 'background' | 'appOrigin'
>

/** Options of every window: sandboxed, isolated, without Node. */
const windowOptions = (options: PageWindowOptions): BrowserWindowConstructorOptions => ({
  backgroundColor: options.background,
  icon: options.icon,
  autoHideMenuBar: true,
  webPreferences: {
    preload: options.preload,
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webviewTag: false,
    spellcheck: false,
    additionalArguments: [`${VERSION_ARGUMENT}${options.version}`],
  },
})

/** The main window, bound to the backend's address. */
export function openWindow(options: WindowOptions): BrowserWindow {
  const { state, appOrigin } = options
  const window = new BrowserWindow({
    ...windowOptions(options),
    ...state.bounds,
    minWidth: MIN_SIZE.width,
    minHeight: MIN_SIZE.height,
    show: false,
  })
  if (state.isMaximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  guardNavigation(window.webContents, options)
  guardPermissions(session.defaultSession, appOrigin)
  return window
}

/** Opens an address in the browser when it may open there; returns whether it did. */
export function openOutside(address: string, appOrigin: string): boolean {
  if (destinationOf(address, appOrigin) !== 'browser') return false
  void shell.openExternal(address)
  return true
}

function guardNavigation(webContents: WebContents, options: PageWindowOptions): void {
  const { appOrigin } = options
  const blockOutsideNavigation = (event: { preventDefault(): void; readonly url: string }) => {
    if (destinationOf(event.url, appOrigin()) === 'inside') return
    event.preventDefault()
    openOutside(event.url, appOrigin())
  }
  webContents.on('will-navigate', blockOutsideNavigation)
  webContents.on('will-redirect', blockOutsideNavigation)
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  webContents.setWindowOpenHandler((request) => {
    const decision = decideWindow(request, appOrigin(), BrowserWindow.getAllWindows().length)
    if (decision.kind === 'browser') openOutside(request.url, appOrigin())
    if (decision.kind !== 'pane') return { action: 'deny' }
    const { width, height } = decision
    return {
      action: 'allow',
      overrideBrowserWindowOptions: { ...windowOptions(options), width, height },
    }
  })
  // A pane window is guarded like the window that opened it.
  webContents.on('did-create-window', (created) => guardNavigation(created.webContents, options))
}

function guardPermissions(target: Session, appOrigin: () => string): void {
  target.setPermissionRequestHandler((_contents, permission, answer, details) => {
    const mediaTypes = 'mediaTypes' in details ? (details.mediaTypes ?? []) : []
    answer(mayUse({ permission, from: details.requestingUrl, mediaTypes }, appOrigin()))
  })
  target.setPermissionCheckHandler((_contents, permission, from, details) => {
    const mediaTypes = details.mediaType === undefined ? [] : [details.mediaType]
    return mayUse({ permission, from, mediaTypes }, appOrigin())
  })
  target.setDevicePermissionHandler(() => false)
}

/** Paths of the built parts, relative to the folder of the built main script. */
export const builtParts = (mainFolder: string) => ({
  preload: join(mainFolder, '..', 'preload', 'preload.cjs'),
  entry: join(mainFolder, 'backend-entry.js'),
  backend: join(mainFolder, '..', 'backend', 'main.js'),
})
