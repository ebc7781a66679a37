import type { ServedThesis, ThesisUpdated, ThesisPage } from '../../contract/theses/thesis.ts'
import {
  mayBecome,
  SETTABLE_THESIS_STATUSES,
  THESIS_OUTCOMES,
  THESIS_STATUSES,
} from '../../domain/theses/status.ts'
import { metKills, type BoundEdge, type Thesis } from '../../domain/theses/thesis.ts'
import type { Millis } from '../../domain/units.ts'
import { instantOf } from '../../http/request/as-of.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { Conflict, InvalidInput } from '../../lib/errors.ts'
import { claimIn, inheritedTickers, metadataIn, webhookUrlIn } from './thesis-body.ts'
import type { CreatedThesis, ThesisFormation } from './thesis-formation.service.ts'
import type { Paging, ThesisDeps, ThesisRows } from './thesis-rows.ts'
import { rowOf, shortIdOf } from './thesis-served.ts'
import type { ThesisFilter } from './theses.store.ts'
import { listPage } from '../../http/request/list-page.ts'

const MAX_TITLE_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 2_000

/** Creating, listing, changing and removing theses. */
export function createThesesService(
  deps: ThesisDeps,
  rows: ThesisRows,
  formation: ThesisFormation,
) {
  const { store, userQueue, endpoints, clock } = deps
  const { thesisOfUser, newest, served, readThesis, saveThesis } = rows
  const setWebhook = ({ id, userId }: Thesis, url: string | null) =>
    endpoints().set({ id, userId, shortId: shortIdOf({ id }) }, url)

  return {
    /** @param isSync whether to answer with the formed thesis */
    async create(userId: string, body: unknown, isSync: boolean): Promise<CreatedThesis> {
      const fields = new BodyFields(body)
      const claim = claimIn(fields.raw('rawThesis', 'title'))
      const title = fields.text('title', { min: 1, max: MAX_TITLE_LENGTH }) ?? null
      const sentUrl = webhookUrlIn(fields) ?? null
      const url = sentUrl === null ? null : await endpoints().checkedAddress(userId, sentUrl)
      const metadata = metadataIn(fields) ?? {}
      const inheritedEdges = await edgesOfUser(userId, inheritedTickers(fields))
      const hasEndpoint = url !== null
      const newThesis = {
        claim,
        title,
        metadata,
        parent: null,
        forkedFrom: null,
        inherited: inheritedEdges,
        hasEndpoint,
      }
      const pendingThesis = await userQueue.run(userId, () => formation.begin(userId, newThesis))
      const webhook =
        url === null || pendingThesis.existing ? null : await newEndpoint(pendingThesis.thesis, url)
      return formation.answer(userId, pendingThesis, isSync, webhook)
    },
    async page(
      userId: string,
      { asOf: requestedAsOf, ...filter }: ThesisFilter & { readonly asOf: Millis | null },
      paging: Paging,
    ): Promise<ThesisPage> {
      const { asOf } = instantOf(requestedAsOf, clock.now(), true)
      const { rows, pageInfo } = await listPage(
        paging,
        { ...filter, asOf },
        (after, max) =>
          asOf === null
            ? store.page(userId, filter, after, max)
            : store.pageAt(userId, filter, { asOf, after, max }),
        ({ updatedAt, id }) => ({ at: updatedAt, id }),
      )
      const data = rows.map(rowOf)
      return { data, theses: data, pageInfo }
    },
    byId: (userId: string, id: string, requestedAsOf: Millis | null): Promise<ServedThesis> =>
      readThesis(userId, id, requestedAsOf),
    change: (userId: string, id: string, body: unknown): Promise<ThesisUpdated> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const fields = new BodyFields(body)
        const names = ['title', 'status', 'outcome', 'webhookUrl', 'metadata', 'description']
        if (!fields.has(...names)) throw new InvalidInput('No valid fields to update')
        const url = webhookUrlIn(fields)
        const title = fields.text('title', { min: 1, max: MAX_TITLE_LENGTH })
        if (title === null)
          throw new InvalidInput(`title must be a string of 1 to ${MAX_TITLE_LENGTH} characters`)
        const description = fields.text('description', { max: MAX_DESCRIPTION_LENGTH })
        const changedThesis = await changeState(thesis, fields)
        const next: Thesis = {
          ...changedThesis,
          title: title ?? thesis.title,
          description: description === undefined ? thesis.description : description,
          metadata: metadataIn(fields) ?? thesis.metadata,
          updatedAt: clock.now(),
          ...(url !== undefined && { hasEndpoint: url !== null }),
        }
        const webhook = url === undefined ? null : await setWebhook(thesis, url)
        await saveThesis(next)
        if (next.status === 'active' && thesis.status !== 'active') deps.onActive(next)
        const isKilled = next.status === 'killed' && thesis.status !== 'killed'
        if (isKilled || (next.status !== 'active' && thesis.status === 'active')) {
          deps.onStopped(next)
        }
        return { ...(await served(next)), ...(webhook !== null && { webhook }) }
      }),
    remove: (userId: string, id: string): Promise<{ ok: true }> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        await setWebhook(thesis, null)
        await store.remove(thesis.id)
        deps.calls.abort(thesis.id)
        await deps.onDeleted(userId, { thesisId: thesis.id })
        return { ok: true }
      }),
  }

  /** The endpoint of a new thesis; a thesis that gets none is removed again. */
  async function newEndpoint(thesis: Thesis, url: string): ReturnType<typeof setWebhook> {
    try {
      return await setWebhook(thesis, url)
    } catch (error) {
      await userQueue.run(thesis.userId, () => store.remove(thesis.id))
      throw error
    }
  }

  /** Edges of the user's theses, each of the thesis changed last. @throws InvalidInput for an unknown one */
  async function edgesOfUser(userId: string, tickers: readonly string[]): Promise<BoundEdge[]> {
    if (tickers.length === 0) return []
    const theses = await store.thesesInStates(userId, THESIS_STATUSES)
    const edges = theses
      .toSorted((left, right) => right.updatedAt - left.updatedAt)
      .flatMap((thesis) => thesis.edges)
    return tickers.map((ticker) => {
      const edge = edges.find((candidate) => candidate.ticker === ticker)
      if (edge === undefined) {
        throw new InvalidInput(`inheritEdgeMarketIds: ${ticker} is not an edge of your theses`)
      }
      return edge
    })
  }

  /** The thesis in the state that a body asks for. */
  async function changeState(thesis: Thesis, fields: BodyFields): Promise<Thesis> {
    const newStatus = fields.word('status', SETTABLE_THESIS_STATUSES)
    const outcome = fields.word('outcome', THESIS_OUTCOMES)
    const status = newStatus === 'monitoring' ? 'active' : newStatus
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
    const firedKills = isBack
      ? new Set(metKills((await newest(thesis.id)) ?? { kills: [] }).map(({ nodeId }) => nodeId))
      : null
    const tree =
      thesis.tree === null || firedKills === null
        ? thesis.tree
        : {
            ...thesis.tree,
            nodes: thesis.tree.nodes.map((node) =>
              firedKills.has(node.id) ? { ...node, killHandled: true } : node,
            ),
          }
    return { ...thesis, status, tree, outcome: isBack ? null : (outcome ?? thesis.outcome) }
  }
}
export type ThesesService = ReturnType<typeof createThesesService>
