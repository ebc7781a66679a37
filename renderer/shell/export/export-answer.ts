import { contextQuestion } from '../../api/context-questions.ts'
import * as account from '../../api/account-questions.ts'
import * as backtests from '../../api/backtest-questions.ts'
import * as questions from '../../api/questions.ts'
import * as portfolio from '../../api/portfolio-questions.ts'
import { replayState } from '../../api/replay.ts'
import { referenceQuestion } from '../../api/reference-questions.ts'
import * as theses from '../../api/thesis-questions.ts'
import { board } from '../../api/watch-questions.ts'
import { worldQuestion } from '../../api/world-questions.ts'
import type { Question } from '../../api/source.svelte.ts'
import type { Command } from '../commands/command.ts'
import type { Timeframe } from '../../../backend/domain/prices/candle.ts'

export type Row = Readonly<Record<string, unknown>>

/**
 * The one route that answers a command; for movers, the route of the gainers.
 * @throws Error for a verb without a request, with a message for the user
 */
export function questionOf(command: Command, ticker: string | null, now: number): Question<object> {
  const of = (question: unknown): Question<object> => question as Question<object>
  const ofContext = contextQuestion(command, ticker)
  if (ofContext !== null) return ofContext
  const ofReference = referenceQuestion(command, ticker)
  if (ofReference !== null) return ofReference
  const ofWorld = worldQuestion(command, ticker)
  if (ofWorld !== null) return ofWorld
  switch (command.verb) {
    case 'SCAN': {
      const question = questions.scan(command)
      if (typeof question === 'string') throw new Error(question)
      return of(question)
    }
    case 'MOV':
      return of(questions.movers(command)[0])
    case 'NEW':
      return of(questions.newMarkets(command))
    case 'CHG':
      return of(questions.changes(command, ticker))
    case 'HEALTH':
      return of(questions.serviceStatus)
    case 'KEY':
      return of(account.serviceKeys)
    case 'USE':
      return of(account.usage(command.args['period'] ?? '30d'))
    case 'ACCOUNT':
      return of(account.sessions)
    case 'BT':
      return of(backtests.ofCommand(command))
    case 'THES':
      return of(theses.ofCommand(command))
    case 'POS':
    case 'RISK':
    case 'TICKS':
    case 'LEDG':
    case 'ATTR':
    case 'INTENT':
    case 'TRADES':
    case 'VIEWS':
    case 'PLAN':
      return of(portfolio.ofCommand(command, now))
    case 'MW':
      return of(board)
    case 'REPLAY':
      return of(replayState)
  }
  if (ticker === null) throw new Error('Name a market first')
  if (command.verb === 'GP') {
    const timeframe = (command.args['timeframe'] ?? '1h') as Timeframe
    return of(questions.candles(ticker, timeframe))
  }
  return of(command.verb === 'HIST' ? questions.history(ticker) : questions.market(ticker))
}

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

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // A leading = + - @ would run as a formula in a spreadsheet; numbers may keep their minus.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== 'object'
const word = (value: unknown): string => {
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
    ...rows.map((row) => line(names.map((name) => word(row[name])))),
  ].join('\n')}\n`
}

/** Rows as CSV (RFC 4180), columns in the order of first appearance; missing is empty. */
export function csvOf(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','))
  return `${[names.map(cell).join(','), ...lines].join('\r\n')}\r\n`
}
