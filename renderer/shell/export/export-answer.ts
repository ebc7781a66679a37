import type { Command } from '../commands/command.ts'

export type Row = Readonly<Record<string, unknown>>

const LISTS = [
  'markets',
  'results',
  'changes',
  'candles',
  'indicatorHistory',
  'salient',
  'points',
  'hypotheses',
  'items',
  'groups',
  'nodes',
  'terms',
  'edges',
  'ideas',
  'highlights',
  'pairs',
  'curves',
  'odds',
  'buckets',
  'themes',
  'events',
  'keys',
  'byDay',
  'sessions',
  'panels',
  'technicals',
  'opinions',
  'steps',
  'intents',
  'skills',
  'components',
  'data',
  'tradeList',
  'trades',
  'messages',
]

const isRows = (value: unknown): value is readonly Row[] => Array.isArray(value)

/** Parts of a world response that contain its list. */
const PARTS = ['report', 'history', 'catalyst', 'dispersion', 'trail', 'explain']

const listOf = (record: Row): readonly Row[] | undefined =>
  LISTS.map((name) => record[name]).find((value) => isRows(value))

/** The rows of a response: its list, or that of its part, or the response itself as one row. */
export function rowsOf(body: object): readonly Row[] {
  const record = body as Row
  const part = PARTS.map((name) => record[name]).find(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  )
  return listOf(record) ?? (part === undefined ? undefined : listOf(part as Row)) ?? [record]
}

/** The levels of a book from the highest price to the lowest. */
function bookRows({ bidLevels, askLevels }: Row): readonly Row[] {
  const [bids, asks] = [bidLevels, askLevels].map((levels) => (isRows(levels) ? levels : []))
  return [
    ...(asks ?? []).toReversed().map((level) => ({ side: 'ask', ...level })),
    ...(bids ?? []).map((level) => ({ side: 'bid', ...level })),
  ]
}

/** The rows of a command's response: a market is one row, whatever lists belong to it. */
export function answerRows({ verb, args }: Pick<Command, 'verb' | 'args'>, body: object) {
  switch (verb) {
    case 'DES':
    case 'XV':
      return [body as Row]
    case 'BOOK':
      return bookRows(body as Row)
    case 'TAPE':
      return rowsOf(body).filter(({ size }) => Number(size) >= Number(args['size'] ?? '0'))
    default:
      return rowsOf(body)
  }
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // A leading = + - @ would run as a formula in a spreadsheet; numbers may keep their minus.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'
const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
}

/** Columns of texts and numbers; addresses and nested values are left out. */
export const plainColumns = (rows: readonly Row[]): readonly string[] =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !/url$/i.test(name) && rows.every((row) => isPlain(row[name] ?? null)),
  )

/** Rows as a Markdown table; nested values have no column there. */
export function markdownOf(rows: readonly Row[]): string {
  const names = plainColumns(rows)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return `${[
    line(names),
    line(names.map(() => '---')),
    ...rows.map((row) => line(names.map((name) => valueText(row[name])))),
  ].join('\n')}\n`
}

/** Rows as CSV (RFC 4180), columns in the order of first appearance; missing is empty. */
export function csvOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','))
  return `${[names.map(cell).join(','), ...lines].join('\r\n')}\r\n`
}
