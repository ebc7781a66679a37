import { t } from 'elysia'
import type { Static } from 'elysia'
import { nullable, stringEnum, integer } from '../schemas.ts'
import { CausalTreeSchema, CostSchema, ThesisFormed, ThesisNode, ThesisQueued } from './thesis.ts'

const Text = nullable(t.String())

export const AugmentBody = t.Object({
  depth: t.Optional(integer({ minimum: 1, maximum: 3, description: 'levels; 1 by default' })),
  focusNodeId: t.Optional(t.String({ description: 'only below this condition' })),
})
export const TreeAugmented = t.Object({
  thesisId: t.String(),
  added: t.Array(ThesisNode, { description: 'in tree order, without their children' }),
  skipped: t.Array(t.Object({ label: t.String(), reason: stringEnum(['duplicate', 'limit']) })),
  causalTree: CausalTreeSchema,
  confidence: nullable(t.Number({ description: 'unchanged' })),
  cost: CostSchema,
  model: t.String({ description: 'rules-1 or the model that made the suggestions' }),
})
export type TreeAugmented = Static<typeof TreeAugmented>

export const ForkBody = t.Object({
  newRawThesis: t.Optional(t.String({ description: 'evolves the thesis to this claim' })),
  newTitle: t.Optional(t.String({ description: '1 to 200 characters' })),
  reason: t.Optional(nullable(t.String({ description: 'at most 500 characters' }))),
  inheritEdgeMarketIds: t.Optional(
    t.Array(t.String(), { description: 'edges of the parent that the child keeps, at most 100' }),
  ),
})

export const ForkedFrom = t.Object({ id: Text, slug: Text, title: t.String(), reason: Text })
/** A copy of a thesis. */
export const ThesisCloned = t.Object({
  id: t.String(),
  thesisId: t.String(),
  shortId: t.String(),
  status: t.Literal('active'),
  mode: t.Literal('clone'),
  forkedFrom: ForkedFrom,
})
export type ThesisCloned = Static<typeof ThesisCloned>

const evolved = {
  mode: t.Literal('evolve'),
  parentId: t.String(),
  parentStatus: t.Literal('dormant'),
}
/** A thesis that continues from another one and is being formed. */
export const ThesisEvolving = t.Object({ ...ThesisQueued.properties, ...evolved })
export type ThesisEvolving = Static<typeof ThesisEvolving>
export const ThesisEvolved = t.Object({ ...ThesisFormed.properties, ...evolved })
export type ThesisEvolved = Static<typeof ThesisEvolved>
