import type { Usage } from '../../contract/accounts.ts'
import { amount, dollars, lines, minute, table, text, type Column } from '../terminal/output.ts'
import { sparkline } from '../terminal/sparkline.ts'
import { single, type View } from './answer.ts'
import { leftAlignedColumn, right } from './market-columns.ts'
import { textFlag } from './read-flags.ts'
import { request, type Read } from './read.ts'

const requests = right('Requests', (row: { readonly requests: number }) => amount(row.requests))
const DAY_COLUMNS: readonly Column<Usage['byDay'][number]>[] = [
  leftAlignedColumn('Day', (row) => text(row.date)),
  requests,
  right('Errors', (row) => amount(row.errors)),
  right('Cost', (row) => dollars(row.costUsd)),
]
const ROUTE_COLUMNS: readonly Column<Usage['byRoute'][number]>[] = [
  leftAlignedColumn('Route', (row) => text(row.route)),
  requests,
  right('Median ms', (row) => amount(row.p50Ms)),
  right('95 % ms', (row) => amount(row.p95Ms)),
]
const KEY_COLUMNS: readonly Column<Usage['byKey'][number]>[] = [
  leftAlignedColumn('Key', (row) => text(row.name), 40),
  requests,
  leftAlignedColumn('Id', (row) => text(row.keyId)),
]
const LIMIT_COLUMNS: readonly Column<Usage['limits'][number]>[] = [
  leftAlignedColumn('Limit', (row) => text(row.class)),
  right('Used', (row) => amount(row.used)),
  right('Of', (row) => amount(row.limit)),
  leftAlignedColumn('Until (UTC)', (row) => minute(row.resetAt)),
]

/** `augury usage`: requests of this user to the service. */
export const USAGE: Read = {
  name: 'usage',
  summary: 'your requests to the service, and the remaining limits',
  flags: { period: textFlag('period', 'Nd', 'number of days; default 30d') },
  routeOf: () => request('/api/dashboard/usage', single(show)),
}

function show(usage: Usage, { screen }: View): string {
  const { totals, byDay } = usage
  const requestsByDay = sparkline(byDay.map((day) => day.requests))
  return [
    lines([
      ['from', minute(usage.from)],
      ['to', minute(usage.to)],
      ['requests', amount(totals.requests)],
      ['errors', amount(totals.errors)],
      ['rate limited', amount(totals.rateLimited)],
      ['model calls', amount(totals.llmCalls)],
      ['tokens in', amount(totals.inputTokens)],
      ['tokens out', amount(totals.outputTokens)],
      ['cost', dollars(totals.costUsd)],
    ]),
    screen.columns === null || byDay.length < 2 ? '' : `requests by day  ${requestsByDay}`,
    byDay.length === 0 ? '' : table(byDay, DAY_COLUMNS, screen),
    usage.byRoute.length === 0 ? '' : table(usage.byRoute, ROUTE_COLUMNS, screen),
    usage.byKey.length === 0 ? '' : table(usage.byKey, KEY_COLUMNS, screen),
    usage.limits.length === 0 ? '' : table(usage.limits, LIMIT_COLUMNS, screen),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}
