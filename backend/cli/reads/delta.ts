import type { Call, Command } from '../command.ts'
import { EXIT, usageError, type ExitCode } from '../failure.ts'
import { parseJson } from '../route.ts'
import { cleanLines } from '../terminal/output.ts'

const ROUTE = '/api/agent/world/delta'

/** `augury delta --since S`: changes of the world, once or repeatedly. */
export const deltaCommand: Command = {
  name: 'delta',
  synopsis: '--since SPAN|ISO [--watch SECONDS]',
  summary: 'changes of the world since a time',
  notes: [
    '  --since         30m, 12h, 2d, or an ISO time',
    '  --watch S       repeat every S seconds, continuing from the last one',
    '',
  ],
  flags: { since: 'text', watch: 'number' },
  argumentCount: [0, 0],
  async run(call) {
    const { flags, client, system } = call
    const since = flags.text('since')
    if (since === null) {
      throw usageError('--since is required', `Usage: augury delta ${deltaCommand.synopsis}`)
    }
    const interval = flags.number('watch')
    if (interval !== null) return watch(call, since, interval)
    const format = flags.has('json') ? 'json' : 'markdown'
    const body = await client.get(ROUTE, { since, format, asOf: flags.text('as-of') })
    system.print(`${flags.has('json') ? body.trimEnd() : cleanLines(body).trimEnd()}\n`)
    return EXIT.done
  },
}

/** Ends when the user interrupts, or the service does not answer. */
async function watch(
  { flags, client, system }: Call,
  first: string,
  interval: number,
): Promise<ExitCode> {
  if (interval < 1) throw usageError('--watch must be at least 1 second')
  if (flags.has('as-of')) throw usageError('--watch and --as-of cannot be combined')
  for (let since = first; ;) {
    const body = await client.get(ROUTE, { since, format: 'json' })
    const delta = parseJson(body)
    // One document per line.
    system.print(
      flags.has('json')
        ? `${JSON.stringify(delta)}\n`
        : `${cleanLines(delta.markdown).trimEnd()}\n`,
    )
    since = delta.to
    await system.clock.sleep(interval * 1000, system.signal)
  }
}
