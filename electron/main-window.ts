import { app, BrowserWindow, dialog, nativeTheme, screen } from 'electron'
import { CHANNELS, type ShellCommand, type ServiceUpdate } from './bridge.ts'
import { addressAfter, recoveryAfterExit, RECOVERY_CHOICES } from './recovery.ts'
import { systemTimers } from './backend-process.ts'
import { openWindow } from './window.ts'
import { fitToDisplays, readWindowState, saveWindowState } from './window-state.ts'

const BACKGROUNDS = { light: '#f4f6f8', dark: '#0b0e13' } as const

export interface MainWindowParts {
  readonly preload: string
  readonly icon: string
  readonly statePath: string
  readonly readText: (path: string) => string | null
}

/**
 * The window of the terminal: created when it has something to show, and reopened after crashes.
 */
export class MainWindow {
  readonly #parts: MainWindowParts
  #window: BrowserWindow | null = null
  #origin = ''
  #crashes: readonly number[] = []
  /** Commands received before the page listened. */
  #waiting: ShellCommand[] = []
  #isPageReady = false

  constructor(parts: MainWindowParts) {
    this.#parts = parts
  }

  /** Origin that the window shows; null when it shows nothing. */
  get shown(): string | null {
    return this.#window === null ? null : this.#origin
  }

  get origin(): string {
    return this.#origin
  }

  /** Loads the page's address. */
  async load(address: string): Promise<void> {
    this.#origin = new URL(address).origin
    this.#window ??= this.#make()
    this.#isPageReady = false
    try {
      await this.#window.loadURL(address)
    } catch (cause) {
      dialog.showErrorBox('Augury cannot show its page', String(cause))
    }
  }

  raise(): void {
    if (this.#window?.isMinimized() === true) this.#window.restore()
    this.#window?.show()
    this.#window?.focus()
  }

  /** Sends the state of the service to every window. */
  broadcast(update: ServiceUpdate): void {
    for (const window of BrowserWindow.getAllWindows()) {
      window.webContents.send(CHANNELS.serviceStatus, update)
    }
  }

  /** Sends a command to the page, at once or as soon as it listens. */
  send(command: ShellCommand): void {
    if (this.#isPageReady) this.#window?.webContents.send(CHANNELS.command, command)
    else this.#waiting = [...this.#waiting, command].slice(-8)
  }

  /** The page listens from now on. */
  onPageReady(): void {
    this.#isPageReady = true
    const waiting = this.#waiting
    this.#waiting = []
    for (const command of waiting) this.send(command)
  }

  #make(): BrowserWindow {
    const { preload, icon, statePath, readText } = this.#parts
    const { workArea } = screen.getPrimaryDisplay()
    const others = screen.getAllDisplays().map((display) => display.workArea)
    const window = openWindow({
      preload,
      icon,
      version: app.getVersion(),
      state: fitToDisplays(readWindowState(readText(statePath)), [workArea, ...others]),
      background: nativeTheme.shouldUseDarkColors ? BACKGROUNDS.dark : BACKGROUNDS.light,
      appOrigin: () => this.#origin,
    })
    window.on('close', () => {
      const state = { bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }
      saveWindowState(statePath, state)
    })
    window.on('closed', () => {
      this.#window = null
      this.#isPageReady = false
    })
    window.webContents.on('render-process-gone', (_event, { reason }) => {
      this.#isPageReady = false
      const now = systemTimers.monotonic()
      const recovery = recoveryAfterExit(reason, this.#crashes, now)
      this.#crashes = [...this.#crashes, now].slice(-10)
      if (recovery.kind === 'reload') window.webContents.reload()
      if (recovery.kind === 'ask') this.#ask(recovery.message)
    })
    return window
  }

  #ask(message: string): void {
    const choice = dialog.showMessageBoxSync({
      type: 'error',
      title: 'Augury',
      message,
      buttons: [...RECOVERY_CHOICES],
      defaultId: 1,
      cancelId: 0,
    })
    this.#crashes = []
    const address = addressAfter(choice, `${this.#origin}/`)
    if (address === null) app.quit()
    else void this.load(address)
  }
}
