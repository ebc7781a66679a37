import type { Live } from '../../api/live.ts'
import { runStatement, statementRows } from '../../api/statements.ts'
import { download } from '../../lib/files.ts'
import { formatUtc } from '../../lib/format.ts'
import { commandText, type Command, type TextForm } from '../commands/command.ts'
import { specOf } from '../commands/commands.ts'
import { answerRows, csvOf, markdownOf, type Row } from './export-answer.ts'
import { queryOf, type ExportedMarket } from './export-query.ts'
import type { Pane } from '../dock/pane.svelte.ts'

/** Dependencies of an export. */
export interface Outlet {
  readonly live: Live
  /** The pane that shows a command now. */
  paneShowing(command: Command): Pane | null
  /** Opens a pane for a command. */
  show(command: Command): Pane | null
  /** A picture of a pane's chart, once it is drawn; null when it has none. */
  picture(pane: Pane): Promise<Blob | null>
}

const TYPES: Readonly<Record<Exclude<TextForm, 'clip'>, string>> = {
  csv: 'text/csv',
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
}

/** An answer as rows and as the raw response. */
interface ExportedAnswer {
  readonly rows: readonly Row[]
  readonly response: unknown
}

async function answerOf(
  outlet: Outlet,
  command: Command,
  market: ExportedMarket,
): Promise<ExportedAnswer> {
  const visible = outlet.paneShowing(command)?.visibleRows
  if (visible !== null && visible !== undefined) {
    const rows = visible()
    return { rows, response: rows }
  }
  if (command.verb === 'SQL') return statementAnswer(outlet, command)
  if (specOf(command.verb).route === null) throw new Error(`${command.verb} has no rows`)
  const answer = await outlet.live.read(queryOf(command, market, outlet.live.clock.read()).path)
  if (answer === null) throw new Error('The request was cancelled')
  if (!answer.ok) throw new Error(answer.failure.message)
  return { rows: answerRows(command, answer.body), response: answer.body }
}

async function statementAnswer({ live }: Outlet, { args }: Command): Promise<ExportedAnswer> {
  const sql = args['statement']
  if (sql === undefined) throw new Error('Type a statement after SQL')
  const answer = await runStatement(live, sql)
  if (!answer.ok) throw new Error(answer.failure.message)
  return { rows: statementRows(answer.body), response: answer.body }
}

const textOf = (form: Exclude<TextForm, 'png'>, { rows, response }: ExportedAnswer): string => {
  if (form === 'json') return JSON.stringify(response, null, 2)
  return form === 'md' ? markdownOf(rows) : csvOf(rows)
}

/**
 * Exports an answer: the content of its pane when one is open, else a new response of the route.
 * @returns the result, as a sentence
 * @throws Error with a message for the user
 */
export async function shareAnswer(
  outlet: Outlet,
  command: Command,
  market: ExportedMarket,
  form: TextForm,
): Promise<string> {
  const instant = market.asOf === null ? '' : ` as of ${formatUtc(market.asOf)}`
  const line = `${commandText({ ...command, sink: null })}${instant}`
  const name = `augury-${command.verb.toLowerCase()}`
  if (form === 'png') {
    const pane = outlet.paneShowing(command) ?? outlet.show(command)
    const picture = pane === null ? null : await outlet.picture(pane)
    if (picture === null) throw new Error(`${command.verb} has no chart here. Use: to csv`)
    download(`${name}.png`, picture)
    return `Saved the picture of ${line} as ${name}.png`
  }
  const answer = await answerOf(outlet, command, market)
  const text = textOf(form, answer)
  const count = answer.rows.length
  const exportedText = `${count} ${count === 1 ? 'row' : 'rows'} of ${line}`
  if (form === 'clip') {
    await navigator.clipboard.writeText(text).catch(() => {
      throw new Error('The browser denied clipboard access. Use: to csv')
    })
    return `Copied ${exportedText}`
  }
  download(`${name}.${form}`, new Blob([text], { type: TYPES[form] }))
  return `Saved ${exportedText} as ${name}.${form}`
}
