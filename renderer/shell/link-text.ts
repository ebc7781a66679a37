import type { LinkState, LossReason } from '../api/socket/link.ts'

export interface LinkText {
  readonly tone: 'ok' | 'faint' | 'late'
  readonly text: string
  readonly help: string
}

const WHY: Readonly<Record<LossReason, string>> = {
  stopping: 'The service is restarting',
  'signed-out': 'This page is not signed in; open it with `augury open` for live updates',
  'too-many': 'Live updates run in five windows already, or this one asked too often',
  slow: 'This window read too slowly; it follows fewer rows now',
  silent: 'The service fell silent',
  misunderstood: 'The page and the service do not understand each other; reload the page',
  refused:
    'The service refuses live updates, perhaps because five windows have them already; close one',
  lost: 'The connection was lost',
}

/** How the page hears of changes, for the status line. */
export function linkText(
  link: LinkState,
  now: number,
  { isReachable }: { readonly isReachable: boolean },
): LinkText {
  switch (link.kind) {
    case 'live':
      return { tone: 'ok', text: 'Live', help: 'Changes are told as they happen' }
    case 'connecting':
      return { tone: 'faint', text: 'Connecting', help: 'Live updates are being set up' }
    case 'polling':
      return { tone: 'faint', text: 'Polling', help: `${WHY[link.reason]}. Panes ask meanwhile` }
    case 'waiting': {
      const seconds = Math.max(0, Math.ceil((link.until - now) / 1_000))
      const why = link.reason === 'refused' && !isReachable ? WHY.lost : WHY[link.reason]
      return {
        tone: 'late',
        text: `Reconnecting in ${seconds} s`,
        help: `${why}. Panes ask meanwhile`,
      }
    }
  }
}
