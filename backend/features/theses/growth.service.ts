import { randomUUID } from 'node:crypto'
import type {
  ThesisCloned,
  ThesisEvolved,
  ThesisEvolving,
  TreeAugmented,
} from '../../contract/theses/growth.ts'
import {
  augmentedTree,
  focusOf,
  isSameLabel,
  type Suggestion,
} from '../../domain/theses/augment.ts'
import { RULES_MODEL } from '../../domain/theses/formation.ts'
import { isOpenThesis } from '../../domain/theses/status.ts'
import {
  NO_COST,
  sumOfCosts,
  type Evaluation,
  type EvaluationCost,
  type ForkSource,
  type Thesis,
} from '../../domain/theses/thesis.ts'
import { depthOf, TREE_LIMITS, type CausalTree } from '../../domain/theses/tree.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { Conflict, Forbidden, InvalidInput, ModelFailed } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { LanguageModel } from '../../lib/language-model.ts'
import { recordCost, recordFailedCalls, requireBudget } from './model/model-costs.ts'
import { suggestedByModel, type ModelSuggestions } from './model/model-trees.ts'
import { claimIn, inheritedTickers } from './thesis-body.ts'
import type { ThesisFormation } from './thesis-formation.service.ts'
import { questionOf, type ThesisBoard } from './thesis-markets.ts'
import { openTree, type ThesisDeps, type ThesisRows } from './thesis-rows.ts'
import { confidenceIn, servedNodes, servedTree, shortIdOf } from './thesis-served.ts'

const MAX_TITLE_LENGTH = 200
const MAX_REASON_LENGTH = 500
/** Suggestions for one condition. */
const MAX_SUGGESTED = 3
const MAX_SEARCHED = 8
/** Least rank of a market that is near a condition. */
const MIN_NEAR_SIMILARITY = 0.3

/** Augmenting, cloning and evolving theses. */
export function createThesisGrowth(deps: ThesisDeps, rows: ThesisRows, formation: ThesisFormation) {
  const { store, userQueue, board, clock } = deps
  const { thesisOfUser, saveThesis } = rows

  const evolve = async (
    userId: string,
    source: Thesis,
    fields: BodyFields,
    from: ForkSource,
    isSync: boolean,
  ) => {
    if (source.userId !== userId) throw new Forbidden('only the owner can evolve a thesis')
    const claim = claimIn(fields.raw('newRawThesis'))
    const title = fields.text('newTitle', { min: 1, max: MAX_TITLE_LENGTH }) ?? null
    const inheritedIds = inheritedTickers(fields)
    const pendingThesis = await userQueue.run(userId, async () => {
      const parent = await thesisOfUser(userId, source.id)
      if (parent.status === 'forming') {
        throw new Conflict('the thesis is still being formed', 'THESIS_FORMING')
      }
      if (!isOpenThesis(parent.status)) {
        throw new Conflict(`the thesis is ${parent.status}, not active`, 'THESIS_NOT_ACTIVE')
      }
      const inheritedEdges = inheritedIds.map((ticker) => {
        const edge = parent.edges.find((parentEdge) => parentEdge.ticker === ticker)
        if (edge === undefined) {
          throw new InvalidInput(`inheritEdgeMarketIds: ${ticker} is not an edge of the parent`)
        }
        return edge
      })
      const dormant = { ...parent, status: 'dormant' as const, updatedAt: clock.now() }
      const formationStarted = await formation.begin(userId, {
        claim,
        title,
        metadata: {},
        parent: dormant,
        forkedFrom: from,
        inherited: inheritedEdges,
        hasEndpoint: false,
      })
      if (parent.status === 'active') deps.onStopped(dormant)
      return formationStarted
    })
    const forkedThesis = await formation.answer(userId, pendingThesis, isSync)
    const evolvedThesis = {
      mode: 'evolve' as const,
      parentId: source.id,
      parentStatus: 'dormant' as const,
    }
    return forkedThesis.isFormed
      ? {
          status: 200 as const,
          answer: { ...forkedThesis.answer, ...evolvedThesis } satisfies ThesisEvolved,
        }
      : {
          status: 202 as const,
          answer: { ...forkedThesis.answer, ...evolvedThesis } satisfies ThesisEvolving,
        }
  }

  const clone = async (userId: string, source: Thesis, title: string, from: ForkSource) => {
    if (source.status === 'forming' || source.tree === null) {
      throw new Conflict('the thesis is still being formed', 'THESIS_FORMING')
    }
    const now = clock.now()
    const copy: Thesis = {
      ...source,
      id: randomUUID(),
      userId,
      title,
      status: 'active',
      outcome: null,
      previousConfidence: null,
      announcedConfidence: confidenceIn(source),
      metadata: {},
      parentId: source.userId === userId ? source.id : null,
      forkedFrom: from,
      slug: null,
      publishedAt: null,
      positions: [],
      strategies: [],
      hasEndpoint: false,
      formation: { startedAt: now, finishedAt: now, synthesis: source.formation.synthesis },
      lastEvaluatedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await userQueue.run(userId, () => store.add(copy))
    deps.onActive(copy)
    const answer: ThesisCloned = {
      id: copy.id,
      thesisId: copy.id,
      shortId: shortIdOf(copy),
      status: 'active',
      mode: 'clone',
      forkedFrom: from,
    }
    return { status: 201 as const, answer }
  }

  /** Keeps the cost of suggestions that no evaluation holds. */
  const recordLevelCosts = (thesis: Thesis, levels: readonly SuggestedLevel[]): Promise<void> => {
    const cost = sumOfCosts(levels.map(({ answered }) => answered.cost))
    return userQueue.run(thesis.userId, () => recordCost(deps, thesis, cost, clock.now()))
  }

  /**
   * Suggestions of a model, level by level; a level that fails ends it, unless it is the first.
   * @throws ModelFailed, Conflict without budget
   */
  const readModel = async (
    model: LanguageModel,
    thesis: Thesis,
    depth: number,
    focus: string | null,
  ): Promise<SuggestedLevel[]> => {
    let tree = openTree(thesis)
    let targets = focusIn(tree, focus)
    const now = clock.now()
    await requireBudget(deps, thesis.id, now)
    const levels: SuggestedLevel[] = []
    while (levels.length < depth && targets.length > 0) {
      try {
        const from = tree
        const targetLabels = targets
        const modelAnswer = await deps.calls.run(thesis.id, deps.stopping, (signal) =>
          suggestedByModel(board, model, from, targetLabels, signal),
        )
        const labels = new Map(tree.nodes.map((node) => [node.id, node.label]))
        const suggestions = modelAnswer.read.suggestions.map((suggestion) => ({
          ...suggestion,
          parentLabel: labels.get(suggestion.parentId ?? '') ?? '',
        }))
        levels.push({ answered: modelAnswer, suggestions })
        const step = augmentedTree(tree, suggestions, now)
        ;({ tree } = step)
        targets = step.added
      } catch (error) {
        await userQueue.run(thesis.userId, () => recordFailedCalls(deps, thesis, error, now))
        if (levels.length > 0 && error instanceof ModelFailed) break
        await recordLevelCosts(thesis, levels)
        throw error
      }
    }
    return levels
  }

  return {
    /** @param thesisRef id of an own thesis, or slug of a published one */
    async fork(userId: string, thesisRef: string, body: unknown, isSync: boolean) {
      const source = (await store.bySlug(thesisRef)) ?? (await thesisOfUser(userId, thesisRef))
      const fields = new BodyFields(body ?? {})
      const newTitle = fields.text('newTitle', { min: 1, max: MAX_TITLE_LENGTH })
      const reason = fields.text('reason', { max: MAX_REASON_LENGTH }) ?? null
      const from: ForkSource = {
        id: source.userId === userId ? source.id : null,
        slug: source.slug,
        title: source.title,
        reason,
      }
      if (fields.raw('newRawThesis') !== undefined) {
        return evolve(userId, source, fields, from, isSync)
      }
      const suffix = ' (fork)'
      const title =
        newTitle ?? `${source.title.slice(0, MAX_TITLE_LENGTH - suffix.length)}${suffix}`
      return clone(userId, source, title, from)
    },
    async augment(userId: string, id: string, body: unknown): Promise<TreeAugmented> {
      const fields = new BodyFields(body ?? {})
      const depth = fields.number('depth', { min: 1, max: 3, isInteger: true }) ?? 1
      const focus = fields.text('focusNodeId', { min: 1, max: 64 }) ?? null
      const model = deps.model()
      // Other writes of the user continue while the model answers.
      const source = model === null ? null : await thesisOfUser(userId, id)
      const suggestedLevels =
        model === null || source === null ? [] : await readModel(model, source, depth, focus)
      const progress = { isWritten: false }
      const write = async (): Promise<TreeAugmented> => {
        const thesis = await thesisOfUser(userId, id)
        const previous = openTree(thesis)
        const now = clock.now()
        let tree = previous
        let targets = focusIn(previous, focus)
        const [addedLabels, skippedSuggestions]: [string[], TreeAugmented['skipped']] = [[], []]
        const levels = model === null ? depth : suggestedLevels.length
        for (let level = 0; level < levels && targets.length > 0; level++) {
          const suggestions =
            model === null
              ? suggestionsFor(board, tree, targets)
              : attachSuggestions(tree, suggestedLevels[level]?.suggestions ?? [])
          const step = augmentedTree(tree, suggestions, now)
          ;({ tree } = step)
          addedLabels.push(...step.added)
          skippedSuggestions.push(...step.skipped)
          targets = step.added
        }
        const grownThesis = { ...thesis, tree, updatedAt: now }
        const modelAnswers = suggestedLevels.map(({ answered }) => answered)
        const evaluation = recordOf(grownThesis, addedLabels.length, modelAnswers, now)
        if (evaluation !== null) await saveThesis(grownThesis, evaluation)
        else if (addedLabels.length > 0) await saveThesis(grownThesis)
        progress.isWritten = true
        const isAdded = new Set(addedLabels)
        return {
          thesisId: thesis.id,
          added: servedNodes(
            tree.nodes
              .filter((node) => isAdded.has(node.id))
              .map(({ killHandled: _, ...node }) => ({
                ...node,
                depth: depthOf(node.id),
                children: [],
              })),
          ),
          skipped: skippedSuggestions,
          causalTree: servedTree(tree),
          confidence: confidenceIn({ tree }),
          cost: evaluation?.cost ?? NO_COST,
          model: evaluation?.model ?? RULES_MODEL,
        }
      }
      try {
        return await userQueue.run(userId, write)
      } catch (error) {
        if (!progress.isWritten && source !== null) await recordLevelCosts(source, suggestedLevels)
        throw error
      }
    },
  }
}
export type ThesisGrowth = ReturnType<typeof createThesisGrowth>

/** Suggestions of a model for one level of a tree; their parents are known by their labels too. */
interface SuggestedLevel {
  readonly answered: ModelSuggestions
  readonly suggestions: readonly (Suggestion & { readonly parentLabel: string })[]
}

/** Conditions that may be augmented. @throws InvalidInput for an unknown one */
function focusIn(tree: CausalTree, focus: string | null): readonly string[] {
  if (focus !== null && tree.nodes.every((node) => node.id !== focus)) {
    throw new InvalidInput(`nodeId ${focus} not found`)
  }
  return focusOf(tree, focus)
}

/** Suggestions below the nodes of a tree that may have changed since; without a parent they go. */
const attachSuggestions = (
  tree: CausalTree,
  suggestions: SuggestedLevel['suggestions'],
): readonly Suggestion[] =>
  suggestions.flatMap(({ parentLabel, ...suggestion }) => {
    const parent = tree.nodes.find(({ label }) => isSameLabel(label, parentLabel))
    return parent === undefined ? [] : [{ ...suggestion, parentId: parent.id }]
  })

/**
 * The evaluation that records a model's answer and its cost; it changes no probability. Null
 * without a model.
 */
function recordOf(
  { id: thesisId, tree }: Thesis & { readonly tree: CausalTree },
  addedCount: number,
  modelAnswers: readonly ModelSuggestions[],
  now: Millis,
): (Evaluation & { readonly cost: EvaluationCost }) | null {
  const model = modelAnswers.at(-1)?.model
  if (model === undefined) return null
  const confidence = confidenceIn({ tree })
  return {
    id: newId('ev', now),
    thesisId,
    evaluatedAt: now,
    trigger: 'evaluation',
    previousConfidence: confidence,
    newConfidence: confidence,
    summary: `${model} added ${addedCount} ${addedCount === 1 ? 'condition' : 'conditions'}; no probability changed.`,
    nodeProbabilities: Object.fromEntries(tree.nodes.map((node) => [node.id, node.probability])),
    changes: [],
    signals: [],
    kills: [],
    model,
    durationMs: 0,
    cost: sumOfCosts(modelAnswers.map(({ cost }) => cost)),
    corrections: modelAnswers.flatMap(({ read }) => read.corrections),
    modelAnswer: modelAnswers.map(({ answer }) => answer).join('\n'),
  }
}

/** Markets near each condition: others of its market's event first, then those found by its text. */
function suggestionsFor(
  board: ThesisBoard,
  tree: CausalTree,
  targets: readonly string[],
): Suggestion[] {
  const markets = board.live()
  const usedTickers = new Set(tree.nodes.flatMap(({ tickers }) => tickers))
  return targets.flatMap((id) => {
    const node = tree.nodes.find((treeNode) => treeNode.id === id)
    if (node === undefined || depthOf(id) + 1 >= TREE_LIMITS.levels) return []
    const [anchor] = node.tickers
    const view = anchor === undefined ? null : markets.get(anchor)
    const siblings =
      view === null ? [] : markets.marketsOfEvent(view.facts.venue, view.facts.eventId)
    const nearMarkets = markets
      .search(node.label, null, MAX_SEARCHED)
      .filter(({ score }) => score >= MIN_NEAR_SIMILARITY)
      .map((searchHit) => searchHit.view)
    const usableViews = [...siblings, ...nearMarkets].filter(({ facts, price, status }) => {
      const isNew = price !== null && status === 'active' && !usedTickers.has(facts.ticker)
      if (isNew) usedTickers.add(facts.ticker)
      return isNew
    })
    return usableViews.slice(0, MAX_SUGGESTED).map(({ facts, price }) => ({
      parentId: id,
      label: questionOf(facts),
      probability: roundTo((price ?? 0) / 100, 4),
      tickers: [facts.ticker],
    }))
  })
}
