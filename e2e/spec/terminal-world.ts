import { covered, type Requirement } from './requirement.ts'

/** The terminal as a client of the world, its gauges and its regimes. */
export const TERMINAL_WORLD: readonly Requirement[] = [
  covered('terminal.world.threads', '4.1', 'each thread of an item is one key away'),
  covered('terminal.world.regions', '4.1', 'regions are drilled into and out of by keys'),
  covered('terminal.world.follows', '6.2', 'a new snapshot of the socket is shown'),
  covered('terminal.world.gauges', '4.1', 'gauges with their history, as chart and as table'),
  covered('terminal.world.regimes', '4.1', 'a regime is shown with the reasons of its score'),
  covered('terminal.world.dossier', '4.1', 'a market is shown with its dossier'),
  covered('terminal.world.trail', '4.1', 'arrow keys move through a trail, which also has a table'),
  covered(
    'terminal.world.not-ready',
    '4.1',
    'a first context that is being computed is reported as such',
  ),
]
