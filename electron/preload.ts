import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron'
import { CHANNELS, VERSION_ARGUMENT, type Bridge, type ServiceState } from './bridge.ts'

const versionArgument = process.argv.find((word) => word.startsWith(VERSION_ARGUMENT))

const bridge: Bridge = {
  platform: process.platform,
  version: versionArgument?.slice(VERSION_ARGUMENT.length) ?? '',
  openOutside: (address) => ipcRenderer.invoke(CHANNELS.openOutside, address) as Promise<boolean>,
  onServiceState(listener) {
    const relay = (_event: IpcRendererEvent, state: ServiceState) => listener(state)
    ipcRenderer.on(CHANNELS.serviceState, relay)
    return () => void ipcRenderer.off(CHANNELS.serviceState, relay)
  },
}

contextBridge.exposeInMainWorld('augury', bridge)
