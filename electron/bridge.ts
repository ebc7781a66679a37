/** How the service behind the page is doing, as the shell sees it. */
export type ServiceState = 'starting' | 'running' | 'restarting' | 'refused' | 'stopped'

/**
 * The few functions that the page has only in the desktop shell, as `window.augury`. In a browser
 * it is absent and the page falls back to what browsers can do.
 */
export interface Bridge {
  readonly platform: NodeJS.Platform
  readonly version: string
  /** Opens an https address in the user's browser; anything else is refused with false. */
  openOutside(address: string): Promise<boolean>
  /** Calls `listener` at each change; returns how to stop. */
  onServiceState(listener: (state: ServiceState) => void): () => void
}

/** Channels between preload script and shell. */
export const CHANNELS = { openOutside: 'open-outside', serviceState: 'service-state' } as const
/** Prefix of the argument that tells the preload script the version of the app. */
export const VERSION_ARGUMENT = '--augury-version='
