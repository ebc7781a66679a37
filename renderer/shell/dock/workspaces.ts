import type { LinkLetter } from '../commands/command.ts'

export type Side = 'left' | 'right' | 'above' | 'below' | 'within'

/** A pane of a workspace's default layout: its command, and its position beside an earlier pane. */
export interface PanePlan {
  readonly line: string
  readonly link: LinkLetter
  readonly reference?: number
  readonly side?: Side
  /** Share of the dock's width or height, 0 to 1. */
  readonly share?: number
}

export interface Workspace {
  readonly number: number
  readonly name: string
  readonly help: string
  readonly plan: readonly PanePlan[]
}

export const WORKSPACES: readonly Workspace[] = [
  {
    number: 1,
    name: 'Today',
    help: 'Current movers',
    plan: [
      { line: 'SCAN', link: 'A' },
      { line: '. GP 1h', link: 'A', reference: 0, side: 'right', share: 0.57 },
      { line: '. BOOK', link: 'A', reference: 1, side: 'right', share: 0.22 },
      { line: 'MOV', link: 'A', reference: 0, side: 'below', share: 0.42 },
      { line: 'NEW', link: 'A', reference: 3, side: 'within' },
      { line: '. DES', link: 'A', reference: 1, side: 'below', share: 0.42 },
      { line: 'CHG', link: 'A', reference: 2, side: 'below', share: 0.42 },
      { line: 'WORLD', link: 'A', reference: 0, side: 'within' },
      { line: 'IDX', link: 'A', reference: 3, side: 'within' },
    ],
  },
  {
    number: 2,
    name: 'Market',
    help: 'One market in detail',
    plan: [
      { line: '. GP 1h', link: 'A' },
      { line: '. DES', link: 'A', reference: 0, side: 'left', share: 0.28 },
      { line: '. BOOK', link: 'A', reference: 0, side: 'right', share: 0.2 },
      { line: '. HIST', link: 'A', reference: 0, side: 'below', share: 0.34 },
      { line: '. CHG 7d', link: 'A', reference: 2, side: 'below', share: 0.4 },
      { line: '. TRAIL', link: 'A', reference: 3, side: 'within' },
    ],
  },
  {
    number: 3,
    name: 'Screen',
    help: 'Find markets',
    plan: [
      { line: 'SCAN', link: 'A' },
      { line: 'MOV', link: 'A', reference: 0, side: 'right', share: 0.4 },
      { line: 'NEW', link: 'A', reference: 1, side: 'below', share: 0.5 },
      { line: 'REG', link: 'A', reference: 0, side: 'within' },
      { line: 'DISP', link: 'A', reference: 2, side: 'within' },
    ],
  },
  {
    number: 4,
    name: 'Watch',
    help: 'Your board and the markets you watch',
    plan: [
      { line: 'MW', link: 'A' },
      { line: 'WATCH', link: 'A', reference: 0, side: 'right', share: 0.3 },
    ],
  },
  {
    number: 5,
    name: 'Theses',
    help: 'Claims, their conditions and edges',
    plan: [
      { line: 'THES latest', link: 'A' },
      { line: 'THES', link: 'A', reference: 0, side: 'left', share: 0.4 },
      { line: 'THES new', link: 'A', reference: 1, side: 'below', share: 0.5 },
    ],
  },
  {
    number: 6,
    name: 'Portfolio',
    help: 'Positions, limits and the autopilot, on paper',
    plan: [
      { line: 'POS', link: 'A' },
      { line: 'RISK', link: 'A', reference: 0, side: 'right', share: 0.4 },
      { line: 'TICKS', link: 'A', reference: 0, side: 'below', share: 0.52 },
      { line: 'ATTR', link: 'A', reference: 1, side: 'below', share: 0.52 },
      { line: 'LEDG', link: 'A', reference: 3, side: 'within' },
    ],
  },
  {
    number: 7,
    name: 'Backtest',
    help: 'Strategies tested on stored history',
    plan: [
      { line: 'BT latest', link: 'B' },
      { line: 'BT', link: 'B', reference: 0, side: 'left', share: 0.4 },
      { line: 'BT run', link: 'B', reference: 1, side: 'below', share: 0.56 },
    ],
  },
]

/** Workspace by number or name. */
export const workspaceOf = (word: string): Workspace | null =>
  WORKSPACES.find(({ number, name }) => String(number) === word || name.toLowerCase() === word) ??
  null
