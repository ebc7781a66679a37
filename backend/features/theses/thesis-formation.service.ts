import { randomUUID } from 'node:crypto'
import type { ThesisFormed, ThesisQueued, ThesisWebhook } from '../../contract/theses/thesis.ts'
import { titleOf } from '../../domain/theses/claim.ts'
import { horizonOf } from '../../domain/theses/horizon.ts'
import type { ThesisStatus } from '../../domain/theses/status.ts'
import type { BoundEdge, EvaluationCost, ForkSource, Thesis } from '../../domain/theses/thesis.ts'
import { MINUTE, roundTo } from '../../domain/units.ts'
import { Conflict, ModelFailed, NotFound, NotReady } from '../../lib/errors.ts'
import type { LanguageModel } from '../../lib/language-model.ts'
import { createSemaphore } from '../../lib/semaphore.ts'
import { recordCost, recordFailedCalls } from './model/model-costs.ts'
import { formFromModelTree, treeByModel, type ModelTree } from './model/model-trees.ts'
import { formByRules, type ThesisStep } from './thesis-changes.ts'
import { formedNotice } from './thesis-events.ts'
import { costOf, executableAt } from './thesis-markets.ts'
import type { ThesisDeps, ThesisRows } from './thesis-rows.ts'
import { shortIdOf, thesisUrl } from './thesis-served.ts'

/** Most open theses of one user. */
const MAX_THESES = 1_000
/** A thesis that no model formed within this time is formed by rules. */
const FORMATION_LIMIT = 5 * MINUTE
/** Formations that call the model at once; the rest wait within their time. */
const MODEL_CALLS = {
  permits: 3,
  maxWait: FORMATION_LIMIT,
  maxQueued: 1_000,
  refusal: 'the language model was busy for five minutes',
}
const SUGGESTED_CONTRACTS = 50
const MAX_SUGGESTED = 5
const OPEN_STATES: readonly ThesisStatus[] = ['forming', 'active', 'paused']

/** A thesis to be made. */
export interface NewThesis {
  readonly claim: string
  readonly title: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** The thesis that it continues, in its next state. */
  readonly parent: Thesis | null
  readonly forkedFrom: ForkSource | null
  readonly inherited: readonly BoundEdge[]
  /** Whether an endpoint of its own will receive its events. */
  readonly hasEndpoint: boolean
}

const sameClaim = (first: string, other: string): boolean =>
  first.trim().replace(/\s+/g, ' ').toLowerCase() ===
  other.trim().replace(/\s+/g, ' ').toLowerCase()

/** Making theses and forming them. */
export function createThesisFormation(deps: ThesisDeps, rows: ThesisRows) {
  const { store, userQueue, board, urls, clock, stopping } = deps
  const { thesisOfUser, served } = rows
  const semaphore = createSemaphore(MODEL_CALLS, clock)
  /** Formations that run, by thesis. */
  const pendingFormations = new Map<string, Promise<void>>()

  /** A thesis that is still to be formed; null when it was removed or formed meanwhile. */
  const findUnformed = async (id: string, userId: string): Promise<Thesis | null> => {
    const [thesis] = await store.byIdPrefix(userId, id)
    return thesis?.status === 'forming' ? thesis : null
  }

  /** The tree that a model forms; the reason when it failed or the time is over. */
  const requestModelTree = async (
    model: LanguageModel,
    thesis: Thesis,
  ): Promise<ModelTree | string> => {
    const now = clock.now()
    const left = thesis.formation.startedAt + FORMATION_LIMIT - now
    if (left <= 0) return 'five minutes have passed'
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(left)])
    try {
      return await deps.calls.run(thesis.id, signal, (callSignal) =>
        semaphore.run(() => treeByModel(board, model, thesis.rawThesis, now, callSignal)),
      )
    } catch (error) {
      await userQueue.run(thesis.userId, () => recordFailedCalls(deps, thesis, error, clock.now()))
      if (error instanceof ModelFailed || error instanceof NotReady) return error.message
      throw error
    }
  }

  /** A thesis formed with a model's tree, else by rules with the reason. */
  const formWithTree = async (
    thesis: Thesis,
    modelTree: ModelTree | string | null,
  ): Promise<ThesisStep> => {
    const now = clock.now()
    if (modelTree !== null && typeof modelTree !== 'string') {
      return formFromModelTree(board, thesis, modelTree, now)
    }
    const step = await formByRules(board, thesis, { asOf: null, at: now })
    if (modelTree === null) return step
    const corrections = [`Formed by rules: ${modelTree}`]
    return { ...step, evaluation: { ...step.evaluation, corrections } }
  }

  const formOnce = async (id: string, userId: string): Promise<void> => {
    const model = deps.model()
    const waitingThesis =
      model === null ? null : await userQueue.run(userId, () => findUnformed(id, userId))
    // Other writes of the user continue while the model answers.
    const modelTree =
      model === null || waitingThesis === null ? null : await requestModelTree(model, waitingThesis)
    const cost = typeof modelTree === 'string' ? null : (modelTree?.cost ?? null)
    const progress = { isWritten: false }
    try {
      if (stopping.aborted) return
      await userQueue.run(userId, async () => {
        const thesis = await findUnformed(id, userId)
        if (thesis === null) return
        const step = await formWithTree(thesis, modelTree)
        const notices = [formedNotice(step.thesis)]
        const isStored = await store.put(step.thesis, step.evaluation, [], [], notices)
        progress.isWritten = isStored
        if (isStored) deps.onActive(step.thesis)
      })
    } finally {
      // No evaluation holds the cost of these calls.
      if (!progress.isWritten && cost !== null) await recordUnwrittenCost({ id, userId }, cost)
    }
  }

  /** Keeps the cost of a tree that was not written; nothing of a thesis that was deleted. */
  const recordUnwrittenCost = (thesis: Pick<Thesis, 'id' | 'userId'>, cost: EvaluationCost) =>
    userQueue.run(thesis.userId, () =>
      recordCost(deps, thesis, cost, clock.now()).catch((error: unknown) => {
        if (!(error instanceof NotFound)) throw error
      }),
    )

  /**
   * Forms a thesis by the configured model, else by rules; a second request waits for the first. A
   * stop leaves it forming.
   */
  const form = (id: string, userId: string): Promise<void> => {
    const existing = pendingFormations.get(id)
    if (existing !== undefined) return existing
    const work = formOnce(id, userId).finally(() => pendingFormations.delete(id))
    pendingFormations.set(id, work)
    return work
  }

  const queuedResponse = (thesis: Thesis, existing: boolean): ThesisQueued => ({
    id: thesis.id,
    thesisId: thesis.id,
    shortId: shortIdOf(thesis),
    status: thesis.status,
    message:
      thesis.status === 'forming'
        ? 'The tree and its markets are being formed; read statusUrl'
        : 'This thesis exists already',
    statusUrl: thesisUrl(urls, thesis.id),
    ...(existing && { existing: true as const }),
  })

  const toFormed = async (id: string, userId: string, existing: boolean): Promise<ThesisFormed> => {
    const thesis = await thesisOfUser(userId, id)
    const body = await served(thesis)
    const views = await board.markets(
      thesis.edges.map(({ ticker }) => ticker),
      null,
    )
    const suggestedMatches = await Promise.all(
      thesis.edges.map(async (edge) => {
        const view = views.get(edge.ticker)
        if (view?.price === null || view === undefined) return null
        const direction = edge.thesisPrice >= view.price ? ('yes' as const) : ('no' as const)
        const [edgeValue, cost] = [
          await executableAt(board, view, edge.thesisPrice, { asOf: null, at: clock.now() }),
          costOf(view, direction),
        ]
        if (edgeValue === null || edgeValue <= 0 || cost === null) return null
        return { view, edge, direction, worth: edgeValue, cost }
      }),
    )
    return {
      ...body,
      success: true,
      thesisId: thesis.id,
      processingTimeMs: body.formation.processingTimeMs ?? 0,
      suggestedPositions: suggestedMatches
        .filter((match) => match !== null)
        .sort((left, right) => right.worth - left.worth)
        .slice(0, MAX_SUGGESTED)
        .map(({ view, edge, direction, worth, cost }) => ({
          marketId: view.facts.ticker,
          marketTitle: view.facts.title,
          venue: view.facts.venue,
          direction,
          entryPrice: cost,
          size: SUGGESTED_CONTRACTS,
          rationale: `${edge.rationale} ${roundTo(worth, 2)}¢ a contract remain after spread and fee.`,
        })),
      ...(existing && { existing: true as const }),
    }
  }

  return {
    /** Forms the theses that a stop interrupted. */
    async open(): Promise<void> {
      // A failure leaves the thesis forming; the next start forms it.
      for (const { id, userId } of await store.forming()) form(id, userId).catch(() => {})
    },
    /** Adds a thesis that will be formed, or returns the open one with the same claim. */
    async begin(
      userId: string,
      { claim, title, metadata, parent, forkedFrom, inherited, hasEndpoint }: NewThesis,
    ): Promise<{ readonly thesis: Thesis; readonly existing: boolean }> {
      const openTheses = await store.thesesInStates(userId, OPEN_STATES)
      const existing = openTheses.find(
        ({ id, rawThesis }) => id !== parent?.id && sameClaim(rawThesis, claim),
      )
      if (existing !== undefined && parent === null) return { thesis: existing, existing: true }
      if (openTheses.length >= MAX_THESES)
        throw new Conflict(`at most ${MAX_THESES} theses may be open`)
      const now = clock.now()
      const thesis: Thesis = {
        id: randomUUID(),
        userId,
        title: title ?? titleOf(claim),
        rawThesis: claim,
        status: 'forming',
        previousConfidence: null,
        announcedConfidence: null,
        horizon: horizonOf(claim),
        outcome: null,
        metadata,
        description: null,
        parentId: parent?.id ?? null,
        forkedFrom,
        slug: null,
        publishedAt: null,
        tree: null,
        edges: inherited.map((edge) => ({ ...edge, inherited: true, relatedNodeId: 'n1' })),
        positions: [],
        strategies: [],
        marketsAnalyzed: 0,
        edgesAt: null,
        hasEndpoint,
        formation: { startedAt: now, finishedAt: null, synthesis: 'rules' },
        lastEvaluatedAt: null,
        createdAt: now,
        updatedAt: now,
      }
      await store.add(thesis, parent)
      return { thesis, existing: false }
    },
    /** Forms a thesis and answers at once, or with `isSync` when it is formed. */
    async answer(
      userId: string,
      { thesis, existing }: { readonly thesis: Thesis; readonly existing: boolean },
      isSync: boolean,
      webhook: ThesisWebhook | null = null,
    ): Promise<CreatedThesis> {
      const secret = webhook !== null && { webhook }
      const forming = thesis.status === 'forming' ? form(thesis.id, userId) : Promise.resolve()
      if (!isSync) {
        // A failure leaves the thesis forming; the next start forms it.
        forming.catch(() => {})
        return { isFormed: false, answer: { ...queuedResponse(thesis, existing), ...secret } }
      }
      await forming
      // A stop of the service ends the wait.
      if (stopping.aborted) {
        return { isFormed: false, answer: { ...queuedResponse(thesis, existing), ...secret } }
      }
      const answer = await toFormed(thesis.id, userId, existing)
      return { isFormed: true, answer: { ...answer, ...secret } }
    },
  }
}
export type ThesisFormation = ReturnType<typeof createThesisFormation>

/** The answer to a creation. */
export type CreatedThesis =
  | { readonly isFormed: true; readonly answer: ThesisFormed }
  | { readonly isFormed: false; readonly answer: ThesisQueued }
