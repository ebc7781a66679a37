import { covered, type Requirement } from './requirement.ts'

/** Watched objects, and alerts at prices. */
export const WATCH: readonly Requirement[] = [
  covered('watch.objects.once', '2.13', 'an object is watched once and holds its rules'),
  covered('watch.objects.identify', '2.13', 'a text is matched to what may be watched'),
  covered('alerts.price.fires', '2.13', 'an alert fires when its price is reached, and re-arms'),
  covered('alerts.price.at-once', '2.13', 'an alert whose condition holds fires at once'),
  covered('alerts.price.changed', '2.13', 'a paused alert is silent, a changed one is evaluated'),
  covered('alerts.price.restart', '2.13', 'a restart keeps alerts and fires once'),
  covered('alerts.price.settled', '2.13', 'alerts of a settled market are archived'),
  covered('alerts.rules.refused', '2.13', 'an invalid rule is refused with its first fault'),
  covered('alerts.rules.test', '2.13', 'a test notice counts for nothing'),
  covered('alerts.rules.pages', '2.13', 'rules are listed newest first, page by page'),
  covered('client.cli.alerts', '2.13', 'alerts and watched objects on the command line'),
  covered('terminal.alerts.keys', 'ui', 'an alert is set with four keys from a row, and listed'),
]
