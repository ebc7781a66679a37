import type { Venue } from '../../market.ts'

export type StatementKind = 'fill' | 'settlement'

/** A row for the import route, with the line of the file that it comes from. */
export interface StatementRow {
  readonly line: number
  readonly kind: StatementKind
  readonly row: Readonly<Record<string, unknown>>
  /** Title of the market when the file has no id of it. */
  readonly title?: string
}

/** Parsed content of an exchange's file. */
export interface Statement {
  readonly venue: Venue
  readonly rows: readonly StatementRow[]
  /** Lines that are no trades, or cannot be read, with the reason. */
  readonly skipped: readonly { readonly line: number; readonly reason: string }[]
}

/** A file that cannot be imported, with the reason; the advice has more about the file. */
export class StatementProblem extends Error {
  readonly advice: string | null

  constructor(message: string, advice: string | null = null) {
    super(message)
    this.name = 'StatementProblem'
    this.advice = advice
  }
}

/** SHA-256 of a text as hex digits. */
export type Digest = (text: string) => Promise<string>

/** A record of a CSV file by the plain name of its column: lower case, letters and digits only. */
export interface CsvRow {
  readonly line: number
  readonly value: (...names: readonly string[]) => string
  readonly fields: Readonly<Record<string, string>>
}

type ReadRows = Pick<Statement, 'rows' | 'skipped'>

/** A file that an exchange offers for download. */
export interface StatementFormat {
  readonly name: string
  readonly venue: Venue
  /** Columns that it must have, each with the names it may have. */
  readonly needs: readonly (readonly [string, ...string[]])[]
  /** Why the file cannot be imported although it is known. */
  readonly refusal?: string
  readonly read: (rows: readonly CsvRow[], digest: Digest) => ReadRows | Promise<ReadRows>
}

export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** Cents of a column in cents, or of one in dollars; NaN when it is empty or no number. */
function centsIn({ value }: CsvRow, name: string): number {
  const [cents, dollars] = [value(`${name}cents`), value(`${name}dollars`)]
  if (cents !== '') return Number(cents)
  return dollars === '' ? Number.NaN : Number(dollars) * 100
}

const roundCents = (cents: number): number => Math.round(cents * 1e6) / 1e6

/**
 * Kalshi's yearly transactions: a row for each closed lot, with its opening and its closing. The
 * prices of NO rows are of YES or of NO; the stated profit shows which.
 */
const KALSHI_TRANSACTIONS: StatementFormat = {
  name: 'transactions of Kalshi',
  venue: 'venue_a',
  needs: [
    ['market_ticker'],
    ['side'],
    ['quantity', 'quantity_fp'],
    ['entry_price_cents', 'entry_price_dollars'],
    ['exit_price_cents', 'exit_price_dollars'],
    ['open_timestamp'],
    ['close_timestamp'],
  ],
  async read(rows, digest) {
    const statementRows: StatementRow[] = []
    const skippedLines: { line: number; reason: string }[] = []
    const paidRows = new Map<string, StatementRow & { row: Record<string, unknown> }>()
    const ordinals = new Map<string, number>()
    for (const row of rows) {
      const { value, line } = row
      const type = value('type').toLowerCase()
      if (type !== '' && type !== 'trade') {
        skippedLines.push({ line, reason: `${value('type')} is no trade` })
        continue
      }
      const [ticker, side] = [value('marketticker'), value('side').toLowerCase()]
      const quantity = Number(value('quantity', 'quantityfp'))
      const [entry, exit] = [centsIn(row, 'entryprice'), centsIn(row, 'exitprice')]
      if (ticker === '' || (side !== 'yes' && side !== 'no') || !(quantity > 0)) {
        skippedLines.push({ line, reason: 'market_ticker, side or quantity is missing' })
        continue
      }
      if (![entry, exit].every((cents) => cents >= 0 && cents <= 100)) {
        const reason = 'the entry or exit price is not a number from 0 to 100 cents'
        skippedLines.push({ line, reason })
        continue
      }
      const profit = centsIn(row, 'realizedpnlwithoutfees')
      if (side === 'no' && Number.isNaN(profit)) {
        const reason =
          'realized_pnl_without_fees is missing: without it the prices may be of YES or of NO'
        skippedLines.push({ line, reason })
        continue
      }
      const isOfYes =
        side === 'no' &&
        Math.abs(profit - quantity * (entry - exit)) <= Math.abs(profit - quantity * (exit - entry))
      const sidePrice = (cents: number): number => roundCents(isOfYes ? 100 - cents : cents)
      const name = Object.values(row.fields).join('|')
      const ordinal = ordinals.get(name) ?? 0
      ordinals.set(name, ordinal + 1)
      const hash = (await digest(`${name}|${ordinal}`)).slice(0, 24)
      const openFee = roundCents(centsIn(row, 'openfees') || 0)
      const closeFee = roundCents(centsIn(row, 'closefees') || 0)
      statementRows.push({
        line,
        kind: 'fill',
        row: {
          fillId: `statement-${hash}-open`,
          ticker,
          action: 'buy',
          side,
          quantity,
          priceCents: sidePrice(entry),
          feeCents: openFee,
          createdAt: value('opentimestamp'),
        },
      })
      const closing = sidePrice(exit)
      const closedAt = value('closetimestamp')
      if (closing > 0 && closing < 100) {
        statementRows.push({
          line,
          kind: 'fill',
          row: {
            fillId: `statement-${hash}-close`,
            ticker,
            action: 'sell',
            side,
            quantity,
            priceCents: closing,
            feeCents: closeFee,
            createdAt: closedAt,
          },
        })
        continue
      }
      // The venue pays a result once: the lots of a market are one settlement, also seconds apart.
      const result = (closing === 100) === (side === 'yes') ? 'yes' : 'no'
      const key = `${ticker} ${result}`
      const previous = paidRows.get(key)?.row ?? {}
      const previousSettledAt = previous['settledAt']
      const isLast =
        typeof previousSettledAt !== 'string' ||
        !(Date.parse(previousSettledAt) > Date.parse(closedAt))
      const sum = (field: string, addend: number): number =>
        roundCents(Number(previous[field] ?? 0) + addend)
      paidRows.set(key, {
        line: paidRows.get(key)?.line ?? line,
        kind: 'settlement',
        row: {
          ticker,
          result,
          settledAt: isLast ? closedAt : previousSettledAt,
          yesQuantity: sum('yesQuantity', side === 'yes' ? quantity : 0),
          noQuantity: sum('noQuantity', side === 'no' ? quantity : 0),
          revenueCents: sum('revenueCents', closing * quantity),
          feeCents: sum('feeCents', closeFee),
        },
      })
    }
    return { rows: [...statementRows, ...paidRows.values()], skipped: skippedLines }
  },
}

const KALSHI_ACTIVITY: StatementFormat = {
  name: 'recent activity of Kalshi',
  venue: 'venue_a',
  needs: [['Market_Ticker'], ['Direction'], ['Price_In_Cents'], ['Original_Date']],
  refusal:
    'it does not say which trades were sales. Download the transactions of the year instead (Account, Documents)',
  read: () => ({ rows: [], skipped: [] }),
}

/** Outcome names of two-sided markets, by the index of the outcome. */
const OUTCOMES: readonly (readonly string[])[] = [
  ['yes', 'up', 'over'],
  ['no', 'down', 'under'],
]
const outcomeOf = (name: string): number =>
  OUTCOMES.findIndex((names) => names.includes(name.toLowerCase()))

/** Polymarket's history. It names markets by their titles. */
const POLYMARKET_HISTORY: StatementFormat = {
  name: 'history of Polymarket',
  venue: 'venue_b',
  needs: [
    ['marketName'],
    ['action'],
    ['usdcAmount'],
    ['tokenAmount'],
    ['tokenName'],
    ['timestamp'],
    ['hash', 'transactionHash'],
  ],
  read(rows) {
    const statementRows: StatementRow[] = []
    const skippedLines: { line: number; reason: string }[] = []
    for (const { value, line } of rows) {
      const action = value('action').toLowerCase()
      const [usd, size] = [Number(value('usdcamount')), Number(value('tokenamount'))]
      const base = {
        size,
        timestamp: value('timestamp'),
        transactionHash: value('hash', 'transactionhash'),
      }
      const outcomeIndex = outcomeOf(value('tokenname'))
      const at = { line, title: value('marketname') }
      if (action === 'redeem') {
        // A redemption names no outcome: what paid nothing was lost with any, what paid was won.
        const outcome = outcomeIndex < 0 ? {} : { outcomeIndex }
        statementRows.push({
          ...at,
          kind: 'settlement',
          row: { ...base, ...outcome, payoutUsd: usd },
        })
      } else if (action !== 'buy' && action !== 'sell') {
        skippedLines.push({ line, reason: `${value('action')} is no trade` })
      } else if (outcomeIndex < 0) {
        skippedLines.push({
          line,
          reason: `outcome "${value('tokenname')}" is not one of yes and no`,
        })
      } else {
        const price = Math.round((usd / size) * 1e4) / 1e4
        const side = action.toUpperCase()
        statementRows.push({ ...at, kind: 'fill', row: { ...base, outcomeIndex, side, price } })
      }
    }
    return { rows: statementRows, skipped: skippedLines }
  },
}

/** Rows of an exchange's API that were saved as CSV: columns are the fields. */
const apiRows = (
  name: string,
  venue: Venue,
  kind: StatementKind,
  requiredColumns: StatementFormat['needs'],
): StatementFormat => ({
  name,
  venue,
  needs: requiredColumns,
  read: (rows) => ({
    rows: rows.map(({ line, fields, value }) => {
      const columnNames = requiredColumns.map((names): [string, string] => [
        names[0],
        value(...names.map(plainName)),
      ])
      const row: Record<string, string> = { ...fields, ...Object.fromEntries(columnNames) }
      return { line, kind, row }
    }),
    skipped: [],
  }),
})

export const STATEMENT_FORMATS: readonly StatementFormat[] = [
  KALSHI_TRANSACTIONS,
  KALSHI_ACTIVITY,
  POLYMARKET_HISTORY,
  apiRows('fills of the Kalshi API', 'venue_a', 'fill', [
    ['fill_id', 'fillId', 'trade_id'],
    ['ticker', 'market_ticker'],
    ['action'],
    ['side', 'outcome_side'],
    ['count_fp', 'count', 'quantity'],
  ]),
  apiRows('settlements of the Kalshi API', 'venue_a', 'settlement', [
    ['ticker', 'market_ticker'],
    ['market_result', 'result'],
    ['settled_time', 'settledAt'],
    ['revenue', 'revenueCents'],
  ]),
  apiRows('trades of the Polymarket API', 'venue_b', 'fill', [
    ['conditionId', 'condition_id', 'market'],
    ['side'],
    ['size'],
    ['price'],
    ['transactionHash', 'transaction_hash'],
  ]),
]

/**
 * Reads the records of a CSV file by the format that its columns fit.
 * @throws StatementProblem when they fit none: it names the columns that the nearest one misses
 */
export async function statementIn(
  records: readonly { readonly line: number; readonly fields: readonly string[] }[],
  venue: Venue | null,
  digest: Digest,
): Promise<Statement> {
  const [header, ...body] = records
  if (header === undefined) throw new StatementProblem('the file is empty')
  const columns = new Set(header.fields.map(plainName))
  const missing = (format: StatementFormat): string[] =>
    format.needs
      .filter((names) => !names.some((name) => columns.has(plainName(name))))
      .map((names) => names.join(' or '))
  const formats = STATEMENT_FORMATS.filter((format) => venue === null || format.venue === venue)
  const shareOf = (format: StatementFormat): number => missing(format).length / format.needs.length
  const [nearest] = formats.toSorted((a, b) => shareOf(a) - shareOf(b))
  if (nearest === undefined) throw new StatementProblem('no exports of this venue can be imported')
  const lacks = missing(nearest)
  if (lacks.length > 0) {
    throw new StatementProblem(
      `the columns fit no known export; ${nearest.name} needs also: ${lacks.join(', ')}`,
      `The file has: ${header.fields.join(', ')}`,
    )
  }
  if (nearest.refusal !== undefined) {
    throw new StatementProblem(`${nearest.name} cannot be imported: ${nearest.refusal}`)
  }
  const rows = body.map(({ line, fields }): CsvRow => {
    const valueByName = new Map(header.fields.map((name, n) => [plainName(name), fields[n] ?? '']))
    const valueByHeader = Object.fromEntries(
      header.fields.map((name, n) => [name, fields[n] ?? '']),
    )
    const value = (...names: readonly string[]): string =>
      names.map((name) => valueByName.get(name)?.trim() ?? '').find((text) => text !== '') ?? ''
    return { line, value, fields: valueByHeader }
  })
  return { venue: nearest.venue, ...(await nearest.read(rows, digest)) }
}
