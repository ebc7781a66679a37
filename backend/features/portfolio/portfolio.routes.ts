import { Elysia } from 'elysia'
import { CONFIDENCES, LEDGER_EVENTS, LEDGER_SOURCES, MODES } from '../../domain/portfolio/ledger.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth/auth.ts'
import { jsonBody, objectBody } from '../../http/request/body.ts'
import * as param from '../../contract/params.ts'
import { query } from '../../contract/query-schema.ts'
import { answers, failures, nullable, responses } from '../../contract/schemas.ts'
import { routePolicies } from '../../http/routes/route-policies.ts'
import type { AccountService } from './account.service.ts'
import type { LedgerService } from './ledger.service.ts'
import {
  LedgerPage,
  PaperReset,
  PaperResetBody,
  PositionPage,
  RiskSchema,
  StateChange,
  StateSchema,
} from '../../contract/portfolio.ts'

const USER_POLICY = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const

const filters = {
  limit: param.limit(50, 500),
  cursor: param.text('cursor of the next page, from `nextCursor`'),
  since: optionalSince(),
  until: param.instant('entries before this instant'),
  eventType: param.listOf(LEDGER_EVENTS, 'Kinds of entries.'),
  venue: param.venue(),
  marketId: param.text('of one market'),
  source: param.oneOf(LEDGER_SOURCES, null, { description: 'where the entry comes from' }),
  thesisId: param.text('of one thesis, or "none"'),
  confidence: param.oneOf(CONFIDENCES, null, { description: 'how certain the entry is' }),
  mode: param.oneOf(MODES, null, { description: 'paper or live; both when absent' }),
  order: param.order(),
}

/** A user's portfolio: report, positions, and ledger. */
export function portfolioRoutes(deps: {
  readonly account: AccountService
  readonly ledger: LedgerService
}) {
  const { account, ledger } = deps
  return new Elysia({ prefix: '/api/portfolio', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .get(
      '/state',
      async ({ request }) =>
        // A bare null would be sent as an empty body.
        Response.json(await account.state(knownCaller(request).userId)),
      {
        ...USER_POLICY,
        response: answers(nullable(StateSchema), 401, 429),
        detail: {
          operationId: 'portfolio.state',
          summary: 'The last report; null before the first',
        },
      },
    )
    .put(
      '/state',
      async ({ request, body }) => await account.putState(knownCaller(request).userId, body),
      {
        ...USER_POLICY,
        body: jsonBody(StateChange),
        response: answers(StateSchema, 400, 401, 429),
        detail: {
          operationId: 'portfolio.report',
          summary: 'Updates fields of the report, which the next tick replaces',
        },
      },
    )
    .get('/risk', async ({ request }) => await account.risk(knownCaller(request).userId), {
      ...USER_POLICY,
      response: answers(RiskSchema, 401, 429),
      detail: { operationId: 'portfolio.risk', summary: 'Balance, exposure and limits now' },
    })
    .post(
      '/paper/reset',
      async ({ request, body }) => await account.resetPaper(knownCaller(request).userId, body),
      {
        ...USER_POLICY,
        body: objectBody(PaperResetBody),
        response: responses({ 200: PaperReset, ...failures(400, 401, 429) }),
        detail: {
          operationId: 'portfolio.resetPaper',
          summary: 'Resets the paper account; entries stay, positions and balance start over',
        },
      },
    )
    .get(
      '/ledger',
      async ({ request, query: paging }) =>
        await ledger.page(knownCaller(request).userId, null, paging),
      {
        ...USER_POLICY,
        query: query(filters),
        response: answers(LedgerPage, 400, 401, 429),
        detail: { operationId: 'portfolio.ledger', summary: 'Every entry of your ledger' },
      },
    )
    .get(
      '/fills',
      async ({ request, query: paging }) =>
        await ledger.page(knownCaller(request).userId, ['fill'], paging),
      {
        ...USER_POLICY,
        query: query(filters),
        response: answers(LedgerPage, 400, 401, 429),
        detail: { operationId: 'portfolio.fills', summary: 'Executed trades' },
      },
    )
    .get(
      '/activity',
      async ({ request, query: paging }) =>
        await ledger.page(knownCaller(request).userId, null, paging),
      {
        ...USER_POLICY,
        query: query(filters),
        response: answers(LedgerPage, 400, 401, 429),
        detail: { operationId: 'portfolio.activity', summary: 'The ledger without idle decisions' },
      },
    )
    .get(
      '/positions',
      async ({ request, query: riskQuery }) =>
        await ledger.positions(knownCaller(request).userId, riskQuery),
      {
        ...USER_POLICY,
        query: query({
          ...filters,
          asOf: param.asOf(),
          status: param.oneOf(['open', 'closed', 'settled', 'all'] as const, 'open', {
            description: 'state of the position',
          }),
        }),
        response: answers(PositionPage, 400, 401, 429),
        detail: {
          operationId: 'portfolio.positions',
          summary: 'Positions derived from the ledger',
        },
      },
    )
}

/** A duration back from now or an instant; null if not sent. */
function optionalSince() {
  const since = param.since('30d')
  return {
    schema: {
      type: 'string' as const,
      description: 'entries from this instant: a duration back from now, or ISO 8601',
    },
    read: (text: string | undefined, name: string) =>
      text === undefined ? null : since.read(text, name),
  }
}
