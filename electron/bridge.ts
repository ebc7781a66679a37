/** How the service behind the page is doing, as the shell sees it. */
export type ServiceState = 'starting' | 'running' | 'restarting' | 'refused' | 'stopped'

export interface ServiceNews {
  readonly state: ServiceState
  /** Milliseconds until the next start; null unless it restarts. */
  readonly afterMs: number | null
}

/** What the shell asks of the page: to run a line, to put text into the bar, or to follow a link. */
export interface Order {
  readonly kind: 'run' | 'ask' | 'link'
  readonly line: string
}

export interface MenuRow {
  readonly label: string
  readonly order: Order
}
/** One menu, made by the page from its table of commands. */
export interface MenuGroup {
  readonly label: string
  readonly rows: readonly MenuRow[]
}

/** What the tray says of the data. */
export interface DataState {
  readonly tone: 'fresh' | 'late' | 'stale' | 'lost'
  readonly text: string
  readonly isPaused: boolean
}

export interface Note {
  readonly title: string
  readonly body: string
  /** What a click runs, besides bringing the window forward. */
  readonly line: string | null
}
export type NoteResult = 'shown' | 'denied' | 'unsupported'

/** Where secrets would be kept, and the sentence that says so. */
export interface SecretPlace {
  readonly kind: 'system' | 'memory'
  readonly words: string
}

/**
 * The few functions that the page has only in the desktop shell, as `window.augury`. In a browser
 * it is absent and the page falls back to what browsers can do.
 */
export interface Bridge {
  /** As Node names it. */
  readonly platform: string
  readonly version: string
  /** Opens an https address in the user's browser; anything else is refused with false. */
  openOutside(address: string): Promise<boolean>
  /** Calls `listener` at each change; returns how to stop. */
  onServiceNews(listener: (news: ServiceNews) => void): () => void
  /** Calls `listener` with what menus, tray, links and notifications ask for; returns how to stop. */
  onOrder(listener: (order: Order) => void): () => void
  offerMenus(groups: readonly MenuGroup[]): void
  tellState(state: DataState): void
  notify(note: Note): Promise<NoteResult>
  /** A one-time ticket to sign in anew after the service restarted; null when there is none. */
  ticket(): Promise<string | null>
  /** Opens the folder of the logs; false when it cannot be opened. */
  showLogs(): Promise<boolean>
  secretPlace(): Promise<SecretPlace>
}

/** Channels between preload script and shell. */
export const CHANNELS = {
  openOutside: 'open-outside',
  serviceNews: 'service-news',
  order: 'order',
  menus: 'menus',
  dataState: 'data-state',
  notify: 'notify',
  ticket: 'ticket',
  showLogs: 'show-logs',
  secretPlace: 'secret-place',
} as const
/** Prefix of the argument that tells the preload script the version of the app. */
export const VERSION_ARGUMENT = '--augury-version='
