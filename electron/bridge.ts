/** State of the service behind the page, as the shell sees it. */
export type ServiceState = 'starting' | 'running' | 'restarting' | 'refused' | 'stopped'

export interface ServiceUpdate {
  readonly state: ServiceState
  /** Milliseconds until the next start; null unless it restarts. */
  readonly afterMs: number | null
}

/** A command from the shell to the page: run a line, put text into the bar, or follow a link. */
export interface ShellCommand {
  readonly kind: 'run' | 'prefill' | 'link'
  readonly line: string
}

export interface MenuRow {
  readonly label: string
  readonly command: ShellCommand
}
/** One menu, built by the page from its table of commands. */
export interface MenuGroup {
  readonly label: string
  readonly rows: readonly MenuRow[]
}

/** State of the data, as the tray shows it. */
export interface DataState {
  readonly tone: 'fresh' | 'late' | 'stale' | 'lost'
  readonly text: string
  readonly isPaused: boolean
}

export interface Note {
  readonly title: string
  readonly body: string
  /** Line that a click runs, besides bringing the window forward. */
  readonly line: string | null
}
export type NoteResult = 'shown' | 'denied' | 'unsupported'

/** Where secrets are stored, and a sentence that describes it. */
export interface SecretStorage {
  readonly kind: 'system' | 'memory'
  readonly text: string
}

/**
 * The functions that only the desktop shell gives to the page, as `window.augury`. In a browser it
 * is absent and the page uses browser features instead.
 */
export interface Bridge {
  /** As Node names it. */
  readonly platform: string
  readonly version: string
  /** Opens an https address in the user's browser; anything else is refused with false. */
  openOutside(address: string): Promise<boolean>
  /** Calls `listener` at each change; returns the unsubscribe function. */
  onServiceUpdate(listener: (update: ServiceUpdate) => void): () => void
  /**
   * Calls `listener` with commands from menus, tray, links and notifications; returns the
   * unsubscribe function.
   */
  onCommand(listener: (command: ShellCommand) => void): () => void
  offerMenus(groups: readonly MenuGroup[]): void
  reportState(state: DataState): void
  notify(note: Note): Promise<NoteResult>
  /** A one-time ticket to sign in again after the service restarted; null when there is none. */
  ticket(): Promise<string | null>
  /** Opens the folder of the logs; false when it cannot be opened. */
  showLogs(): Promise<boolean>
  secretStorage(): Promise<SecretStorage>
}

/** Channels between preload script and shell. */
export const CHANNELS = {
  openOutside: 'open-outside',
  serviceStatus: 'service-status',
  command: 'command',
  menus: 'menus',
  dataState: 'data-state',
  notify: 'notify',
  ticket: 'ticket',
  showLogs: 'show-logs',
  secretStorage: 'secret-storage',
} as const
/** Prefix of the argument that passes the app's version to the preload script. */
export const VERSION_ARGUMENT = '--augury-version='
