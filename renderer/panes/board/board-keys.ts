import { isTyping, type KeyBinding } from '../../lib/keyboard.ts'

/** Target of a step on the grid of cards. */
export type BoardStep = 'next' | 'before' | 'below' | 'above' | 'first' | 'last'

export interface BoardActs {
  step(to: BoardStep): boolean
  move(to: BoardStep): boolean
  open(): boolean
  /** Returns from the open panel. */
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

/** Keys of one panel, on the board or open. */
export const panelKeys = (acts: BoardActs): readonly KeyBinding[] => [
  { chord: 'n', label: 'new panel', run: () => acts.add() },
  { chord: 'e', label: 'edit the panel', run: () => acts.edit() },
  { chord: 'u', label: 'run the panel now', run: () => acts.run() },
  { chord: 'p', label: 'pause or resume the schedule', run: () => acts.pause() },
]

/** Returns from the open panel. */
export const openKeys = (acts: BoardActs): readonly KeyBinding[] => [
  ...panelKeys(acts),
  { chord: 'Escape', label: 'back to the board', run: () => acts.close() },
]

/** Keys of the board. Alt and an arrow replace dragging. */
export const boardKeys = (acts: BoardActs): readonly KeyBinding[] => {
  const stepping = (chord: string, label: string, to: BoardStep): KeyBinding => ({
    chord,
    label,
    run: () => acts.step(to),
  })
  const moving = (arrow: string, label: string, to: BoardStep): KeyBinding => ({
    chord: `Alt+${arrow}`,
    label,
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
    moving('ArrowRight', 'move the panel forward', 'next'),
    moving('ArrowLeft', 'move the panel back', 'before'),
    moving('ArrowDown', 'move the panel down a row', 'below'),
    moving('ArrowUp', 'move the panel up a row', 'above'),
    { chord: 'Enter', label: 'open the panel', run: (event) => !onControl(event) && acts.open() },
    { chord: 't', label: 'switch between table and drawing', run: () => acts.table() },
    { chord: 'Delete', label: 'remove the panel', run: () => acts.remove() },
    ...panelKeys(acts),
  ]
}

/** The target place of a step, from 0. @param columns cards in a row */
export function placeAfter(to: BoardStep, from: number, count: number, columns: number): number {
  const by = { next: 1, before: -1, below: columns, above: -columns, first: -count, last: count }
  const place = from + by[to]
  // A step below the last full row selects the last panel; a step above the first row does nothing.
  if (to === 'below' && place >= count) return count - 1
  return to === 'above' && place < 0 ? from : Math.max(0, Math.min(place, count - 1))
}
