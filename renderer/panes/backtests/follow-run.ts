import type { BacktestEvent } from '../../../backend/contract/backtests.ts'
import { backoff } from '../../api/live.ts'

export interface RunListener {
  /** Called with each event of the run; the last one reports its end. */
  readonly onreport: (event: BacktestEvent, isOver: boolean) => void
  /** Whether events arrive; while they do not, the run has to be polled. */
  readonly onstream: (isOpen: boolean) => void
}

/** The used part of EventSource. */
export type EventStream = Pick<EventSource, 'addEventListener' | 'close'>
type OpenEventStream = (path: string) => EventStream

const openEventSource: OpenEventStream = (path) => new EventSource(path)

function parseEvent(event: Event): BacktestEvent | null {
  try {
    const data = JSON.parse(String((event as MessageEvent).data)) as Partial<BacktestEvent>
    return typeof data.progress === 'number' && typeof data.state === 'string'
      ? (data as BacktestEvent)
      : null
  } catch {
    return null
  }
}

/**
 * Subscribes to the events of a run until it ends; reconnects with increasing delay. Ends when the
 * returned function is called.
 */
export function followRun(
  path: string,
  { onreport, onstream }: RunListener,
  open = openEventSource,
) {
  let source: EventStream | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  let failures = 0
  let isOver = false
  const close = () => {
    source?.close()
    source = null
  }
  const reconnect = () => {
    close()
    onstream(false)
    if (isOver) return
    failures += 1
    timer = setTimeout(connect, backoff(failures))
  }
  const receive = (event: Event, isEnd: boolean) => {
    const progress = parseEvent(event)
    if (progress === null) return
    failures = 0
    onstream(true)
    if (isEnd) {
      isOver = true
      close()
    }
    onreport(progress, isEnd)
  }
  const connect = () => {
    timer = null
    if (isOver) return
    try {
      source = open(path)
    } catch {
      // This browser has no EventSource: the run is polled.
      reconnect()
      return
    }
    source.addEventListener('progress', (event) => receive(event, false))
    source.addEventListener('end', (event) => receive(event, true))
    source.addEventListener('error', reconnect)
  }
  connect()
  return () => {
    isOver = true
    if (timer !== null) clearTimeout(timer)
    close()
  }
}
