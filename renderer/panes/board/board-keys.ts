import { isTyping, type KeyBinding } from '../../lib/keyboard.ts'

/** Target of a step on the grid of cards. */
export type BoardStep = 'next' | 'previous' | 'below' | 'above' | 'first' | 'last'

export interface BoardActions {
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

const isOnControl = ({ target }: KeyboardEvent): boolean =>
  target instanceof Element && target.closest('button, a, input, select') !== null

/** Keys of one panel, on the board or open. */
export const panelKeys = (actions: BoardActions): readonly KeyBinding[] => [
  { chord: 'n', label: 'new panel', run: () => actions.add() },
  { chord: 'e', label: 'edit the panel', run: () => actions.edit() },
  { chord: 'u', label: 'run the panel now', run: () => actions.run() },
  { chord: 'p', label: 'pause or resume the schedule', run: () => actions.pause() },
]

/** Returns from the open panel. */
export const openKeys = (actions: BoardActions): readonly KeyBinding[] => [
  ...panelKeys(actions),
  { chord: 'Escape', label: 'back to the board', run: () => actions.close() },
]

/** Keys of the board. Alt and an arrow replace dragging. */
export const boardKeys = (actions: BoardActions): readonly KeyBinding[] => {
  const stepKey = (chord: string, label: string, to: BoardStep): KeyBinding => ({
    chord,
    label,
    run: () => actions.step(to),
  })
  const moveKey = (arrow: string, label: string, to: BoardStep): KeyBinding => ({
    chord: `Alt+${arrow}`,
    label,
    run: ({ target }) => !isTyping(target) && actions.move(to),
  })
  return [
    stepKey('j', 'next panel', 'next'),
    stepKey('k', 'previous panel', 'previous'),
    stepKey('ArrowRight', 'next panel', 'next'),
    stepKey('ArrowLeft', 'previous panel', 'previous'),
    stepKey('ArrowDown', 'panel below', 'below'),
    stepKey('ArrowUp', 'panel above', 'above'),
    stepKey('Home', 'first panel', 'first'),
    stepKey('End', 'last panel', 'last'),
    moveKey('ArrowRight', 'move the panel forward', 'next'),
    moveKey('ArrowLeft', 'move the panel back', 'previous'),
    moveKey('ArrowDown', 'move the panel down a row', 'below'),
    moveKey('ArrowUp', 'move the panel up a row', 'above'),
    {
      chord: 'Enter',
      label: 'open the panel',
      run: (event) => !isOnControl(event) && actions.open(),
    },
    { chord: 't', label: 'switch between table and drawing', run: () => actions.table() },
    { chord: 'Delete', label: 'remove the panel', run: () => actions.remove() },
    ...panelKeys(actions),
  ]
}

/** The index that a step leads to. @param columns cards in a row */
export function indexAfter(to: BoardStep, from: number, count: number, columns: number): number {
  const by = { next: 1, previous: -1, below: columns, above: -columns, first: -count, last: count }
  const index = from + by[to]
  // A step below the last full row selects the last panel; a step above the first row does nothing.
  if (to === 'below' && index >= count) return count - 1
  return to === 'above' && index < 0 ? from : Math.max(0, Math.min(index, count - 1))
}
