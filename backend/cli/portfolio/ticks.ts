import type { TickFinished, TickStarted } from '../../contract/orders/ticks.ts'
import { MINUTE, SECOND } from '../../domain/units.ts'
import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import { CliFailure, EXIT, type ExitCode } from '../failure.ts'
import { printBody, printPage, type Page } from '../print-body.ts'
import { screenOf } from '../reads/screen.ts'
import { routePath, parseJson, type JsonText } from '../route.ts'
import { text } from '../terminal/output.ts'
import { venueIn } from '../venue-flag.ts'
import { gatesText, TICK_COLUMNS, tickText, TRADE_COLUMNS } from './tick-text.ts'

const POLL_INTERVAL = SECOND / 2
/** A tick ends within 5 minutes; the rest is for its last order. */
const MAX_WAIT = 6 * MINUTE

/** What to do about a refused trigger, by the code of the refusal. */
const ADVICE: Readonly<Record<string, string>> = {
  PORTFOLIO_DISABLED: 'Enable it with: augury portfolio config --set enabled=true',
  EXECUTION_HALTED: 'Resume trading with: augury portfolio resume',
  TICK_RUNNING: 'See it with: augury portfolio ticks --status running',
}

/** `augury portfolio ticks [ID]`: runs of the autopilot, or one with its decisions and gates. */
export async function ticks(client: Client, call: Call): Promise<ExitCode> {
  const { flags, args: words, system } = call
  const [, id] = words
  const screen = screenOf(system)
  if (id !== undefined) {
    const body = await client.get(routePath('/api/portfolio/ticks/:id', { id }))
    return printBody(call, body, (tick) => `${tickText(tick, screen)}${gatesText(tick, screen)}`)
  }
  const body = await client.get('/api/portfolio/ticks', {
    ...pageOf(call),
    trigger: flags.text('trigger'),
  })
  return printPage(
    call,
    parseEnvelope(body),
    TICK_COLUMNS,
    'No tick ran. Run one with: augury portfolio trigger',
  )
}

/** `augury portfolio trades`: the trade journal. */
export async function trades(client: Client, call: Call): Promise<ExitCode> {
  const { flags } = call
  const body = await client.get('/api/portfolio/trades', {
    ...pageOf(call),
    marketId: flags.text('market'),
    thesisId: flags.text('thesis'),
    venue: venueIn(flags, 'venue'),
  })
  return printPage(call, parseEnvelope(body), TRADE_COLUMNS, 'No trades')
}

/**
 * `augury portfolio trigger`: runs the autopilot now and waits for its end.
 * @throws CliFailure when it is refused, or has not ended in time
 */
export async function trigger(client: Client, call: Call): Promise<ExitCode> {
  const { flags, system } = call
  const id = await start(client, flags.text('reason'))
  if (!flags.has('quiet')) system.report(`Running ${text(id)}.\n`)
  const address = routePath('/api/portfolio/ticks/:id', { id })
  for (let waitedMs = 0; waitedMs <= MAX_WAIT; waitedMs += POLL_INTERVAL) {
    const body = await client.get(address)
    const { status } = parseJson(body)
    if (status !== 'running') {
      printBody(call, body, (tick) => tickText(tick, screenOf(system)))
      return status === 'completed' ? EXIT.done : EXIT.failed
    }
    await system.clock.sleep(POLL_INTERVAL, system.signal)
  }
  throw new CliFailure(EXIT.failed, 'TIMEOUT', `${id} is still running`, {
    advice: `See it with: augury portfolio ticks ${id}`,
  })
}

/** Starts a tick and returns its id. @throws CliFailure with advice when it is refused */
async function start(client: Client, reason: string | null): Promise<string> {
  try {
    const reasonField = reason === null ? {} : { reason }
    const body: JsonText<TickStarted | TickFinished> = await client.send(
      'POST',
      '/api/portfolio/trigger',
      reasonField,
    )
    const answer = parseJson(body)
    return 'tick' in answer ? answer.tick.id : answer.tickId
  } catch (error) {
    if (!(error instanceof CliFailure)) throw error
    const { code, message, status, details } = error
    const advice = Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined
    if (advice === undefined) throw error
    throw new CliFailure(EXIT.refused, code, message, {
      ...(status !== null && { status }),
      details,
      advice,
      cause: error,
    })
  }
}

const pageOf = ({ flags }: Call) => ({
  envelope: true,
  limit: flags.text('limit'),
  cursor: flags.text('cursor'),
  status: flags.text('status'),
  since: flags.text('since'),
  until: flags.text('until'),
})

/** The routes answer rows alone unless an envelope is requested. */
const parseEnvelope = <Row>(body: JsonText<Row[] | Page<Row>>) => body as JsonText<Page<Row>>
