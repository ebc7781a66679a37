import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { CHANNELS, VERSION_ARGUMENT, type Bridge } from './bridge.ts'

const versionArgument = process.argv.find((word) => word.startsWith(VERSION_ARGUMENT))

/** Passes values from a channel to a listener; the event itself is not exposed. */
function listen(channel: string, listener: (value: never) => void): () => void {
  const relay = (_event: IpcRendererEvent, value: unknown) => listener(value as never)
  ipcRenderer.on(channel, relay)
  return () => void ipcRenderer.off(channel, relay)
}
const bridge: Bridge = {
  platform: process.platform,
  version: versionArgument?.slice(VERSION_ARGUMENT.length) ?? '',
  openOutside: (address) =>
    ipcRenderer.invoke(CHANNELS.openOutside, address) as ReturnType<Bridge['openOutside']>,
  onServiceUpdate: (listener) => listen(CHANNELS.serviceStatus, listener),
  onCommand: (listener) => {
    const stop = listen(CHANNELS.command, listener)
    // Delivers commands sent before a listener existed, such as the link that started the app.
    ipcRenderer.send(CHANNELS.command)
    return stop
  },
  offerMenus: (groups) => ipcRenderer.send(CHANNELS.menus, groups),
  reportState: (state) => ipcRenderer.send(CHANNELS.dataState, state),
  notify: (note) => ipcRenderer.invoke(CHANNELS.notify, note) as ReturnType<Bridge['notify']>,
  ticket: () => ipcRenderer.invoke(CHANNELS.ticket) as ReturnType<Bridge['ticket']>,
  showLogs: () => ipcRenderer.invoke(CHANNELS.showLogs) as ReturnType<Bridge['showLogs']>,
  secretStorage: () =>
    ipcRenderer.invoke(CHANNELS.secretStorage) as ReturnType<Bridge['secretStorage']>,
}

contextBridge.exposeInMainWorld('augury', bridge)
