import type { Millis } from '../units.ts'
import type { ThesisEdgeSeed } from './formation.ts'
import type { ThesisPosition, ThesisStrategy } from './holdings.ts'
import type { PositionAdvice } from './position-advice.ts'
import type { KillCheck } from './kill-conditions.ts'
import type { NodeChange, Signal } from './rules-evaluation.ts'
import type { ThesisOutcome, ThesisStatus } from './status.ts'
import type { CausalTree } from './tree.ts'

/** The view of a thesis on one market. */
export interface BoundEdge extends ThesisEdgeSeed {
  readonly title: string
  /** The condition's words and how the market relates to them. */
  readonly rationale: string
  readonly inherited: boolean
  readonly firstDetectedAt: Millis
  /** Prices when the edge was first found, cents of YES. */
  readonly firstThesisPrice: number
  readonly firstMarketPrice: number
  /** Cost of its side when it was found, cents; null without a quote. */
  readonly entryPrice: number | null
  /** Market price at the last evaluation, cents of YES. */
  readonly evaluatedPrice: number
  /** When its market settled and what YES paid, cents; null before. */
  readonly settlement: { readonly at: Millis; readonly price: number } | null
}

/** Where a thesis was copied or evolved from. */
export interface ForkSource {
  readonly id: string | null
  readonly slug: string | null
  readonly title: string
  readonly reason: string | null
}

/** A user's claim with the conditions under which it holds. */
export interface Thesis {
  readonly id: string
  readonly userId: string
  readonly title: string
  readonly rawThesis: string
  readonly status: ThesisStatus
  readonly previousConfidence: number | null
  /** The confidence that was last announced by an event, at first that of the formation. */
  readonly announcedConfidence: number | null
  readonly horizon: string | null
  readonly outcome: ThesisOutcome | null
  readonly metadata: Readonly<Record<string, unknown>>
  readonly description: string | null
  readonly parentId: string | null
  readonly forkedFrom: ForkSource | null
  readonly slug: string | null
  readonly publishedAt: Millis | null
  /** Null while it is being formed. */
  readonly tree: CausalTree | null
  readonly edges: readonly BoundEdge[]
  readonly positions: readonly ThesisPosition[]
  readonly strategies: readonly ThesisStrategy[]
  readonly marketsAnalyzed: number
  readonly edgesAt: Millis | null
  /** Whether an endpoint of its own receives its events; absent in theses of earlier versions. */
  readonly hasEndpoint?: boolean
  readonly formation: {
    readonly startedAt: Millis
    readonly finishedAt: Millis | null
    readonly synthesis: 'model' | 'rules'
  }
  readonly lastEvaluatedAt: Millis | null
  readonly createdAt: Millis
  readonly updatedAt: Millis
}

/** Fields that theses stored by earlier versions lack. */
const LATER_FIELDS = {
  positions: [],
  strategies: [],
  forkedFrom: null,
  announcedConfidence: null,
}

/** A thesis as it was stored, also by an earlier version. */
export function storedThesis(record: string): Thesis {
  const thesis = { ...LATER_FIELDS, ...(JSON.parse(record) as Thesis) }
  const edges = thesis.edges.map((edge) => ({ ...edge, settlement: edge.settlement ?? null }))
  return { ...thesis, edges }
}

/** A signal as it is stored. */
export interface StoredSignal extends Signal {
  readonly thesisId: string
  readonly createdAt: Millis
}

/** One evaluation of a thesis. */
export interface Evaluation {
  readonly id: string
  readonly thesisId: string
  readonly evaluatedAt: Millis
  readonly trigger: 'monitor_cycle' | 'signal' | 'evaluation'
  readonly previousConfidence: number | null
  readonly newConfidence: number | null
  readonly summary: string
  readonly nodeProbabilities: Readonly<Record<string, number>>
  readonly changes: readonly NodeChange[]
  readonly signals: readonly Pick<Signal, 'id' | 'type' | 'source' | 'content'>[]
  /** Kill conditions that were checked; earlier versions kept those that were met, without the flag. */
  readonly kills: readonly (Omit<KillCheck, 'triggered'> & { readonly triggered?: boolean })[]
  /**
   * Events since the previous evaluation: settlements and signals, newest first; absent for none.
   */
  readonly events?: readonly EvaluationEvent[]
  /** Absent in evaluations of earlier versions and without open positions. */
  readonly positionUpdates?: readonly PositionAdvice[]
  /** `rules-1`, `manual` for an edit of the tree, or the name of a model. */
  readonly model: string
  readonly durationMs: number
  /** Absent for an evaluation without a model. */
  readonly cost?: EvaluationCost
  /** Rejected parts of the model's answer, with reasons. */
  readonly corrections?: string[]
  /** The first part of what the model answered. */
  readonly modelAnswer?: string
}

/** An event since the previous evaluation. */
export interface EvaluationEvent {
  readonly at: Millis
  readonly title: string
  /** Source of a signal, or the venue of a settled market. */
  readonly source: string
  readonly url: string | null
}

/** The kill conditions that an evaluation found to be met. */
export const metKills = ({ kills }: Pick<Evaluation, 'kills'>): Evaluation['kills'] =>
  kills.filter(({ triggered }) => triggered !== false)

/** Cost of an evaluation. */
export interface EvaluationCost {
  /** Dollars of the calls whose price is known. */
  readonly usd: number
  /** Calls of unknown price. */
  readonly unpricedCalls?: number
  readonly llmCalls: number
  readonly searchCalls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

export const NO_COST: EvaluationCost = {
  usd: 0,
  llmCalls: 0,
  searchCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
}

/** The cost of all calls together; nothing for none. */
export const sumOfCosts = (costs: readonly EvaluationCost[]): EvaluationCost =>
  costs.reduce(
    (sum, cost) => ({
      usd: sum.usd + cost.usd,
      unpricedCalls: (sum.unpricedCalls ?? 0) + (cost.unpricedCalls ?? 0),
      llmCalls: sum.llmCalls + cost.llmCalls,
      searchCalls: sum.searchCalls + cost.searchCalls,
      inputTokens: sum.inputTokens + cost.inputTokens,
      outputTokens: sum.outputTokens + cost.outputTokens,
    }),
    NO_COST,
  )
