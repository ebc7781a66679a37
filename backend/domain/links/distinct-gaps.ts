import type { ContagionGap } from './contagion.ts'
import type { QuestionGroups } from './question-groups.ts'

export const DISTINCT_GAP_PARAMS = { perEvent: 2 } as const

/**
 * One gap per situation, at most two per event, widest first. The two directions of a link, the
 * outcomes of an exclusive event and the same question on two venues describe one situation; its
 * widest lagging gap is kept, or its widest overshooting one if none lags. Gaps of unknown markets
 * are left out.
 * @param gaps widest first
 */
export function distinctGaps(
  gaps: readonly ContagionGap[],
  groups: Pick<QuestionGroups, 'eventOf' | 'questionOf'>,
  params: { readonly perEvent: number } = DISTINCT_GAP_PARAMS,
): ContagionGap[] {
  const situationOf = ({ trigger, lagging, relation }: ContagionGap): string | null => {
    const [from, to] = [groups.questionOf(trigger), groups.questionOf(lagging)]
    if (from === null || to === null) return null
    // A gap between the venues is another situation than one between the outcomes of a venue.
    return [relation === 'cross_venue', ...[from, to].sort()].join('\n')
  }
  const situations = Map.groupBy(gaps, situationOf)
  situations.delete(null)
  const distinct = [...situations.values()]
    .flatMap(
      (equalGaps) =>
        equalGaps.find(({ direction }) => direction === 'lagging') ?? equalGaps[0] ?? [],
    )
    .sort((x, y) => Math.abs(y.gap) - Math.abs(x.gap))
  const counts = new Map<string | null, number>()
  return distinct.filter(({ trigger, lagging }) => {
    const events = new Set([groups.eventOf(trigger), groups.eventOf(lagging)])
    if ([...events].some((event) => (counts.get(event) ?? 0) >= params.perEvent)) return false
    for (const event of events) counts.set(event, (counts.get(event) ?? 0) + 1)
    return true
  })
}
