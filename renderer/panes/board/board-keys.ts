import { isTyping, type KeyBinding } from '../../lib/keyboard.ts'

/** Where a step goes on the grid of cards. */
export type BoardStep = 'next' | 'before' | 'below' | 'above' | 'first' | 'last'

export interface BoardActs {
  step(to: BoardStep): boolean
  move(to: BoardStep): boolean
  open(): boolean
  /** Back from the panel that is open. */
  close(): boolean
  add(): boolean
  edit(): boolean
  run(): boolean
  pause(): boolean
  table(): boolean
  remove(): boolean
}

const onControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('button, a, input, select') !== null

/** Keys of one panel, whether it stands on the board or is open. */
export const panelKeys = (acts: BoardActs): readonly KeyBinding[] => [
  { chord: 'n', label: 'new panel', run: () => acts.add() },
  { chord: 'e', label: 'edit the panel', run: () => acts.edit() },
  { chord: 'u', label: 'run the panel now', run: () => acts.run() },
  { chord: 'p', label: 'pause its schedule, or resume it', run: () => acts.pause() },
]

/** Back from the panel that is open. */
export const openKeys = (acts: BoardActs): readonly KeyBinding[] => [
  ...panelKeys(acts),
  { chord: 'Escape', label: 'back to the board', run: () => acts.close() },
]

/** Keys of the board. Alt and an arrow is the way of every drag. */
export const boardKeys = (acts: BoardActs): readonly KeyBinding[] => {
  const stepping = (chord: string, label: string, to: BoardStep): KeyBinding => ({
    ...{ chord, label },
    run: () => acts.step(to),
  })
  const moving = (arrow: string, label: string, to: BoardStep): KeyBinding => ({
    ...{ chord: `Alt+${arrow}`, label },
    run: ({ target }) => !isTyping(target) && acts.move(to),
  })
  return [
    stepping('j', 'next panel', 'next'),
    stepping('k', 'previous panel', 'before'),
    stepping('ArrowRight', 'next panel', 'next'),
    stepping('ArrowLeft', 'previous panel', 'before'),
    stepping('ArrowDown', 'panel below', 'below'),
    stepping('ArrowUp', 'panel above', 'above'),
    stepping('Home', 'first panel', 'first'),
    stepping('End', 'last panel', 'last'),
    moving('ArrowRight', 'move the panel on', 'next'),
    moving('ArrowLeft', 'move the panel back', 'before'),
    moving('ArrowDown', 'move the panel a row down', 'below'),
    moving('ArrowUp', 'move the panel a row up', 'above'),
    { chord: 'Enter', label: 'open the panel', run: (event) => !onControl(event) && acts.open() },
    { chord: 't', label: 'show the panel as a table, or drawn', run: () => acts.table() },
    { chord: 'Delete', label: 'remove the panel', run: () => acts.remove() },
    ...panelKeys(acts),
  ]
}

/** The place that a step leads to, from 0. @param columns cards beside each other */
export function placeAfter(to: BoardStep, from: number, count: number, columns: number): number {
  const by = { next: 1, before: -1, below: columns, above: -columns, first: -count, last: count }
  const place = from + by[to]
  // Below the last full row stands the last panel; above the first row nothing does.
  if (to === 'below' && place >= count) return count - 1
  return to === 'above' && place < 0 ? from : Math.max(0, Math.min(place, count - 1))
}
