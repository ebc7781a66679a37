import type { PublicNode, PublicThesis, ThesisPublished } from '../../contract/theses/thesis.ts'
import type { PublicThesisRow } from '../../contract/reference.ts'
import type { Static } from 'elysia'
import { SLUG, SLUG_LENGTH, slugOf } from '../../domain/theses/slug.ts'
import { nestedNodes, type NestedNode } from '../../domain/theses/tree.ts'
import type { Thesis } from '../../domain/theses/thesis.ts'
import { roundTo, type Millis } from '../../domain/units.ts'
import { isoOrNull, roundOrNull } from '../../http/presenters/market-ref.ts'
import { BodyFields } from '../../http/request/body-fields.ts'
import { isoOf } from '../../lib/clock.ts'
import { Conflict, InvalidInput, NotFound } from '../../lib/errors.ts'
import { thesisPage } from './thesis-page.ts'
import { impliedReturnOf, meanReturnOf, returnsOf } from './implied-return.ts'
import { servedEdge } from './thesis-edges-served.ts'
import type { ThesisDeps, ThesisRows } from './thesis-rows.ts'
import { spanUntil } from './theses.store.ts'
import {
  confidenceIn,
  deltaOf,
  publicThesisUrl,
  shortIdOf,
  thesisPageUrl,
} from './thesis-served.ts'

const MAX_DESCRIPTION_LENGTH = 2_000
const MAX_EVALUATIONS = 90
/** Queue of the writes that give a slug; no user has this id. */
const SLUGS = 'slugs'

/** Publishes theses, and serves the public reads of them. */
export function createThesisPublication(deps: ThesisDeps, rows: ThesisRows) {
  const { store, userQueue, board, urls, clock } = deps
  const { thesisOfUser, saveThesis } = rows

  const freeSlug = async (thesis: Thesis): Promise<string> => {
    const slug = slugOf(thesis.title) ?? `thesis-${shortIdOf(thesis)}`
    const holder = await store.bySlug(slug)
    return holder === null || holder.id === thesis.id ? slug : `${slug}-${shortIdOf(thesis)}`
  }

  const impliedReturns = async (thesis: Thesis): Promise<PublicThesis['impliedReturns']> => {
    const returns = await returnsOf(board, thesis, null)
    const knownReturns = returns.flatMap(({ returnPct }) => returnPct ?? [])
    const winners = knownReturns.filter((returnPct) => returnPct > 0).length
    return {
      trackedSince: isoOrNull(thesis.edgesAt === null ? null : thesis.createdAt),
      avgReturnPct: meanReturnOf(knownReturns),
      winRate: knownReturns.length === 0 ? null : roundTo(winners / knownReturns.length, 4),
      winners,
      losers: knownReturns.filter((returnPct) => returnPct < 0).length,
      edges: returns.map(({ edge, title, current, returnPct }) => ({
        market: title,
        ticker: edge.ticker,
        entryPrice: roundOrNull(edge.entryPrice),
        currentPrice: roundOrNull(current),
        returnPct,
      })),
    }
  }

  const rowOf = async (
    thesis: Thesis & { readonly slug: string },
    asOf: Millis | null,
  ): Promise<Static<typeof PublicThesisRow>> => ({
    slug: thesis.slug,
    title: thesis.title,
    confidence: confidenceIn(thesis),
    impliedReturn: await impliedReturnOf(board, thesis, asOf),
    status: thesis.status,
    publishedAt: isoOf(thesis.publishedAt ?? thesis.updatedAt),
    url: thesisPageUrl(urls, thesis.slug),
  })

  return {
    publish: (userId: string, id: string, body: unknown): Promise<ThesisPublished> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        const fields = new BodyFields(body ?? {})
        const slugText = fields.text('slug', SLUG_LENGTH)
        if (typeof slugText === 'string' && !SLUG.test(slugText)) {
          throw new InvalidInput(
            'slug must be 3 to 60 lower case letters, digits and single dashes between them',
          )
        }
        const description = fields.text('description', { max: MAX_DESCRIPTION_LENGTH })
        const now = clock.now()
        // Slugs belong to all users, so they are given in one queue.
        const next = await userQueue.run(SLUGS, async () => {
          const slug = slugText ?? thesis.slug ?? (await freeSlug(thesis))
          const holder = await store.bySlug(slug)
          if (holder !== null && holder.id !== thesis.id) throw new Conflict('slug already in use')
          const publishedBefore = thesis.slug === slug ? thesis.publishedAt : null
          const publishedAt = publishedBefore ?? now
          await saveThesis({
            ...thesis,
            slug,
            publishedAt,
            description: description === undefined ? thesis.description : description,
            updatedAt: now,
          })
          return { slug, publishedAt }
        })
        return {
          published: true,
          slug: next.slug,
          url: thesisPageUrl(urls, next.slug),
          apiUrl: publicThesisUrl(urls, next.slug),
          publishedAt: isoOf(next.publishedAt),
        }
      }),
    unpublish: (userId: string, id: string): Promise<{ unpublished: true }> =>
      userQueue.run(userId, async () => {
        const thesis = await thesisOfUser(userId, id)
        if (thesis.slug !== null) {
          await saveThesis({ ...thesis, slug: null, publishedAt: null, updatedAt: clock.now() })
        }
        return { unpublished: true }
      }),
    /** Published theses as they were at an instant, null for now; newest first. */
    async rows(asOf: Millis | null): Promise<Static<typeof PublicThesisRow>[]> {
      const theses =
        asOf === null ? await store.publishedTheses() : await store.visibleAt(null, asOf)
      const publicTheses = await Promise.all(
        theses.flatMap(({ slug, ...thesis }) =>
          slug === null ? [] : [rowOf({ ...thesis, slug }, asOf)],
        ),
      )
      return publicTheses.sort((left, right) => (left.publishedAt < right.publishedAt ? 1 : -1))
    },
    /** @throws NotFound for a thesis that is not published */
    async public(slug: string): Promise<PublicThesis> {
      const thesis = await store.bySlug(slug)
      if (thesis === null) throw new NotFound('Not found')
      return publicThesis(thesis, slug)
    },
    /** The page of a published thesis as HTML; null when none is published under the slug. */
    async page(slug: string): Promise<string | null> {
      const thesis = await store.bySlug(slug)
      if (thesis === null) return null
      const publicVersion = await publicThesis(thesis, slug)
      return thesisPage(publicVersion, `/api/public/thesis/${slug}`, isoOf(clock.now()))
    },
  }

  async function publicThesis(thesis: Thesis, slug: string): Promise<PublicThesis> {
    const evaluations = await store.evaluations(
      thesis.id,
      spanUntil(clock.now()),
      null,
      MAX_EVALUATIONS,
    )
    const views = await board.markets(
      thesis.edges.map(({ ticker }) => ticker),
      null,
    )
    const now = clock.now()
    const edges = await Promise.all(
      thesis.edges.map(async (edge) => {
        const view = views.get(edge.ticker)
        const row =
          view === undefined
            ? null
            : await servedEdge(board, thesis, edge, view, { asOf: null, at: now })
        if (view === undefined || row?.edgeSize === null || row === null) return null
        return {
          market: row.marketTitle,
          ticker: row.marketId,
          venue: row.venue,
          marketPrice: row.marketPrice,
          thesisPrice: row.thesisImpliedPrice,
          edge: row.edgeSize,
          direction: row.direction,
          orderbook: view.hasOrderbook
            ? {
                bestBid: roundOrNull(view.bestBid),
                bestAsk: roundOrNull(view.bestAsk),
                spread: roundOrNull(view.spread),
                liquidityScore: view.liquidityScore,
              }
            : null,
        }
      }),
    )
    return {
      thesis: {
        title: thesis.title,
        slug,
        confidence: confidenceIn(thesis),
        status: thesis.status,
        publishedAt: isoOf(thesis.publishedAt ?? thesis.updatedAt),
        description: thesis.description,
        author: await store.authorOf(thesis.userId),
      },
      causalTree: {
        rootClaim: thesis.tree?.rootClaim ?? thesis.rawThesis,
        nodes: thesis.tree === null ? [] : publicNodes(nestedNodes(thesis.tree.nodes)),
      },
      impliedReturns: await impliedReturns(thesis),
      confidenceHistory: evaluations.map(
        ({ evaluatedAt, previousConfidence, newConfidence, summary }) => ({
          evaluatedAt: isoOf(evaluatedAt),
          confidence: newConfidence,
          delta: deltaOf(previousConfidence, newConfidence),
          summary,
        }),
      ),
      edges: edges
        .filter((row) => row !== null)
        .sort((left, right) => Math.abs(right.edge) - Math.abs(left.edge)),
    }
  }
}
export type ThesisPublication = ReturnType<typeof createThesisPublication>

const publicNodes = (nodes: readonly NestedNode[]): PublicNode[] =>
  nodes.map(({ id, label, probability, importance, children }) => ({
    id,
    label,
    probability,
    importance,
    children: publicNodes(children),
  }))
