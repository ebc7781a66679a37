import type { ThesisStrategy } from '../../contract/theses/holdings.ts'
import { canonicalTicker } from '../../domain/market.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { usageError, type ExitCode } from '../failure.ts'
import type { Flags } from '../flags.ts'
import { printBody, printPage } from '../print-body.ts'
import { screenOf } from '../reads/screen.ts'
import { routePath, parseJson } from '../route.ts'
import { confirm } from '../terminal/confirm.ts'
import { amount, cents, table, text, type Column } from '../terminal/output.ts'
import { findVerb, type Verbs } from '../verbs.ts'
import { marketColumn } from '../reads/market-columns.ts'

const COLUMNS: readonly Column<ThesisStrategy>[] = [
  marketColumn((row) => row.market),
  { title: 'Side', cell: (row) => row.direction },
  { title: 'State', cell: (row) => stateOf(row) },
  { title: 'Entry', cell: (row) => entryOf(row), align: 'right' },
  { title: 'Stop', cell: (row) => cents(row.stopLoss), align: 'right' },
  { title: 'Target', cell: (row) => cents(row.takeProfit), align: 'right' },
  { title: 'Order', cell: (row) => amount(row.perOrderQuantity), align: 'right' },
  { title: 'Most', cell: (row) => amount(row.maxQuantity), align: 'right' },
  { title: 'Priority', cell: (row) => String(row.priority), align: 'right' },
  { title: 'Waits for', cell: (row) => text(row.softConditions), max: 40 },
  { title: 'Id', cell: (row) => text(row.id) },
]
/** A strategy that ticks do not follow is paused. */
const stateOf = ({ status }: ThesisStrategy): string => (status === 'watching' ? 'paused' : status)
const entryOf = ({ entryBelow, entryAbove }: ThesisStrategy): string =>
  [
    ...(entryBelow === null ? [] : [`≤ ${cents(entryBelow)}`]),
    ...(entryAbove === null ? [] : [`≥ ${cents(entryAbove)}`]),
  ].join(' or ')

/** A price in cents, or null for `none`. @throws CliFailure (usage) */
function priceFlag(flags: Flags, name: string): number | null | undefined {
  const flagText = flags.text(name)
  if (flagText === null) return undefined
  if (flagText === 'none') return null
  if (!/^\d+(\.\d+)?$/.test(flagText)) {
    throw usageError(`--${name} takes a price in cents or none, was "${flagText}"`)
  }
  return Number(flagText)
}
const textFlag = (flags: Flags, name: string): string | null | undefined => {
  const flagText = flags.text(name)
  return flagText === null ? undefined : flagText === 'none' ? null : flagText
}

/** The fields of a strategy that were given as flags. */
const fieldsIn = (flags: Flags): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries({
      entryBelow: priceFlag(flags, 'below'),
      entryAbove: priceFlag(flags, 'above'),
      stopLoss: priceFlag(flags, 'stop'),
      takeProfit: priceFlag(flags, 'target'),
      perOrderQuantity: flags.number('size') ?? undefined,
      maxQuantity: flags.number('max') ?? undefined,
      priority: flags.number('priority') ?? undefined,
      horizon: flags.text('horizon') ?? undefined,
      softConditions: textFlag(flags, 'wait-for'),
      rationale: textFlag(flags, 'reason'),
    }).filter(([, value]) => value !== undefined),
  )

const routeOf = (id: string, strategyId: string) =>
  routePath('/api/thesis/:id/strategies/:strategyId', { id, strategyId })
/** Changes one strategy and prints it. */
const change = async (
  client: Client,
  call: Call,
  [id = '', strategyId = '']: readonly string[],
  fields: object,
): Promise<ExitCode> => {
  const body = await client.send('PATCH', routeOf(id, strategyId), fields)
  return printBody(call, body, (row) => table([row], COLUMNS, screenOf(call.system)))
}

const ACTIONS: Verbs = {
  add: {
    argumentCount: [3, 3],
    usage: 'add ID TICKER SIDE --below C | --above C [flags]',
    async run(client, call, [id = '', ticker = '', direction = '']) {
      const fields = fieldsIn(call.flags)
      if (typeof fields['entryBelow'] !== 'number' && typeof fields['entryAbove'] !== 'number') {
        throw usageError('a strategy needs --below C or --above C, the price at which it enters')
      }
      const body = await client.send('POST', routePath('/api/thesis/:id/strategies', { id }), {
        marketId: canonicalTicker(ticker),
        direction,
        createdBy: 'cli',
        ...fields,
      })
      return printBody(call, body, (row) => `added: ${text(row.id)}`)
    },
  },
  set: {
    argumentCount: [2, 2],
    usage: 'set ID STRATEGY [flags]',
    async run(client, call, args) {
      const fields = fieldsIn(call.flags)
      if (Object.keys(fields).length === 0) {
        throw usageError(
          'strategy set needs a field such as --below 60',
          'See: augury thesis --help',
        )
      }
      return change(client, call, args, fields)
    },
  },
  pause: {
    argumentCount: [2, 2],
    usage: 'pause ID STRATEGY',
    run: (client, call, args) => change(client, call, args, { status: 'watching' }),
  },
  resume: {
    argumentCount: [2, 2],
    usage: 'resume ID STRATEGY',
    run: (client, call, args) => change(client, call, args, { status: 'active' }),
  },
  remove: {
    argumentCount: [2, 2],
    usage: 'remove ID STRATEGY [--yes]',
    async run(client, call, [id = '', strategyId = '']) {
      const warning = `Removing the strategy ${strategyId} cancels its open intents; positions stay, without its stop and target.`
      await confirm(call, warning, 'remove')
      const body = await client.send('DELETE', routeOf(id, strategyId))
      return printBody(call, body, `removed: ${text(strategyId)}`)
    },
  },
}

/** The verbs about strategies of a thesis. */
export const STRATEGY_VERBS: Verbs = {
  strategies: {
    argumentCount: [1, 1],
    usage: 'strategies ID [--limit N] [--cursor C]',
    async run(client, call, [id = '']) {
      const { flags, system } = call
      const body = await client.get(routePath('/api/thesis/:id/strategies', { id }), {
        limit: flags.number('limit'),
        cursor: flags.text('cursor'),
      })
      if (!flags.has('json') && parseJson(body).data.length === 0) {
        system.report(
          `No strategies. Try: augury thesis strategy add ${id} TICKER yes --below 60\n`,
        )
      }
      return printPage(call, body, COLUMNS, '')
    },
  },
  strategy: {
    argumentCount: [1, 4],
    usage: `strategy ${Object.keys(ACTIONS).join('|')} ID …`,
    async run(client, call, [name = '', ...args]) {
      return findVerb('thesis strategy', ACTIONS, name, args).run(client, call, args)
    },
  },
}
