import type { Ready } from './ready-line.ts'

/** After this many consecutive starts the previous port is given up. */
const MAX_PINNED = 3

/**
 * Flags for the n-th consecutive start (from 0). A restart requests the previous port: the page is
 * open at its address, and the browser stores layouts and session by it.
 */
export function flagsForStart(
  flags: readonly string[],
  last: Pick<Ready, 'url'> | null,
  attempt: number,
): readonly string[] {
  if (last === null || attempt > MAX_PINNED) return flags
  const { port } = new URL(last.url)
  return port === '' ? flags : [...flags, '--port', port]
}

/**
 * Action of a window when the service is ready: enter with a ticket the first time, stay after a
 * restart at the same address (the page reconnects on its own), move when the address changed.
 * @param shown origin that the window shows, null when it shows nothing yet
 */
export function onAnswer(shown: string | null, url: string): 'enter' | 'stay' | 'move' {
  if (shown === null) return 'enter'
  return shown === new URL(url).origin ? 'stay' : 'move'
}
