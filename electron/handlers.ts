import { ipcMain, safeStorage, type IpcMainEvent, type IpcMainInvokeEvent } from 'electron'
import { CHANNELS, type NoteResult } from './bridge.ts'
import type { MainWindow } from './main-window.ts'
import type { Native } from './native.ts'
import { isFromPage } from './navigation.ts'
import { readDataState, readMenus, readNote } from './bridge-messages.ts'
import { secretStorageOf } from './secret-storage.ts'
import { openOutside } from './window.ts'

export interface HandlerParts {
  readonly main: MainWindow
  readonly native: Native
  readonly showLogs: () => Promise<boolean>
  readonly ticket: () => Promise<string | null>
}

/** Handles messages from the page and rejects all other senders. */
export function handleMessages({ main, native, showLogs, ticket }: HandlerParts): void {
  const isOurs = ({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent) =>
    isFromPage(senderFrame, main.origin)
  const answer = <T>(channel: string, otherwise: T, work: (value: unknown) => T | Promise<T>) =>
    ipcMain.handle(channel, (event, value: unknown) => (isOurs(event) ? work(value) : otherwise))
  const receive = (channel: string, work: (value: unknown) => void) =>
    ipcMain.on(channel, (event, value: unknown) => {
      if (isOurs(event)) work(value)
    })

  answer(CHANNELS.openOutside, false, (address) =>
    typeof address === 'string' ? openOutside(address, main.origin) : false,
  )
  answer<NoteResult>(CHANNELS.notify, 'denied', (value) => {
    const note = readNote(value)
    return note === null ? 'denied' : native.notify(note)
  })
  answer(CHANNELS.ticket, null, ticket)
  answer(CHANNELS.showLogs, false, showLogs)
  answer(CHANNELS.secretStorage, null, async () =>
    secretStorageOf(
      process.platform,
      await safeStorage.isAsyncEncryptionAvailable(),
      process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : null,
    ),
  )
  receive(CHANNELS.command, () => main.onPageReady())
  receive(CHANNELS.menus, (value) => {
    const menus = readMenus(value)
    if (menus !== null) native.showMenus(menus)
  })
  receive(CHANNELS.dataState, (value) => {
    const state = readDataState(value)
    if (state !== null) native.showState(state)
  })
}
