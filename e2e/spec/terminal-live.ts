import { covered, type Requirement } from './requirement.ts'

/** The terminal as a client of the real-time service. */
export const TERMINAL_LIVE: readonly Requirement[] = [
  covered(
    'terminal.live.follows',
    '6.2',
    'subscribes to visible topics and unsubscribes from the rest',
  ),
  covered(
    'terminal.live.converges',
    '6.2',
    'ends equal to the service whatever the connection did',
  ),
  covered('terminal.live.moves', '6.2', 'values update without polling'),
  covered('terminal.live.at-rest', '6.2', 'a page at rest requests nothing again and again'),
  covered('terminal.live.book', '6.2', 'the book is shown completely, and whether it is live'),
  covered('terminal.live.signed-out', '6.2', 'without a session the panes poll'),
  covered('terminal.live.restart', '6.2', 'a restart of the service is marked and survived'),
  covered('terminal.live.hangs', '6.2', 'a service that hangs is marked and survived'),
  covered('terminal.live.sleeps', '6.2', 'the page recovers after the machine slept'),
  covered('terminal.live.frozen', '6.2', 'a silent venue is marked within 5 s of its report'),
  covered('terminal.live.gaps', '6.2', 'feed gaps are marked in the chart and in the history'),
]
