import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { MOST_IMPORTED_ROWS, type LedgerImported } from '../../contract/orders/imports.ts'
import { MARKET_STATUSES, type Venue } from '../../domain/market.ts'
import { VENUE_TABLE } from '../../domain/venue.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { EXIT, misuse, type ExitCode } from '../failure.ts'
import { addressOf, valueIn } from '../route.ts'
import { text } from '../terminal/output.ts'
import { venueIn } from '../venue-flag.ts'
import { csvRecords } from './csv.ts'
import {
  statementIn,
  type Statement,
  type StatementKind,
  type StatementRow,
} from './statement-formats.ts'
import { jsonStatement } from './statement-json.ts'

/** Refused lines that are printed for people. */
const MOST_SHOWN = 20
const ROUTES = {
  venue_a: '/api/portfolio/ledger/import/venue_a',
  venue_b: '/api/portfolio/ledger/import/venue_b',
} as const

interface Refused {
  readonly line: number
  readonly reason: string
}

/** `augury portfolio import FILE`: books the trades of an exchange's export. */
export async function importStatement(client: Client, call: Call): Promise<ExitCode> {
  const { flags, around, words } = call
  const [, path] = words
  if (path === undefined)
    throw misuse('usage: augury portfolio import FILE [--venue V] [--dry-run]')
  const content = await readFile(resolve(around.cwd, path), 'utf8').catch((cause: unknown) => {
    throw misuse(`${path} cannot be read: ${String(cause)}`)
  })
  const venue = venueIn(flags, 'venue')
  const statement = /^\s*[[{]/.test(content.replace(/^\uFEFF/, ''))
    ? jsonStatement(content, venue)
    : statementIn(recordsIn(content), venue)
  const { rows, refused } = await withMarkets(call.client, statement)
  const dryRun = flags.on('dry-run')
  const found: Refused[] = [...statement.skipped, ...refused]
  const totals = { received: none(), inserted: none(), duplicates: none() }
  const send = async (kind: StatementKind, part: readonly StatementRow[]): Promise<void> => {
    const field = kind === 'fill' ? 'fills' : 'settlements'
    const sent = { [field]: part.map(({ row }) => row), dryRun }
    const answer = valueIn(await client.send('POST', routeOf(statement.venue), sent))
    for (const name of ['received', 'inserted', 'duplicates'] as const) {
      totals[name].fills += answer[name].fills
      totals[name].settlements += answer[name].settlements
    }
    for (const { index, reason } of answer.errors) {
      found.push({ line: part[index]?.line ?? 0, reason })
    }
  }
  for (const kind of ['fill', 'settlement'] as const) {
    const ofKind = rows.filter((row) => row.kind === kind)
    for (let from = 0; from < ofKind.length; from += MOST_IMPORTED_ROWS) {
      await send(kind, ofKind.slice(from, from + MOST_IMPORTED_ROWS))
    }
  }
  found.sort((a, b) => a.line - b.line)
  const summary = { venue: statement.venue, dryRun, ...totals, refused: found }
  around.print(flags.on('json') ? `${JSON.stringify(summary)}\n` : summaryText(summary))
  return found.length > 0 && totals.received.fills + totals.received.settlements === 0
    ? EXIT.refused
    : EXIT.done
}

type Totals = Record<'received' | 'inserted' | 'duplicates', LedgerImported['inserted']>
const none = (): LedgerImported['inserted'] => ({ fills: 0, settlements: 0 })

function routeOf(venue: Venue): (typeof ROUTES)[keyof typeof ROUTES] {
  const route = Object.entries(ROUTES).find(([id]) => id === venue)?.[1]
  if (route === undefined) throw misuse(`trades of ${venue} cannot be imported`)
  return route
}

function recordsIn(content: string): ReturnType<typeof csvRecords> {
  try {
    return csvRecords(content)
  } catch (error) {
    throw misuse(`the file is not CSV: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function summaryText({
  venue,
  dryRun,
  inserted,
  duplicates,
  refused,
}: Totals & { venue: Venue; dryRun: boolean; refused: readonly Refused[] }): string {
  const name = VENUE_TABLE.find(({ id }) => id === venue)?.name ?? venue
  const count = ({ fills, settlements }: LedgerImported['inserted']): string =>
    `${fills} fills, ${settlements} settlements`
  const lines = [
    `${dryRun ? 'Would be booked' : 'Booked'} from ${name}: ${count(inserted)}`,
    `Already booked: ${count(duplicates)}`,
    ...refused.slice(0, MOST_SHOWN).map(({ line, reason }) => `Line ${line}: ${text(reason)}`),
  ]
  const more = refused.length - MOST_SHOWN
  if (more > 0) lines.push(`${more} more lines were refused; --json lists them`)
  return `${lines.join('\n')}\n`
}

/** Completes rows that name their market by its title. */
async function withMarkets(
  client: Client,
  { venue, rows }: Statement,
): Promise<{ rows: StatementRow[]; refused: Refused[] }> {
  const markets = new Map<string, Promise<NamedMarket | string>>()
  const complete: StatementRow[] = []
  const refused: Refused[] = []
  for (const each of rows) {
    const { title, line, row, kind } = each
    if (title === undefined) {
      complete.push(each)
      continue
    }
    const lookup = markets.get(title) ?? marketCalled(client, venue, title)
    markets.set(title, lookup)
    const market = await lookup
    if (typeof market === 'string') {
      refused.push({ line, reason: market })
      continue
    }
    const outcome = kind === 'settlement' && row['outcomeIndex'] === undefined
    const outcomeIndex = outcome ? redeemedIndex(market, Number(row['payoutUsd'])) : undefined
    if (outcomeIndex === null) {
      refused.push({ line, reason: `the result of "${title}" is not known yet` })
      continue
    }
    complete.push({
      ...each,
      row: {
        ...row,
        conditionId: market.ticker,
        ...(outcomeIndex !== undefined && { outcomeIndex }),
      },
    })
  }
  return { rows: complete, refused }
}

interface NamedMarket {
  readonly ticker: string
  readonly result: string | null
}

/** The only market of a venue with this title; the reason when there is none or several. */
async function marketCalled(
  client: Client,
  venue: Venue,
  title: string,
): Promise<NamedMarket | string> {
  const wanted = title.trim().toLowerCase()
  const found = new Set<string>()
  for (const status of MARKET_STATUSES) {
    const page = await client.get('/api/public/markets', { venue, q: title, status, limit: '500' })
    for (const market of valueIn(page).markets) {
      if (market.title.trim().toLowerCase() === wanted) found.add(market.ticker)
    }
  }
  const [ticker] = found
  if (ticker === undefined) return `no stored market is called "${title}"`
  if (found.size > 1) return `${found.size} markets are called "${title}"`
  const { result } = valueIn(await client.get(addressOf('/api/public/market/:ticker', { ticker })))
  return { ticker, result }
}

/** The outcome that a redemption concerns: the winning one if it paid, else the other one. */
function redeemedIndex({ result }: NamedMarket, payoutUsd: number): 0 | 1 | null {
  if (result !== 'yes' && result !== 'no') return null
  return (result === 'yes') === payoutUsd > 0 ? 0 : 1
}
