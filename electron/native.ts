import { Menu, nativeImage, Notification, Tray, type NativeImage } from 'electron'
import type { DataState, MenuGroup, Note, NoteResult } from './bridge.ts'
import { menuBar, trayMenu, trayTip, type MenuActions } from './menus.ts'

const TRAY_PX = process.platform === 'darwin' ? 18 : 22

/** The menu bar, the tray and notifications, kept in sync with the page. */
export class Native {
  readonly #actions: MenuActions
  readonly #tray: Tray
  #state: DataState | null = null

  constructor(icon: string, actions: MenuActions) {
    this.#actions = actions
    this.#tray = new Tray(trayIcon(nativeImage.createFromPath(icon)))
    this.#tray.on('click', actions.open)
    this.showMenus([])
    this.showState(null)
  }

  showMenus(groups: readonly MenuGroup[]): void {
    Menu.setApplicationMenu(
      Menu.buildFromTemplate(menuBar(groups, process.platform, this.#actions)),
    )
  }

  showState(state: DataState | null): void {
    this.#state = state
    this.#tray.setToolTip(trayTip(this.#state))
    this.#tray.setContextMenu(Menu.buildFromTemplate(trayMenu(this.#state, this.#actions)))
  }

  /** Shows a notification; resolves once the system accepted or refused it. */
  notify(note: Note): Promise<NoteResult> {
    if (!Notification.isSupported()) return Promise.resolve('unsupported')
    const notification = new Notification({ title: note.title, body: note.body })
    notification.on('click', () => {
      this.#actions.open()
      if (note.line !== null) this.#actions.send({ kind: 'run', line: note.line })
    })
    return new Promise((resolve) => {
      notification.once('show', () => resolve('shown'))
      notification.once('failed', () => resolve('denied'))
      notification.show()
    })
  }
}

const trayIcon = (image: NativeImage): NativeImage =>
  image.isEmpty() ? image : image.resize({ width: TRAY_PX, height: TRAY_PX })
