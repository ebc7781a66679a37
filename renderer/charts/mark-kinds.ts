/** Kinds of events that a chart marks, each with a switch. */
export const MARK_KINDS = ['release', 'settlement', 'thesis', 'fill', 'change'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

export const MARK_LABELS: Readonly<Record<MarkKind, string>> = {
  release: 'Releases and dates',
  settlement: 'Settlement',
  thesis: 'Thesis evaluations',
  fill: 'Own fills',
  change: 'Moves and other changes',
}

/** A busy market changes many times a day. */
export const HIDDEN_AT_FIRST: readonly MarkKind[] = ['change']

/** A marked place in px from the top left corner of the chart. */
export interface PlacedMark {
  readonly id: string
  readonly x: number
  readonly y: number
}

/** Marks that share a target because their own ones would overlap. */
export interface MarkGroup {
  readonly x: number
  readonly y: number
  readonly ids: readonly string[]
}

/** Groups marks that are nearer to the first one of a group than `min` px, from left to right. */
export function groupMarks(marks: readonly PlacedMark[], min: number): readonly MarkGroup[] {
  const groups: { x: number; y: number; ids: string[] }[] = []
  for (const { id, x, y } of marks.toSorted((left, right) => left.x - right.x)) {
    const nearGroup = groups.findLast(
      (group) => Math.abs(x - group.x) < min && Math.abs(y - group.y) < min,
    )
    if (nearGroup === undefined) groups.push({ x, y, ids: [id] })
    else nearGroup.ids.push(id)
  }
  return groups
}

/** Whether the marks are at the same positions, to the pixel. */
export const arePlacedEqually = (
  left: readonly PlacedMark[],
  right: readonly PlacedMark[],
): boolean =>
  left.length === right.length &&
  left.every(({ id, x, y }, index) => {
    const other = right[index]
    return other?.id === id && Math.round(other.x - x) === 0 && Math.round(other.y - y) === 0
  })
