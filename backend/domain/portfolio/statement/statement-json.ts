import type { Venue } from '../../market.ts'
import {
  StatementProblem,
  type Statement,
  type StatementKind,
  type StatementRow,
} from './statement-formats.ts'

type Row = Readonly<Record<string, unknown>>
const isRow = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const has = (row: Row, ...names: readonly string[]): boolean =>
  names.some((name) => Object.hasOwn(row, name))

const isOfVenueB = (row: Row): boolean =>
  has(row, 'conditionId', 'condition_id', 'transactionHash', 'transaction_hash')

/** A row whose type states that it is neither a trade nor a redemption. */
const isOther = (row: Row): boolean =>
  typeof row['type'] === 'string' && !/^(?:trade|redeem)$/i.test(row['type'])

/** The kind of a row by its fields. */
function kindOf(row: Row): StatementKind {
  if (typeof row['type'] === 'string' && /^redeem$/i.test(row['type'])) return 'settlement'
  return has(row, 'result', 'market_result', 'payoutUsd') ? 'settlement' : 'fill'
}

/**
 * Reads JSON of rows: an array, or an object with `fills` and `settlements` as the import route and
 * the exchanges' APIs have it. The line of a row is its number, from 1.
 * @throws StatementProblem
 */
export function jsonStatement(content: string, venue: Venue | null): Statement {
  let value: unknown
  try {
    value = JSON.parse(content.replace(/^\uFEFF/, ''))
  } catch {
    throw new StatementProblem('the file is not valid JSON')
  }
  const rowsOfField = (name: string): unknown[] => {
    const rows: unknown = isRow(value) ? value[name] : undefined
    return Array.isArray(rows) ? rows : []
  }
  const rowList: unknown[] = Array.isArray(value) ? value : []
  const lists: [unknown, StatementKind | null][] = [
    ...rowList.map((row): [unknown, null] => [row, null]),
    ...rowsOfField('fills').map((row): [unknown, 'fill'] => [row, 'fill']),
    ...rowsOfField('settlements').map((row): [unknown, 'settlement'] => [row, 'settlement']),
  ]
  const first = lists.map(([row]) => row).find(isRow)
  if (first === undefined) {
    throw new StatementProblem(
      'the file has no rows: an array of rows, or an object with fills or settlements',
    )
  }
  const rows: StatementRow[] = []
  const skippedLines: { line: number; reason: string }[] = []
  for (const [n, [row, kind]] of lists.entries()) {
    const line = n + 1
    if (!isRow(row)) skippedLines.push({ line, reason: 'row must be an object' })
    else if (kind === null && isOther(row)) {
      skippedLines.push({ line, reason: `${String(row['type'])} is no trade` })
    } else {
      const statementKind = kind ?? kindOf(row)
      rows.push({
        line,
        kind: statementKind,
        row: statementKind === 'fill' ? row : redemption(row),
      })
    }
  }
  return {
    venue: venue ?? (isOfVenueB(first) ? 'venue_b' : 'venue_a'),
    rows,
    skipped: skippedLines,
  }
}

/** A redemption of the activity API, whose size in dollars is what it paid. */
const redemption = (row: Row): Row =>
  Object.hasOwn(row, 'usdcSize') && !Object.hasOwn(row, 'payoutUsd')
    ? { ...row, payoutUsd: row['usdcSize'] }
    : row
