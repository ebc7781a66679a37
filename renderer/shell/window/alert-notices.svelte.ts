import { alertDeliveries, terminalNotices } from '../../api/alert-queries.ts'
import type { ServedDelivery } from '../../../backend/contract/orders/deliveries.ts'
import type { DeliveryPage } from '../../../backend/contract/orders/deliveries.ts'
import type { PolledQuery } from '../../api/source.svelte.ts'
import { tickerWord } from '../examples/ticker-word.ts'
import type { Terminal } from '../terminal.svelte.ts'
import { notify, notifierDeps, type NotifierDeps } from './notifier.ts'

/**
 * One delivery of each event that the page has not shown yet, oldest first; an event may also have
 * gone to webhooks. @param shown ids of events shown before
 */
export const unshown = (
  deliveries: readonly ServedDelivery[],
  shown: readonly string[],
): readonly ServedDelivery[] => {
  const ids = deliveries.map(({ eventId }) => eventId)
  return deliveries
    .filter(({ eventId }, index) => ids.indexOf(eventId) === index && !shown.includes(eventId))
    .toReversed()
}

/** The line of a notice; those of theses and endpoints name their subject themselves. */
const textOf = ({ event, message }: ServedDelivery): string =>
  event === 'alert.fired' ? `Alert: ${message}` : message

/** The command of each subject; a notice that is no event names its subject at its start. */
const SUBJECTS: readonly {
  readonly event: string
  readonly start: RegExp
  readonly line: string
}[] = [
  { event: 'thesis.', start: /^(?:Thesis|Heartbeat of thesis) /, line: 'THES' },
  { event: 'portfolio.', start: /^(?:Live trading ended|The drawdown )/, line: 'RISK' },
  { event: 'endpoint.', start: /^Webhook endpoint /, line: 'HOOK' },
]

/** The command that opens the market of a fired alert, or the pane of a notice's subject. */
export const lineOf = ({
  ticker,
  event,
  ruleId,
  message,
}: Pick<ServedDelivery, 'ticker' | 'event' | 'ruleId' | 'message'>): string => {
  if (ticker !== null) return `${tickerWord(ticker)} DES`
  if (ruleId !== null) return 'ALERT'
  const subject = SUBJECTS.find(({ event: area, start }) =>
    event === null ? start.test(message) : event.startsWith(area),
  )
  return subject?.line ?? 'ALERT'
}

/** Events that are shown otherwise: fired alerts on any channel, and ticks in their pane. */
const SHOWN_ELSEWHERE: readonly ServedDelivery['event'][] = [
  'alert.fired',
  'portfolio.tick_completed',
]

/** The notices of theses, endpoints and trading. */
export const otherNotices = (deliveries: readonly ServedDelivery[]): readonly ServedDelivery[] =>
  deliveries.filter(({ event }) => !SHOWN_ELSEWHERE.includes(event))

/** The notices of a list that its page has not shown; those before its first answer are history. */
export class NewNotices {
  #shown: readonly string[] | null = null
  /** Creation of the newest one so far: a deletion lets older ones enter the list again. */
  #newest = ''

  /** Returns what is new in the next answer, oldest first. */
  next(answer: readonly ServedDelivery[]): readonly ServedDelivery[] {
    const deliveries = answer.filter(({ createdAt }) => createdAt >= this.#newest)
    const knownIds = this.#shown ?? deliveries.map(({ eventId }) => eventId)
    this.#shown = deliveries.map(({ eventId }) => eventId)
    this.#newest = deliveries.reduce(
      (max, { createdAt }) => (createdAt > max ? createdAt : max),
      this.#newest,
    )
    return unshown(deliveries, knownIds)
  }
}

/**
 * Shows each alert that fires while the page is open, and each notice of a thesis, an endpoint or
 * trading: in the status line, and as a desktop notification when the window is not focused. Call
 * it inside an effect; returns a function that stops it.
 */
export function showAlerts(
  terminal: Terminal,
  deps: NotifierDeps = notifierDeps((line) => {
    if (line !== null) terminal.run(line)
  }),
  isSeen: () => boolean = () => document.visibilityState === 'visible' && document.hasFocus(),
): () => void {
  const show = (
    query: PolledQuery<DeliveryPage>,
    title: string,
    selected: (deliveries: readonly ServedDelivery[]) => readonly ServedDelivery[],
  ): void => {
    const source = terminal.live.source(query)
    const newNotices = new NewNotices()
    $effect(() => terminal.live.subscribe(source))
    $effect(() => {
      const page = source.body?.data
      if (page === undefined) return
      for (const delivery of newNotices.next(selected(page))) {
        terminal.showNotice(textOf(delivery))
        const note = { title, body: delivery.message, line: lineOf(delivery) }
        if (!isSeen()) void notify(note, deps)
      }
    })
  }
  return $effect.root(() => {
    show(alertDeliveries, 'Augury alert', (deliveries) => deliveries)
    show(terminalNotices, 'Augury', otherNotices)
  })
}
