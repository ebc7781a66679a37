import type { Call, Command } from './command.ts'
import { EXIT, misuse, type ExitCode } from './failure.ts'
import { cleanLines } from './output.ts'

interface Delta {
  readonly to: string
  readonly markdown: string
}

const ROUTE = '/api/agent/world/delta'

/** `augury delta --since S`: what changed, once or again and again. */
export const deltaCommand: Command = {
  name: 'delta',
  synopsis: '--since SPAN|ISO [--watch SECONDS]',
  summary: 'what changed in the world since an instant',
  notes: [
    '  --since         30m, 12h, 2d, or an ISO time',
    '  --watch S       go on each S seconds from where the last one ended',
    '',
  ],
  flags: { since: 'word', watch: 'number' },
  words: [0, 0],
  async run(call) {
    const { flags, client, around } = call
    const since = flags.word('since')
    if (since === null) {
      throw misuse('--since is needed', `Usage: augury delta ${deltaCommand.synopsis}`)
    }
    const every = flags.number('watch')
    if (every !== null) return watch(call, since, every)
    const format = flags.on('json') ? 'json' : 'markdown'
    const body = await client.get(ROUTE, { since, format, asOf: flags.word('as-of') })
    around.print(`${flags.on('json') ? body.trimEnd() : cleanLines(body).trimEnd()}\n`)
    return EXIT.done
  },
}

/** Ends when the user interrupts, or the service does not answer. */
async function watch(
  { flags, client, around }: Call,
  first: string,
  every: number,
): Promise<ExitCode> {
  if (every < 1) throw misuse('--watch must be at least 1 second')
  if (flags.on('as-of')) throw misuse('--watch and --as-of exclude each other')
  for (let since = first; ;) {
    const body = await client.get(ROUTE, { since, format: 'json' })
    const delta = JSON.parse(body) as Delta
    // One document a line.
    around.print(
      flags.on('json') ? `${JSON.stringify(delta)}\n` : `${cleanLines(delta.markdown).trimEnd()}\n`,
    )
    since = delta.to
    await around.clock.sleep(every * 1000, around.signal)
  }
}
