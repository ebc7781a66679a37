import { Elysia, t } from 'elysia'
import { CONFIDENCES, LEDGER_EVENTS, LEDGER_SOURCES, MODES } from '../../domain/portfolio/ledger.ts'
import { VENUES } from '../../domain/market.ts'
import { adapter } from '../../http/adapter.ts'
import { knownCaller } from '../../http/auth.ts'
import { jsonBody } from '../../http/body.ts'
import * as param from '../../http/params.ts'
import { query } from '../../http/query.ts'
import { answers, conflictWith, failures, nullable } from '../../http/schemas.ts'
import { routeWords } from '../../http/words.ts'
import type { AccountService } from './account.service.ts'
import type { ConfigService } from './config.service.ts'
import type { LedgerReads } from './ledger.service.ts'
import {
  ConfigSchema,
  LedgerPage,
  PaperReset,
  PositionPage,
  RiskSchema,
  StateSchema,
} from './portfolio.schema.ts'

const Sent = jsonBody(t.Record(t.String(), t.Unknown()))
const OWN = { auth: 'required', on401: 'unauthorized', cache: 'no-store' } as const

/** What live trading lacks. */
const Lacking = conflictWith({
  failed: t.Optional(t.Array(t.Object({ name: t.String(), message: t.String() }))),
})

const filters = {
  limit: param.clampedInteger({ default: 50, min: 1, max: 500 }),
  cursor: param.text('the page after, from `nextCursor`'),
  since: optionalSince(),
  until: param.instant('exclusive'),
  eventType: param.listOf(LEDGER_EVENTS, 'Kinds of entries.'),
  venue: param.oneOf(VENUES, null),
  marketId: param.text('of one market'),
  source: param.oneOf(LEDGER_SOURCES, null),
  thesisId: param.text('of one thesis, or none'),
  confidence: param.oneOf(CONFIDENCES, null),
  mode: param.oneOf(MODES, null, { description: 'both unless told' }),
  order: param.oneOf(['desc', 'asc'] as const, 'desc'),
}

/** A user's portfolio: what they configure, what they hold, and every line of their ledger. */
export function portfolioRoutes(deps: {
  readonly config: ConfigService
  readonly account: AccountService
  readonly ledger: LedgerReads
}) {
  const { config, account, ledger } = deps
  return new Elysia({ prefix: '/api/portfolio', tags: ['portfolio'], adapter })
    .use(routeWords)
    .get('/config', async ({ request }) => await config.config(knownCaller(request).userId), {
      ...OWN,
      bodies: answers(ConfigSchema, 401, 429),
      detail: { operationId: 'portfolio.config', summary: 'Your limits and switches' },
    })
    .put(
      '/config',
      async ({ request, body }) => await config.put(knownCaller(request).userId, body),
      {
        ...OWN,
        body: Sent,
        bodies: { ...answers(ConfigSchema, 400, 401, 429), ...Lacking },
        detail: {
          operationId: 'portfolio.configure',
          summary: 'Changes the fields that are sent; live trading is refused',
        },
      },
    )
    .get(
      '/state',
      async ({ request }) =>
        // A bare null would be sent as no body at all.
        Response.json(await account.state(knownCaller(request).userId)),
      {
        ...OWN,
        bodies: answers(nullable(StateSchema), 401, 429),
        detail: { operationId: 'portfolio.state', summary: 'What was last reported; null before' },
      },
    )
    .get('/risk', async ({ request }) => await account.risk(knownCaller(request).userId), {
      ...OWN,
      bodies: answers(RiskSchema, 401, 429),
      detail: { operationId: 'portfolio.risk', summary: 'Balance, exposure and limits now' },
    })
    .post(
      '/paper/reset',
      async ({ request, body }) => await account.resetPaper(knownCaller(request).userId, body),
      {
        ...OWN,
        body: Sent,
        bodies: { 200: PaperReset, ...failures(400, 401, 429) },
        detail: {
          operationId: 'portfolio.resetPaper',
          summary: 'Begins paper anew; entries stay, positions and balance start after them',
        },
      },
    )
    .get(
      '/ledger',
      async ({ request, query: asked }) =>
        await ledger.page(knownCaller(request).userId, null, asked),
      {
        ...OWN,
        query: query(filters),
        bodies: answers(LedgerPage, 400, 401, 429),
        detail: { operationId: 'portfolio.ledger', summary: 'Every entry of your ledger' },
      },
    )
    .get(
      '/fills',
      async ({ request, query: asked }) =>
        await ledger.page(knownCaller(request).userId, ['fill'], asked),
      {
        ...OWN,
        query: query(filters),
        bodies: answers(LedgerPage, 400, 401, 429),
        detail: { operationId: 'portfolio.fills', summary: 'What was traded' },
      },
    )
    .get(
      '/activity',
      async ({ request, query: asked }) =>
        await ledger.page(knownCaller(request).userId, null, asked),
      {
        ...OWN,
        query: query(filters),
        bodies: answers(LedgerPage, 400, 401, 429),
        detail: { operationId: 'portfolio.activity', summary: 'The ledger without idle decisions' },
      },
    )
    .get(
      '/positions',
      async ({ request, query: asked }) =>
        await ledger.positions(knownCaller(request).userId, asked),
      {
        ...OWN,
        query: query({
          ...filters,
          status: param.oneOf(['open', 'closed', 'settled', 'all'] as const, 'open'),
        }),
        bodies: answers(PositionPage, 400, 401, 429),
        detail: { operationId: 'portfolio.positions', summary: 'Positions that the ledger makes' },
      },
    )
}

/** A duration back from now or an instant; null when not sent. */
function optionalSince() {
  const since = param.since('30d')
  return {
    schema: { type: 'string' as const, description: 'inclusive: a duration back from now, or ISO' },
    read: (sent: string | undefined, name: string) =>
      sent === undefined ? null : since.read(sent, name),
  }
}
