import type { LinkState, LossReason } from '../../api/socket/link.ts'

export interface LinkText {
  readonly tone: 'ok' | 'faint' | 'late'
  readonly text: string
  readonly help: string
}

const REASON_TEXTS: Readonly<Record<LossReason, string>> = {
  stopping: 'The service is restarting',
  'signed-out': 'This page is not signed in; open it with `augury open` for live updates',
  'too-many': 'Five windows already use live updates, or this window reconnected too often',
  slow: 'This window fell behind; it follows fewer rows now',
  silent: 'The service stopped responding',
  misunderstood: 'The page and the service have different versions; reload the page',
  refused: 'The service refused live updates; if five windows are open, close one',
  lost: 'The connection was lost',
}

/** How the page receives changes, for the status line. */
export function linkText(
  link: LinkState,
  now: number,
  { isReachable }: { readonly isReachable: boolean },
): LinkText {
  switch (link.kind) {
    case 'live':
      return { tone: 'ok', text: 'Live', help: 'Updates arrive as they happen' }
    case 'connecting':
      return { tone: 'faint', text: 'Connecting', help: 'Connecting to live updates' }
    case 'polling':
      return {
        tone: 'faint',
        text: 'Polling',
        help: `${REASON_TEXTS[link.reason]}. Panes poll meanwhile`,
      }
    case 'waiting': {
      const seconds = Math.max(0, Math.ceil((link.until - now) / 1_000))
      const reason =
        link.reason === 'refused' && !isReachable ? REASON_TEXTS.lost : REASON_TEXTS[link.reason]
      return {
        tone: 'late',
        text: `Reconnecting in ${seconds} s`,
        help: `${reason}. Panes poll meanwhile`,
      }
    }
  }
}
