import type { Verb } from './commands.ts'
import { specOf } from './commands.ts'

/**
 * Panes that a user works in for long, or wants beside others: one of each is open at a time, and
 * no other command takes its place.
 */
const OWN_PANE: ReadonlySet<Verb> = new Set([
  'ALERT',
  'ATTR',
  'BT',
  'DISC',
  'FORUM',
  'HOOK',
  'INTENT',
  'LEDG',
  'MW',
  'PLAN',
  'POS',
  'REPLAY',
  'RISK',
  'SECRET',
  'SQL',
  'TERM',
  'THES',
  'TICKS',
  'TRADES',
  'VIEWS',
  'WATCH',
])

export const hasOwnPane = (verb: Verb): boolean => OWN_PANE.has(verb)

/** Commands of one kind share a pane: lists, the world, answers, and the parts of the window. */
export function kindOf(verb: Verb): string {
  const { area, needsMarket } = specOf(verb)
  return needsMarket || OWN_PANE.has(verb) ? verb : area
}
