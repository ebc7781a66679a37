import { covered, type Requirement } from './requirement.ts'

/** The terminal's panes of the context engine. */
export const TERMINAL_CONTEXT: readonly Requirement[] = [
  covered('terminal.context.pairs', '4.2', 'pairs of both venues, one compared with both rules'),
  covered('terminal.context.contagion', '4.2', 'expected moves, with the record of such gaps'),
  covered('terminal.context.curves', '4.2', 'prices by deadline as a plot and as a table'),
  covered('terminal.context.calibration', '4.2', 'scorecards as a plot and as a table'),
  covered('terminal.context.liquidity', '4.2', 'themes by volume as a map and as a table'),
  covered('terminal.context.ask', '4.2', 'a question answered, its markets one key away'),
  covered('terminal.context.edges', '4.2', 'edges of theses with their costs'),
  covered('terminal.context.highlights', '4.2', 'the first rows of each list'),
  covered('terminal.context.ideas', '4.2', 'trade ideas with their counterarguments'),
  covered('terminal.context.calendar', '4.2', 'upcoming events by kind'),
  covered('terminal.context.odds', '4.2', 'one price per question'),
  covered('terminal.context.answer', '4.2', 'an answer with its markets and texts'),
  covered('terminal.context.discussion', '4.2', 'a question from several perspectives'),
  covered('terminal.context.states', '4.2', 'each pane explains what it waits for or lacks'),
]
