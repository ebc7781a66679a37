import { Elysia, t } from 'elysia'
import {
  NewTick,
  NewTrade,
  RowStored,
  TickList,
  TickFinished,
  TickSchema,
  TickStarted,
  TickTriggerBody,
  TradeList,
  TradeSchema,
} from '../../contract/orders/ticks.ts'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, conflictWith, failures, responses } from '../../contract/schemas.ts'
import { MODES } from '../../domain/portfolio/ledger.ts'
import { TICK_STATUSES, TICK_TRIGGERS } from '../../domain/portfolio/tick.ts'
import { POSITION_STATUSES } from '../../domain/theses/holdings.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { documentedBody, jsonBody, objectBody } from '../../http/request/body.ts'
import { repeatable } from '../../http/request/repeatable.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { RepeatedWrites } from '../../state/repeated-writes.ts'
import type { TicksService } from './autopilot/ticks.service.ts'

const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const
const TickId = t.Object({ id: t.String({ description: 'tick, pt_…' }) })
const TradeId = t.Object({ id: t.String({ description: 'trade, trd_…' }) })
const Running = conflictWith({
  tickId: t.Optional(t.String({ description: 'the tick that runs, pt_…' })),
})

const paging = {
  limit: param.limit(20, 200),
  cursor: param.text('cursor of the next page, from `x-next-cursor` or `nextCursor`'),
  envelope: param.flag('true: a page with its cursor in place of the array'),
}

/** The rows alone with the cursor as a header, or the page. */
function listResponse<Page extends { data: object[]; pageInfo: { nextCursor: string | null } }>(
  page: Page,
  isEnveloped: boolean,
  headers: Record<string, string | number>,
): Page | Page['data'] {
  const { nextCursor } = page.pageInfo
  if (isEnveloped) return page
  if (nextCursor !== null) headers['x-next-cursor'] = nextCursor
  return page.data
}

/** Runs of the autopilot and the journal of its trades. */
export const ticksRoutes = (service: TicksService, repeats: RepeatedWrites) =>
  new Elysia({ prefix: '/api/portfolio', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .get(
      '/ticks',
      async ({ request, set, query: { limit, cursor, envelope, ...filter } }) => {
        const { userId } = knownCaller(request)
        const page = await service.ticks(userId, filter, { limit, cursor })
        return listResponse(page, envelope, set.headers as Record<string, string | number>)
      },
      {
        ...USER_POLICY,
        query: query({
          ...paging,
          since: param.instant('ticks from this instant on'),
          until: param.instant('ticks before this instant'),
          status: param.oneOf(TICK_STATUSES, null, { description: 'state of the tick' }),
          trigger: param.oneOf(TICK_TRIGGERS, null, {
            description: 'what started it; all but reconcile when absent',
          }),
        }),
        response: answers(TickList, 400, 401, 429),
        detail: { operationId: 'portfolio.ticks', summary: 'Runs of the autopilot, newest first' },
      },
    )
    .post(
      '/ticks',
      async ({ request, body }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return repeats.run(write, () => service.addTick(userId, body))
      },
      {
        ...USER_POLICY,
        body: jsonBody(NewTick),
        response: answers(RowStored, 400, 401, 409, 429),
        detail: { operationId: 'portfolio.addTick', summary: 'Stores a tick that ran elsewhere' },
      },
    )
    .get(
      '/ticks/:id',
      async ({ request, params }) => await service.tick(knownCaller(request).userId, params.id),
      {
        ...USER_POLICY,
        params: TickId,
        response: answers(TickSchema, 401, 404, 429),
        detail: { operationId: 'portfolio.tick', summary: 'One run: each decision and its gates' },
      },
    )
    .get(
      '/trades',
      async ({ request, set, query: { limit, cursor, envelope, marketId, ...filter } }) => {
        const { userId } = knownCaller(request)
        const page = await service.trades(
          userId,
          { ...filter, ticker: marketId },
          { limit, cursor },
        )
        return listResponse(page, envelope, set.headers as Record<string, string | number>)
      },
      {
        ...USER_POLICY,
        query: query({
          ...paging,
          since: param.instant('trades opened from this instant on'),
          until: param.instant('trades opened before this instant'),
          status: param.oneOf(POSITION_STATUSES, null, { description: 'open or closed' }),
          venue: param.venue(),
          marketId: param.text('of one market'),
          thesisId: param.text('of one thesis'),
          mode: param.oneOf(MODES, null, { description: 'paper or live' }),
        }),
        response: answers(TradeList, 400, 401, 429),
        detail: { operationId: 'portfolio.trades', summary: 'The trade journal, newest first' },
      },
    )
    .post(
      '/trades',
      async ({ request, body }) => {
        const { userId } = knownCaller(request)
        const write = repeatable(request, userId, body)
        return repeats.run(write, () => service.addTrade(userId, body))
      },
      {
        ...USER_POLICY,
        body: objectBody(NewTrade),
        response: answers(RowStored, 400, 401, 409, 429),
        detail: { operationId: 'portfolio.addTrade', summary: 'Adds a row to the trade journal' },
      },
    )
    .get(
      '/trades/:id',
      async ({ request, params }) => await service.trade(knownCaller(request).userId, params.id),
      {
        ...USER_POLICY,
        params: TradeId,
        response: answers(TradeSchema, 401, 404, 429),
        detail: { operationId: 'portfolio.trade', summary: 'One row of the trade journal' },
      },
    )
    .post(
      '/trigger',
      async ({ request, body, query: { sync }, status }) => {
        const answer = await service.trigger(knownCaller(request).userId, body, sync)
        return 'tick' in answer ? status(200, answer) : status(202, answer)
      },
      {
        ...USER_POLICY,
        rate: 'trigger',
        query: query({ sync: param.flag('true: answers when the tick has ended') }),
        body: documentedBody(TickTriggerBody),
        response: responses({
          200: TickFinished,
          202: TickStarted,
          ...failures(400, 401, 403, 429),
          ...Running,
        }),
        detail: {
          operationId: 'portfolio.trigger',
          summary: 'Runs the autopilot now: in live mode at the exchange, else on paper',
        },
      },
    )
