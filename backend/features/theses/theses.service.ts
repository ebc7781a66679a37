import { randomUUID } from 'node:crypto'
import type {
  ServedThesis,
  ThesisFormed,
  ThesisPage,
  ThesisQueued,
} from '../../contract/theses/thesis.ts'
import { claimFault, titleOf } from '../../domain/theses/claim.ts'
import { horizonOf } from '../../domain/theses/horizon.ts'
import {
  mayBecome,
  SETTABLE_THESIS_STATUSES,
  THESIS_OUTCOMES,
  type ThesisStatus,
} from '../../domain/theses/status.ts'
import type { Thesis } from '../../domain/theses/thesis.ts'
import { roundTo } from '../../domain/units.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { Conflict, InvalidInput } from '../../lib/errors.ts'
import { expectNoWebhook, metadataIn } from './thesis-body.ts'
import { formedByRules } from './thesis-changes.ts'
import { costOf, executableAt } from './thesis-markets.ts'
import type { Paging, ThesisDeps, ThesisRows } from './thesis-rows.ts'
import { rowOf, shortIdOf, thesisUrl } from './thesis-served.ts'
import type { ThesisFilter } from './theses.store.ts'

const LONGEST_TITLE = 200
const LONGEST_DESCRIPTION = 2_000
/** Most theses of one user. */
const MOST = 1_000
const SUGGESTED_CONTRACTS = 50
const MOST_SUGGESTED = 5
const OPEN_STATES: readonly ThesisStatus[] = ['forming', 'active', 'paused']

const sameClaim = (one: string, other: string): boolean =>
  one.trim().replace(/\s+/g, ' ').toLowerCase() === other.trim().replace(/\s+/g, ' ').toLowerCase()

/** Creating, listing, changing and removing theses. */
export function createThesesService(deps: ThesisDeps, rows: ThesisRows) {
  const { store, lanes, board, urls, clock } = deps
  const { owned, newest, served, put, pageOf } = rows

  /** Forms a thesis; one that was removed or formed meanwhile stays as it is. */
  const form = (id: string, userId: string): Promise<void> =>
    lanes.run(userId, async () => {
      const [thesis] = await store.named(userId, id)
      if (thesis?.status !== 'forming') return
      const step = await formedByRules(board, thesis, clock.now())
      await store.put(step.thesis, step.evaluation)
    })

  const queued = (thesis: Thesis, existing: boolean): ThesisQueued => ({
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

  const formed = async (id: string, userId: string, existing: boolean): Promise<ThesisFormed> => {
    const thesis = await owned(userId, id)
    const body = await served(thesis)
    const views = await board.markets(
      thesis.edges.map(({ ticker }) => ticker),
      null,
    )
    const suggested = await Promise.all(
      thesis.edges.map(async (edge) => {
        const view = views.get(edge.ticker)
        if (view?.price === null || view === undefined) return null
        const direction = edge.thesisPrice >= view.price ? ('yes' as const) : ('no' as const)
        const [worth, cost] = [
          await executableAt(board, view, edge.thesisPrice, clock.now()),
          costOf(view, direction),
        ]
        if (worth === null || worth <= 0 || cost === null) return null
        return { view, edge, direction, worth, cost }
      }),
    )
    return {
      ...body,
      success: true,
      thesisId: thesis.id,
      processingTimeMs: body.formation.processingTimeMs ?? 0,
      suggestedPositions: suggested
        .filter((one) => one !== null)
        .sort((one, other) => other.worth - one.worth)
        .slice(0, MOST_SUGGESTED)
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
      for (const { id, userId } of await store.forming()) void form(id, userId)
    },
    /** @param isSync whether to answer with the formed thesis */
    async create(
      userId: string,
      body: unknown,
      isSync: boolean,
    ): Promise<
      | { readonly isFormed: true; readonly answer: ThesisFormed }
      | { readonly isFormed: false; readonly answer: ThesisQueued }
    > {
      const fields = new BodyFields(body)
      const sent = fields.raw('rawThesis', 'title')
      const fault = claimFault(sent)
      if (fault !== null) {
        const { code, reason, error, hint } = fault
        throw new InvalidInput(error, { code, more: { reason, hint } })
      }
      const claim = String(sent).trim()
      const title = fields.text('title', { min: 1, max: LONGEST_TITLE })
      expectNoWebhook(fields)
      const metadata = metadataIn(fields) ?? {}
      const { thesis, existing } = await lanes.run(userId, async () => {
        const own = await store.inStates(userId, OPEN_STATES)
        const known = own.find(({ rawThesis }) => sameClaim(rawThesis, claim))
        if (known !== undefined) return { thesis: known, existing: true }
        if (own.length >= MOST) throw new Conflict(`at most ${MOST} theses may be open`)
        const now = clock.now()
        const made: Thesis = {
          id: randomUUID(),
          userId,
          title: title ?? titleOf(claim),
          rawThesis: claim,
          status: 'forming',
          previousConfidence: null,
          horizon: horizonOf(claim),
          outcome: null,
          metadata,
          description: null,
          parentId: null,
          slug: null,
          publishedAt: null,
          tree: null,
          edges: [],
          marketsAnalyzed: 0,
          edgesAt: null,
          formation: { startedAt: now, finishedAt: null, synthesis: 'rules' },
          lastEvaluatedAt: null,
          createdAt: now,
          updatedAt: now,
        }
        await store.add(made)
        return { thesis: made, existing: false }
      })
      const forming = thesis.status === 'forming' ? form(thesis.id, userId) : Promise.resolve()
      if (!isSync) {
        // A failure leaves the thesis forming; the next start forms it.
        forming.catch(() => {})
        return { isFormed: false, answer: queued(thesis, existing) }
      }
      await forming
      return { isFormed: true, answer: await formed(thesis.id, userId, existing) }
    },
    async page(userId: string, filter: ThesisFilter, paging: Paging): Promise<ThesisPage> {
      const { rows, pageInfo } = await pageOf(
        paging,
        filter,
        (after, most) => store.page(userId, filter, after, most),
        ({ updatedAt, id }) => ({ at: updatedAt, id }),
      )
      const data = rows.map(rowOf)
      return { data, theses: data, pageInfo }
    },
    one: async (userId: string, id: string): Promise<ServedThesis> =>
      served(await owned(userId, id)),
    change: (userId: string, id: string, body: unknown): Promise<ServedThesis> =>
      lanes.run(userId, async () => {
        const thesis = await owned(userId, id)
        const fields = new BodyFields(body)
        const names = ['title', 'status', 'outcome', 'webhookUrl', 'metadata', 'description']
        if (!fields.has(...names)) throw new InvalidInput('No valid fields to update')
        expectNoWebhook(fields)
        const title = fields.text('title', { min: 1, max: LONGEST_TITLE })
        const description = fields.text('description', { max: LONGEST_DESCRIPTION })
        const moved = await movedTo(thesis, fields)
        const next: Thesis = {
          ...moved,
          title: title ?? thesis.title,
          description: description === undefined ? thesis.description : description,
          metadata: metadataIn(fields) ?? thesis.metadata,
          updatedAt: clock.now(),
        }
        await put(next)
        return served(next)
      }),
    remove: (userId: string, id: string): Promise<{ ok: true }> =>
      lanes.run(userId, async () => {
        await store.remove((await owned(userId, id)).id)
        return { ok: true }
      }),
  }

  /** The thesis in the state that a body asks for. */
  async function movedTo(thesis: Thesis, fields: BodyFields): Promise<Thesis> {
    const sent = fields.word('status', SETTABLE_THESIS_STATUSES)
    const outcome = fields.word('outcome', THESIS_OUTCOMES)
    const status = sent === 'monitoring' ? 'active' : sent
    if (outcome !== undefined && status !== 'resolved') {
      throw new InvalidInput('outcome is allowed with status resolved only')
    }
    if (status === undefined || status === thesis.status) return thesis
    if (!mayBecome(thesis.status, status)) {
      throw new Conflict(
        `cannot change status from ${thesis.status} to ${status}`,
        'INVALID_TRANSITION',
      )
    }
    if (status === 'resolved' && outcome === undefined) {
      throw new InvalidInput('outcome is required with status resolved')
    }
    const isBack = status === 'active'
    const fired = isBack
      ? new Set((await newest(thesis.id))?.kills.map(({ nodeId }) => nodeId))
      : null
    const tree =
      thesis.tree === null || fired === null
        ? thesis.tree
        : {
            ...thesis.tree,
            nodes: thesis.tree.nodes.map((node) =>
              fired.has(node.id) ? { ...node, killHandled: true } : node,
            ),
          }
    return { ...thesis, status, tree, outcome: isBack ? null : (outcome ?? thesis.outcome) }
  }
}
export type ThesesService = ReturnType<typeof createThesesService>
