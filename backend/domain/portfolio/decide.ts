import type { TickDecision } from './tick.ts'
import type { DecisionInput } from './decisions/decision-parts.ts'
import { edgeEntries } from './decisions/edge-entries.ts'
import { exitOf } from './decisions/exits.ts'
import { pairEntries } from './decisions/pair-entries.ts'
import { strategyEntries } from './decisions/strategy-entries.ts'
import { viewEntries } from './decisions/view-entries.ts'

/** Decisions of one tick. */
const MAX_DECISIONS = 200

/**
 * The decisions of a tick by rules: exits first, then entries of strategies by priority, for edges,
 * views and pairs of venues, then what is held or waits.
 */
export function decide(input: DecisionInput): TickDecision[] {
  const exits = input.positions.flatMap((position) => exitOf(position, input))
  const strategies = strategyEntries(input)
  const usedTickers = new Set([
    ...input.positions.map(({ ticker }) => ticker),
    ...strategies.flatMap((decision) =>
      decision.kind === 'entry' ? (decision.marketId ?? []) : [],
    ),
  ])
  const edges = edgeEntries(input, usedTickers)
  const views = viewEntries(input, usedTickers)
  const all = [...exits, ...strategies, ...edges, ...views, ...pairEntries(input, usedTickers)]
  const [orders, heldDecisions] = [true, false].map((acts) =>
    all.filter(({ kind }) => (kind !== 'hold') === acts),
  )
  return withoutLoneLeg([...(orders ?? []), ...(heldDecisions ?? [])].slice(0, MAX_DECISIONS)).map(
    (decision, index) => ({ ...decision, n: index + 1 }),
  )
}

/** Leaves out the last decision when the other leg of its pair was cut off. */
function withoutLoneLeg(decisions: readonly TickDecision[]): readonly TickDecision[] {
  const [previousPairId, last] = decisions.slice(-2).map(pairIdOf)
  const isUnpaired = last !== undefined && last !== null && last !== previousPairId
  return isUnpaired && decisions.length === MAX_DECISIONS ? decisions.slice(0, -1) : decisions
}
const pairIdOf = (decision: TickDecision): string | null =>
  ('pairId' in decision ? decision.pairId : undefined) ?? null
