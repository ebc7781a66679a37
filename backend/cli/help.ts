import type { Command } from './command.ts'
import type { Group } from './commands.ts'

const GLOBAL_FLAGS = [
  'Global flags:',
  '  --json          one JSON document on stdout, errors as JSON on stderr',
  '  --api-url URL   address of the service; by default the one of the data folder',
  '  --api-key KEY   key for the requests',
  '  --data DIR      the data folder',
  '  --as-of ISO     answer as of a past time',
  '  --timeout S     seconds to wait for an answer (30)',
  '  --wait          wait once when a rate limit is reached',
  '  --quiet         no progress on stderr',
  '  --help          help of a command',
].join('\n')

/** Help of one command. */
export const usageOf = ({ name, synopsis, summary, notes = [] }: Command): string =>
  [`Usage: augury ${name} ${synopsis}`.trimEnd(), '', summary, '', ...notes, GLOBAL_FLAGS].join(
    '\n',
  )

/** Every command in its group. */
export const helpOf = (groups: readonly Group[]): string =>
  [
    'Usage: augury COMMAND [flags]',
    '',
    ...groups.flatMap(({ title, commands }) => [
      `${title}:`,
      ...commands.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`),
      '',
    ]),
    GLOBAL_FLAGS,
  ].join('\n')
