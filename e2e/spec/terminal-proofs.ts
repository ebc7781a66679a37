import { covered, type Requirement } from './requirement.ts'

/** What the terminal bears in a real browser. */
export const TERMINAL_PROOFS: readonly Requirement[] = [
  covered('terminal.stale.sweep', '4.2', 'no pane looks fresh while one of its sources is frozen'),
  covered('terminal.stale.prices', '4.2', 'no price is drawn as one of now on an old answer'),
  covered('terminal.stale.own', '4.2', 'own things are marked while the service is silent'),
  covered('terminal.live.clock', '6.2', 'ages are too old rather than too young after a sleep'),
]
