import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { LedgerPulled } from '../../contract/orders/imports.ts'
import type { Venue } from '../../domain/market.ts'
import {
  bookStatement,
  readStatement,
  type BookedStatement,
  type RowCounts,
  type StatementClient,
} from '../../domain/portfolio/statement/book-statement.ts'
import { StatementProblem } from '../../domain/portfolio/statement/statement-formats.ts'
import { VENUE_TABLE } from '../../domain/venue.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT, usageError, type ExitCode } from '../failure.ts'
import { printBody } from '../print-body.ts'
import { routePath, parseJson } from '../route.ts'
import { text } from '../terminal/output.ts'
import { venueIn } from '../venue-flag.ts'

/** Refused lines that are printed for people. */
const MAX_SHOWN = 20
const ROUTES = {
  venue_a: '/api/portfolio/ledger/import/venue_a',
  venue_b: '/api/portfolio/ledger/import/venue_b',
} as const

/** `augury portfolio import FILE`: books the trades of an exchange's export. */
export async function importStatement(client: Client, call: Call): Promise<ExitCode> {
  const { flags, system, args: words } = call
  const [, path = ''] = words
  const content = await readFile(resolve(system.cwd, path), 'utf8').catch((cause: unknown) => {
    throw usageError(`${path} cannot be read: ${String(cause)}`)
  })
  const read = readStatement(content, venueIn(flags, 'venue'), sha256)
  const statement = await read.catch((error: unknown) => {
    if (!(error instanceof StatementProblem)) throw error
    throw usageError(error.message, error.advice ?? undefined)
  })
  const result = await bookStatement(
    statementClientOf(client, call),
    statement,
    flags.has('dry-run'),
  )
  system.print(flags.has('json') ? `${JSON.stringify(result)}\n` : summaryText(result))
  const { received, refused } = result
  return refused.length > 0 && received.fills + received.settlements === 0
    ? EXIT.refused
    : EXIT.done
}

/** `augury portfolio pull`: the service reads the account at Kalshi and books what it traded. */
export async function pullAccount(client: Client, call: Call): Promise<ExitCode> {
  const { flags } = call
  const [since, until] = [flags.text('since'), flags.text('until')]
  const sending = client.send('POST', '/api/portfolio/ledger/import/venue_a/pull', {
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    dryRun: flags.has('dry-run'),
  })
  const body = await sending.catch((error: unknown) => {
    if (!(error instanceof CliFailure) || error.message !== 'no secrets found') throw error
    throw new CliFailure(EXIT.refused, error.code, error.message, {
      advice: 'Store them with: augury portfolio secrets put kalshi --key-id ID --private-key FILE',
      cause: error,
    })
  })
  return printBody(call, body, pulledText)
}

function pulledText({
  dryRun,
  inserted,
  duplicates,
  errors,
  fetched,
  truncated,
}: LedgerPulled): string {
  const lines = [
    `Read from Kalshi: ${countText(fetched)}`,
    `${dryRun ? 'Would be booked' : 'Booked'}: ${countText(inserted)}`,
    `Already booked: ${countText(duplicates)}`,
    ...errors.slice(0, MAX_SHOWN).map(({ kind, reason }) => `A ${kind}: ${text(reason)}`),
  ]
  if (truncated) lines.push('There is more: pull again')
  return lines.join('\n')
}

const countText = ({ fills, settlements }: RowCounts): string =>
  `${fills} fills, ${settlements} settlements`

const sha256 = (content: string): Promise<string> =>
  Promise.resolve(createHash('sha256').update(content).digest('hex'))

/** Books as the owner, and finds markets as anyone. */
const statementClientOf = (client: Client, call: Call): StatementClient => ({
  book: async (venue, rows) => parseJson(await client.send('POST', routeOf(venue), rows)),
  async marketsFor(venue, status, q) {
    const page = await call.client.get('/api/public/markets', { venue, q, status, limit: '500' })
    return parseJson(page).markets
  },
  async resultOf(ticker) {
    const address = routePath('/api/public/market/:ticker', { ticker })
    return parseJson(await call.client.get(address)).result
  },
})

function routeOf(venue: Venue): (typeof ROUTES)[keyof typeof ROUTES] {
  const route = Object.entries(ROUTES).find(([id]) => id === venue)?.[1]
  if (route === undefined) throw usageError(`trades of ${venue} cannot be imported`)
  return route
}

function summaryText({ venue, dryRun, inserted, duplicates, refused }: BookedStatement): string {
  const name = VENUE_TABLE.find(({ id }) => id === venue)?.name ?? venue
  const lines = [
    `${dryRun ? 'Would be booked' : 'Booked'} from ${name}: ${countText(inserted)}`,
    `Already booked: ${countText(duplicates)}`,
    ...refused.slice(0, MAX_SHOWN).map(({ line, reason }) => `Line ${line}: ${text(reason)}`),
  ]
  const hiddenCount = refused.length - MAX_SHOWN
  if (hiddenCount > 0) lines.push(`${hiddenCount} more lines were refused; --json lists them`)
  return `${lines.join('\n')}\n`
}
