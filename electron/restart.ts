import type { Ready } from './ready-line.ts'

/** After so many starts in a row the former port is taken to be lost. */
const MOST_PINNED = 3

/**
 * Flags for the n-th start in a row (from 0). A restart asks for the port of before: the page stands
 * at its address, and the browser keeps layouts and session by it.
 */
export function flagsForStart(
  flags: readonly string[],
  last: Pick<Ready, 'url'> | null,
  attempt: number,
): readonly string[] {
  if (last === null || attempt > MOST_PINNED) return flags
  const { port } = new URL(last.url)
  return port === '' ? flags : [...flags, '--port', port]
}

/**
 * What a window does when the service answers: enter with a ticket the first time, stay where it is
 * after a restart at the same address (the page reconnects by itself), move when the address changed.
 * @param shown origin that the window shows, null when it shows nothing yet
 */
export function onAnswer(shown: string | null, url: string): 'enter' | 'stay' | 'move' {
  if (shown === null) return 'enter'
  return shown === new URL(url).origin ? 'stay' : 'move'
}
