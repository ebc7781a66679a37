import type { CommandListing } from '../command.ts'
import { GLOBAL_OFFERS, offersOf, type OfferedFlag } from './offers.ts'

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** `-x` offers values alone, `-r` files too. */
const flagLine = (condition: string, { name, takesValue, choices }: OfferedFlag): string => {
  const values = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -r' : ''
  return `complete -c augury${condition} -l ${name}${values}`
}

function linesOf(command: CommandListing): string[] {
  const { name, summary, verbs = [] } = command
  const condition = ` -n '__fish_seen_subcommand_from ${name}'`
  return [
    `complete -c augury -n __fish_use_subcommand -x -a ${name} -d ${quote(summary)}`,
    ...(verbs.length === 0
      ? []
      : [`complete -c augury${condition} -x -a ${quote(verbs.join(' '))}`]),
    ...offersOf(command).map((flag) => flagLine(condition, flag)),
  ]
}

/** Script for fish. */
export const fishScript = (commands: readonly CommandListing[]): string =>
  [
    '# Completion of augury for fish: augury completion fish > ~/.config/fish/completions/augury.fish',
    ...GLOBAL_OFFERS.map((flag) => flagLine('', flag)),
    ...commands.flatMap(linesOf),
    '',
  ].join('\n')
