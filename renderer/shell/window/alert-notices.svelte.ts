import { alertDeliveries } from '../../api/alert-queries.ts'
import type { ServedDelivery } from '../../../backend/contract/orders/deliveries.ts'
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

/** The command that opens the market of a fired alert. */
const lineOf = ({ ticker }: ServedDelivery): string => (ticker === null ? 'ALERT' : `${ticker} DES`)

/**
 * Shows each alert that fires while the page is open: in the status line, and as a desktop
 * notification when the window is not looked at. Call it inside an effect; returns a function that
 * stops it.
 */
export function showAlerts(
  terminal: Terminal,
  deps: NotifierDeps = notifierDeps((line) => {
    if (line !== null) terminal.run(line)
  }),
  isSeen: () => boolean = () => document.visibilityState === 'visible' && document.hasFocus(),
): () => void {
  const source = terminal.live.source(alertDeliveries)
  let shown: readonly string[] | null = null
  return $effect.root(() => {
    $effect(() => terminal.live.hold(source))
    $effect(() => {
      const deliveries = source.body?.data
      if (deliveries === undefined) return
      // Those before the page was opened are history.
      const known = shown ?? deliveries.map(({ eventId }) => eventId)
      shown = deliveries.map(({ eventId }) => eventId)
      for (const delivery of unshown(deliveries, known)) {
        terminal.showNotice(textOf(delivery))
        const note = { title: 'Augury alert', body: delivery.message, line: lineOf(delivery) }
        if (!isSeen()) void notify(note, deps)
      }
    })
  })
}
