import type { RunTold } from '../../api/backtest-types.ts'
import { backoff } from '../../api/live.ts'

export interface RunListener {
  /** Hears each word of the run, the last one when it is over. */
  readonly ontold: (told: RunTold, isOver: boolean) => void
  /** Whether events come: while they do not, the run has to be asked. */
  readonly onstream: (isOpen: boolean) => void
}

/** What is used of an EventSource. */
export type Opened = Pick<EventSource, 'addEventListener' | 'close'>
type Open = (path: string) => Opened

const inBrowser: Open = (path) => new EventSource(path)

function readTold(event: Event): RunTold | null {
  try {
    const told = JSON.parse(String((event as MessageEvent).data)) as Partial<RunTold>
    return typeof told.progress === 'number' && typeof told.state === 'string'
      ? (told as RunTold)
      : null
  } catch {
    return null
  }
}

/**
 * Follows a run by its events until it is over; opens them anew when they break off, each time a
 * little later. Ends when the returned function is called.
 */
export function followRun(path: string, { ontold, onstream }: RunListener, open = inBrowser) {
  let source: Opened | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let failures = 0
  let isOver = false
  const close = () => {
    source?.close()
    source = null
  }
  const again = () => {
    close()
    onstream(false)
    if (isOver) return
    failures += 1
    timer = setTimeout(begin, backoff(failures))
  }
  const hear = (event: Event, isEnd: boolean) => {
    const told = readTold(event)
    if (told === null) return
    failures = 0
    onstream(true)
    if (isEnd) {
      isOver = true
      close()
    }
    ontold(told, isEnd)
  }
  const begin = () => {
    timer = null
    if (isOver) return
    try {
      source = open(path)
    } catch {
      // No events in this browser: the run is asked.
      again()
      return
    }
    source.addEventListener('progress', (event) => hear(event, false))
    source.addEventListener('end', (event) => hear(event, true))
    source.addEventListener('error', again)
  }
  begin()
  return () => {
    isOver = true
    if (timer !== null) clearTimeout(timer)
    close()
  }
}
