import type { Bridge, Note, NoteResult } from '../../electron/bridge.ts'

/** The browser's own notifications, as far as they are needed. */
export interface WebNotes {
  readonly permission: () => NotificationPermission
  readonly ask: () => Promise<NotificationPermission>
  readonly show: (note: Note, onclick: () => void) => void
}

export interface NotifySurroundings {
  /** Null in a browser. */
  readonly bridge: Pick<Bridge, 'notify'> | null
  /** Null where there are no notifications. */
  readonly web: WebNotes | null
  /** Brings the window forward and runs a line. */
  readonly open: (line: string | null) => void
}

/** Shows a notification: by the desktop shell where there is one, else by the browser. */
export async function notify(note: Note, around: NotifySurroundings): Promise<NoteResult> {
  const { bridge, web, open } = around
  if (bridge !== null) return bridge.notify(note)
  if (web === null) return 'unsupported'
  if (web.permission() !== 'granted') return 'denied'
  web.show(note, () => open(note.line))
  return 'shown'
}

/** Asks for what notifications need; to be called when the reader turns them on. */
export async function prepare({ bridge, web }: NotifySurroundings): Promise<NoteResult> {
  if (bridge !== null) return 'shown'
  if (web === null) return 'unsupported'
  const permission = web.permission() === 'default' ? await web.ask() : web.permission()
  return permission === 'granted' ? 'shown' : 'denied'
}

/** How it went, in words that say what to do. */
export const NOTE_WORDS: Readonly<Record<NoteResult, string>> = {
  shown: 'Notifications are on: they tell when prices stop being current while you look elsewhere',
  denied:
    'Notifications are refused for this address. Allow them in the settings of the browser or the system, then turn them on again; the status line tells the same meanwhile',
  unsupported: 'This browser has no notifications; the status line tells the same',
}

/** The surroundings of this page. */
export function surroundings(open: (line: string | null) => void): NotifySurroundings {
  const { augury: bridge } = globalThis as { readonly augury?: Bridge }
  const web: WebNotes | null =
    'Notification' in globalThis
      ? {
          permission: () => Notification.permission,
          ask: () => Notification.requestPermission(),
          show: (note, onclick) => {
            const shown = new Notification(note.title, { body: note.body, tag: 'augury.data' })
            shown.onclick = () => {
              globalThis.focus()
              onclick()
            }
          },
        }
      : null
  return { bridge: bridge ?? null, web, open }
}
