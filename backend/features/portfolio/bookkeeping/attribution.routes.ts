import { Elysia } from 'elysia'
import { Attribution, GROUPINGS } from '../../../contract/orders/attribution.ts'
import * as param from '../../../contract/params.ts'
import { query } from '../../../contract/query-schema.ts'
import { answers } from '../../../contract/schemas.ts'
import {
  CONFIDENCES,
  LEDGER_EVENTS,
  LEDGER_SOURCES,
  MODES,
} from '../../../domain/portfolio/ledger.ts'
import type { Millis } from '../../../domain/units.ts'
import { adapter } from '../../../http/adapter.ts'
import { knownCaller } from '../../../http/auth/auth.ts'
import { routePolicies } from '../../../http/routes/route-policies.ts'
import { InvalidInput } from '../../../lib/errors.ts'
import type { AttributionService } from './attribution.service.ts'

const MAX_KEYS = 3

const common = {
  from: utcDay('first day, YYYY-MM-DD; 29 days before `to` when absent'),
  to: utcDay('last day, YYYY-MM-DD; today when absent'),
  eventType: param.listOf(
    LEDGER_EVENTS,
    'Kinds of entries; changes of unrealised profit are left out.',
  ),
  venue: param.venue(),
  marketId: param.text('of one market'),
  source: param.oneOf(LEDGER_SOURCES, null, { description: 'where the entry comes from' }),
  thesisId: param.text('of one thesis, or "none"'),
  confidence: param.oneOf(CONFIDENCES, null, { description: 'how certain the attribution is' }),
  mode: param.oneOf(MODES, null, { description: 'paper or live; both when absent' }),
}
const USER_POLICY = {
  auth: 'required',
  on401: 'unauthorized',
  cache: 'no-store',
  response: answers(Attribution, 400, 401, 429),
} as const

/** Routes of the attribution of a user's profit. */
export const attributionRoutes = (attribution: AttributionService) =>
  new Elysia({ prefix: '/api/portfolio/attribution', tags: ['portfolio'], adapter })
    .use(routePolicies)
    .get(
      '/daily',
      async ({ request, query: attributionQuery }) =>
        await attribution.daily(knownCaller(request).userId, attributionQuery),
      {
        ...USER_POLICY,
        query: query({
          ...common,
          groupBy: groupBy(GROUPINGS, 'Keys of the rows of a day, at most 3.'),
        }),
        detail: {
          operationId: 'portfolio.attributionDaily',
          summary: 'Profit, cash, fees and slippage by UTC day',
        },
      },
    )
    .get(
      '/grouped',
      async ({ request, query: attributionQuery }) =>
        await attribution.groupEntries(knownCaller(request).userId, attributionQuery),
      {
        ...USER_POLICY,
        query: query({
          ...common,
          groupBy: groupBy(
            ['day', ...GROUPINGS],
            'Keys of the rows, at most 3; market when absent.',
          ),
        }),
        detail: {
          operationId: 'portfolio.attributionGrouped',
          summary: 'Profit, cash, fees and slippage by market, thesis, venue or other keys',
        },
      },
    )

function groupBy<T extends string>(choices: readonly T[], description: string) {
  const keys = param.listOf(choices, description)
  return {
    schema: keys.schema,
    read(text: string | undefined, name: string): readonly T[] | null {
      const read = keys.read(text, name)
      if (read !== null && read.length > MAX_KEYS) {
        throw new InvalidInput(`${name} must have at most ${MAX_KEYS} keys`)
      }
      return read
    },
  }
}

/** Start of a UTC day; null when not sent. */
function utcDay(description: string): param.Param<Millis | null> {
  return {
    schema: { type: 'string', format: 'date', description },
    read(text, name) {
      if (text === undefined) return null
      const day = /^\d{4}-\d{2}-\d{2}$/.test(text.trim()) ? param.parseInstant(text) : null
      if (day === null) throw new InvalidInput(`${name} must be a date YYYY-MM-DD`)
      return day
    },
  }
}
