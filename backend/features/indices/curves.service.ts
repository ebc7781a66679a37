import { dateFamilies } from '../../computed/date-families.ts'
import type { DateFamily } from '../../computed/date-families.ts'
import { passes } from '../../computed/board/market-filter.ts'
import { contextSnapshotAsOf } from '../../computed/snapshot/historical-snapshot.ts'
import { canonicalTicker } from '../../domain/market.ts'
import type { Millis } from '../../domain/units.ts'
import { notInFuture } from '../../http/request/as-of.ts'
import { roundOrNull } from '../../http/presenters/market-ref.ts'
import { inspectUrl } from '../../http/next-actions.ts'
import type { Urls } from '../../http/next-actions.ts'
import { isoOf } from '../../lib/clock.ts'
import { NotFound } from '../../lib/errors.ts'
import type { CurveQuery, Curves, CurvesQuery, YieldCurve } from '../../contract/indices.ts'
import type { IndicesDeps } from './indices.deps.ts'

function toResponse({ curve, first }: DateFamily, at: Millis, urls: Urls): YieldCurve {
  const { facts } = first
  return {
    eventBase: curve.family,
    venue: curve.venue,
    title: facts.eventTitle ?? facts.title,
    shape: curve.shape,
    pointCount: curve.points.length,
    distinctTenorCount: curve.distinctTenorCount,
    totalVolume24h: roundOrNull(curve.totalVolume24h, 6),
    avgPrice: curve.avgPrice,
    firstMarketTitle: facts.title,
    asOf: isoOf(at),
    points: curve.points.map(({ ticker, title, tenorDays, price, iy, volume24h, closeTime }) => ({
      ticker,
      title,
      tenorDays,
      iy,
      price: roundOrNull(price),
      volume24h: roundOrNull(volume24h, 6),
      closeTime: isoOf(closeTime),
      inspectUrl: inspectUrl(urls, ticker),
    })),
  }
}

/**
 * Yield curves: price against time to close of questions that differ only in their deadline.
 * Methodology F1.
 */
export function createCurveService({
  context,
  clock,
  urls,
}: Pick<IndicesDeps, 'context' | 'clock' | 'urls'>) {
  return {
    async curves({
      limit,
      venue,
      topic,
      shape,
      asOf: requestedAsOf,
    }: CurvesQuery): Promise<Curves> {
      const now = clock.now()
      const asOf = notInFuture(requestedAsOf, now)
      const snapshot = await contextSnapshotAsOf(context, asOf)
      const passesTopic = passes({ topic, category: null, venue: null, words: null })
      const at = snapshot?.at ?? asOf ?? now
      const curves = (snapshot === null ? [] : dateFamilies(snapshot))
        .filter(({ curve }) => venue === null || curve.venue === venue)
        .filter(({ curve }) => shape === null || curve.shape === shape)
        .filter(({ members }) => members.some(passesTopic))
        .slice(0, limit)
        .map((family) => toResponse(family, at, urls))
      return { curves, count: curves.length, generatedAt: isoOf(at) }
    },

    /**
     * The curve of an event, by its id or the event id of any market in it.
     * @throws NotFound "Event not found", also if it has fewer than two dated contracts
     */
    async curve(event: string, { asOf: requestedAsOf }: CurveQuery): Promise<YieldCurve> {
      const asOf = notInFuture(requestedAsOf, clock.now())
      const snapshot = await contextSnapshotAsOf(context, asOf)
      const [name, requestedTicker] = [event.toLowerCase(), canonicalTicker(event)]
      const families = snapshot === null ? [] : dateFamilies(snapshot)
      const dateFamily =
        families.find(({ curve }) => curve.family.toLowerCase() === name) ??
        families.find(({ members }) =>
          members.some(({ facts }) => facts.eventId === requestedTicker),
        )
      if (snapshot === null || dateFamily === undefined) throw new NotFound('Event not found')
      return toResponse(dateFamily, snapshot.at, urls)
    },
  }
}
export type CurveService = ReturnType<typeof createCurveService>
