import { Elysia } from 'elysia'
import {
  ChartDrawings,
  MarketDrawings,
  MarketDrawingsBody,
} from '../../contract/charts/drawings.ts'
import { answers } from '../../contract/schemas.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { objectBody } from '../../http/request/body.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import { isoOf, type Clock } from '../../lib/clock.ts'
import type { State } from '../../state/open.ts'
import { drawingsIn } from './drawings-body.ts'
import { createDrawingsStore, type DrawingsRow } from './drawings.store.ts'

/** Largest number of a user's markets with drawings. */
const MAX_MARKETS = 200
const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const

const toResponse = ({ ticker, drawings, updatedAt }: DrawingsRow): MarketDrawings => ({
  ticker,
  drawings: [...drawings],
  updatedAt: isoOf(updatedAt),
})

/** Routes of a user's chart drawings. */
export function drawingsRoutes(state: State, clock: Pick<Clock, 'now'>) {
  const store = createDrawingsStore(state)
  return new Elysia({ prefix: '/api/chart', tags: ['accounts'], adapter })
    .use(routePolicies)
    .get(
      '/drawings',
      async ({ request }) => {
        const rows = await store.all(knownCaller(request).userId)
        return { markets: rows.map(toResponse), count: rows.length }
      },
      {
        ...USER_POLICY,
        response: answers(ChartDrawings, 401, 429),
        detail: { operationId: 'chart.drawings', summary: 'Your drawings on charts, by market' },
      },
    )
    .put(
      '/drawings',
      async ({ request, body }) => {
        const row = { ...drawingsIn(body), updatedAt: clock.now() }
        await store.replace(knownCaller(request).userId, row, MAX_MARKETS)
        return toResponse(row)
      },
      {
        ...USER_POLICY,
        body: objectBody(MarketDrawingsBody),
        response: answers(MarketDrawings, 400, 401, 409, 429),
        detail: {
          operationId: 'chart.replaceDrawings',
          summary: 'Replaces your drawings on the chart of a market; an empty list removes them',
        },
      },
    )
}
