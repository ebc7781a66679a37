import { covered, open, type Requirement } from './requirement.ts'

/** Health, status, the service's own life and its first client programs. */
export const OPERATION: readonly Requirement[] = [
  covered('health.api.liveness', '4.3', 'health returns 200 while the store loads'),
  covered('health.data.liveness', '4.3', 'healthz returns 200'),
  covered(
    'health.data.readiness',
    '4.3',
    'readyz returns database and dependencies, 503 until ready',
  ),
  covered('status.page.html', '4.3', 'status is an HTML page for browsers'),
  covered(
    'status.page.json',
    '4.3',
    'status is JSON by Accept or format, components in fixed order',
  ),
  covered('status.incidents.posted', '8', 'an incident is posted within 30 minutes of detection'),
  open(
    'status.incidents.postmortem',
    '8',
    'an incident over an hour gets a postmortem in 5 business days',
    'a person who writes it; the service keeps the incident and its updates',
  ),
  covered('terminal.page.loads', '1', 'the terminal opens from the service without an error'),
  covered('terminal.page.market-list', '1', 'the terminal lists markets with their prices'),
  covered('terminal.page.command-bar', '1', 'the command bar runs a command'),
  covered(
    'terminal.page.early-keys',
    '1',
    'keys pressed before the command bar is ready are not lost',
  ),
  covered('terminal.page.keeps-to-itself', '1', 'the page loads nothing from other hosts'),
  covered('client.cli.reads', '1', 'the command line reads markets, one market and candles'),
  covered('client.cli.json', '1', 'the command line prints JSON on request'),
  covered('service.replay.same-answers', '1', 'the same seed and clock give byte-equal responses'),
  covered('service.backup.whole', '8', 'a backup is complete while the service keeps running'),
  covered('service.backup.same-answers', '8', 'a restored backup gives byte-equal responses'),
  covered('service.backup.restored-service', '8', 'a restored service responds like the original'),
  covered('service.backup.no-harm', '8', 'a backup overwrites only backups'),
  covered('service.restore.checked', '8', 'a damaged or newer backup is refused without changes'),
]
