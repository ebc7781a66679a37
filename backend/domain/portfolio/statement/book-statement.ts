import { MARKET_STATUSES, type Venue } from '../../market.ts'
import { csvRecords } from './csv.ts'
import {
  StatementProblem,
  statementIn,
  type Digest,
  type Statement,
  type StatementKind,
  type StatementRow,
} from './statement-formats.ts'
import { jsonStatement } from './statement-json.ts'

/** Largest number of rows of a kind in one request of an import. */
export const MAX_IMPORTED_ROWS = 2_000

/** Number of rows by kind. */
export interface RowCounts {
  readonly fills: number
  readonly settlements: number
}

/** Result of one import request, or of its dry run. */
export interface BookedRows {
  readonly received: RowCounts
  readonly inserted: RowCounts
  readonly duplicates: RowCounts
  /** Refused rows by their place in the request. */
  readonly errors: readonly { readonly index: number; readonly reason: string }[]
}

/** The service as an import uses it; its methods throw when it does not answer. */
export interface StatementClient {
  book(
    venue: Venue,
    rows: {
      readonly fills?: readonly StatementRow['row'][]
      readonly settlements?: readonly StatementRow['row'][]
      readonly dryRun: boolean
    },
  ): Promise<BookedRows>
  /** Markets of a venue and status that a text finds. */
  marketsFor(
    venue: Venue,
    status: string,
    text: string,
  ): Promise<readonly { readonly ticker: string; readonly title: string }[]>
  /** The result of a market; null while it has none. */
  resultOf(ticker: string): Promise<string | null>
}

export interface RefusedLine {
  readonly line: number
  readonly reason: string
}

/** Result of importing a whole file, or of its dry run. */
export interface BookedStatement extends Pick<BookedRows, 'received' | 'inserted' | 'duplicates'> {
  readonly venue: Venue
  readonly dryRun: boolean
  /** Lines that are not booked, by line. */
  readonly refused: readonly RefusedLine[]
}

/**
 * Reads a file: the CSV that an exchange offers for download, or rows of its API as CSV or JSON.
 * @param venue null to infer it from the content
 * @throws StatementProblem
 */
export async function readStatement(
  content: string,
  venue: Venue | null,
  digest: Digest,
): Promise<Statement> {
  if (/^\s*[[{]/.test(content.replace(/^\uFEFF/, ''))) return jsonStatement(content, venue)
  return statementIn(recordsIn(content), venue, digest)
}

function recordsIn(content: string): ReturnType<typeof csvRecords> {
  try {
    return csvRecords(content)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StatementProblem(`the file is not CSV: ${reason}`)
  }
}

const add = (a: RowCounts, b: RowCounts): RowCounts => ({
  fills: a.fills + b.fills,
  settlements: a.settlements + b.settlements,
})
const NO_ROWS: RowCounts = { fills: 0, settlements: 0 }

/** Books the rows of a statement, each once however often it is imported. */
export async function bookStatement(
  client: StatementClient,
  statement: Statement,
  dryRun: boolean,
): Promise<BookedStatement> {
  const { venue } = statement
  const { rows, refused } = await withMarkets(client, statement)
  const refusedLines: RefusedLine[] = [...statement.skipped, ...refused]
  const totals = { received: NO_ROWS, inserted: NO_ROWS, duplicates: NO_ROWS }
  const send = async (kind: StatementKind, part: readonly StatementRow[]): Promise<void> => {
    const field = kind === 'fill' ? 'fills' : 'settlements'
    const answer = await client.book(venue, { [field]: part.map(({ row }) => row), dryRun })
    for (const name of ['received', 'inserted', 'duplicates'] as const) {
      totals[name] = add(totals[name], answer[name])
    }
    for (const { index, reason } of answer.errors) {
      refusedLines.push({ line: part[index]?.line ?? 0, reason })
    }
  }
  for (const kind of ['fill', 'settlement'] as const) {
    const rowsOfKind = rows.filter((row) => row.kind === kind)
    for (let from = 0; from < rowsOfKind.length; from += MAX_IMPORTED_ROWS) {
      await send(kind, rowsOfKind.slice(from, from + MAX_IMPORTED_ROWS))
    }
  }
  refusedLines.sort((a, b) => a.line - b.line)
  return { venue, dryRun, ...totals, refused: refusedLines }
}

/** Completes rows that name their market by its title. */
async function withMarkets(
  client: StatementClient,
  { venue, rows }: Statement,
): Promise<{ rows: StatementRow[]; refused: RefusedLine[] }> {
  const markets = new Map<string, Promise<NamedMarket | string>>()
  const complete: StatementRow[] = []
  const refusedLines: RefusedLine[] = []
  for (const statementRow of rows) {
    const { title, line, row, kind } = statementRow
    if (title === undefined) {
      complete.push(statementRow)
      continue
    }
    const lookup = markets.get(title) ?? marketByTitle(client, venue, title)
    markets.set(title, lookup)
    const market = await lookup
    if (typeof market === 'string') {
      refusedLines.push({ line, reason: market })
      continue
    }
    const outcome = kind === 'settlement' && row['outcomeIndex'] === undefined
    const outcomeIndex = outcome ? redeemedIndex(market, Number(row['payoutUsd'])) : undefined
    if (outcomeIndex === null) {
      const reason =
        market.result === null
          ? `the result of "${title}" is not known yet`
          : `"${title}" paid neither side in full, and the line names none: import it from rows of the API`
      refusedLines.push({ line, reason })
      continue
    }
    complete.push({
      ...statementRow,
      row: {
        ...row,
        conditionId: market.ticker,
        ...(outcomeIndex !== undefined && { outcomeIndex }),
      },
    })
  }
  return { rows: complete, refused: refusedLines }
}

interface NamedMarket {
  readonly ticker: string
  readonly result: string | null
}

/** The only market of a venue with this title; the reason when there is none or several. */
async function marketByTitle(
  client: StatementClient,
  venue: Venue,
  title: string,
): Promise<NamedMarket | string> {
  const normalizedTitle = title.trim().toLowerCase()
  const seenIds = new Set<string>()
  for (const status of MARKET_STATUSES) {
    for (const market of await client.marketsFor(venue, status, title)) {
      if (market.title.trim().toLowerCase() === normalizedTitle) seenIds.add(market.ticker)
    }
  }
  const [ticker] = seenIds
  if (ticker === undefined) return `no stored market is called "${title}"`
  if (seenIds.size > 1) return `${seenIds.size} markets are called "${title}"`
  return { ticker, result: await client.resultOf(ticker) }
}

/** The outcome that a redemption concerns: the winning one if it paid, else the other one. */
function redeemedIndex({ result }: NamedMarket, payoutUsd: number): 0 | 1 | null {
  if (result !== 'yes' && result !== 'no') return null
  return (result === 'yes') === payoutUsd > 0 ? 0 : 1
}
