import type { Bridge, Note, NoteResult } from '../../../electron/bridge.ts'

/** The used part of the browser's notifications. */
export interface WebNotes {
  readonly permission: () => NotificationPermission
  readonly ask: () => Promise<NotificationPermission>
  readonly show: (note: Note, onclick: () => void) => void
}

export interface NotifierDeps {
  /** Null in a browser. */
  readonly bridge: Pick<Bridge, 'notify'> | null
  /** Null when the browser has no notifications. */
  readonly web: WebNotes | null
  /** Focuses the window and runs a line. */
  readonly open: (line: string | null) => void
}

/** Shows a notification: by the desktop shell when there is one, else by the browser. */
export async function notify(note: Note, deps: NotifierDeps): Promise<NoteResult> {
  const { bridge, web, open } = deps
  if (bridge !== null) return bridge.notify(note)
  if (web === null) return 'unsupported'
  if (web.permission() !== 'granted') return 'denied'
  web.show(note, () => open(note.line))
  return 'shown'
}

/** Requests the permission; call when the user enables notifications. */
export async function prepare({ bridge, web }: NotifierDeps): Promise<NoteResult> {
  if (bridge !== null) return 'shown'
  if (web === null) return 'unsupported'
  const permission = web.permission() === 'default' ? await web.ask() : web.permission()
  return permission === 'granted' ? 'shown' : 'denied'
}

/** The result, as a message with a remedy. */
export const NOTE_LABELS: Readonly<Record<NoteResult, string>> = {
  shown:
    'Notifications are on. You are notified when prices become stale while this window is in the background',
  denied:
    'Notifications are blocked for this address. Allow them in the browser or system settings, then turn them on again. The status line shows the same information',
  unsupported:
    'This browser does not support notifications. The status line shows the same information',
}

/** The environment of this page. */
export function notifierDeps(open: (line: string | null) => void): NotifierDeps {
  const { augury: bridge } = globalThis as { readonly augury?: Bridge }
  const web: WebNotes | null =
    'Notification' in globalThis
      ? {
          permission: () => Notification.permission,
          ask: () => Notification.requestPermission(),
          show: (note, onclick) => {
            const notification = new Notification(note.title, {
              body: note.body,
              tag: 'augury.data',
            })
            notification.onclick = () => {
              globalThis.focus()
              onclick()
            }
          },
        }
      : null
  return { bridge: bridge ?? null, web, open }
}
