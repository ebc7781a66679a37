import type { CommandListing } from '../command.ts'
import { GLOBAL_OFFERS, offersOf, type OfferedFlag } from './offers.ts'

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A colon separates a name from its description. */
const describeCommand = ({ name, summary }: CommandListing): string =>
  quote(`${name}:${summary.replaceAll(':', '\\:')}`)

/** One argument of `_arguments`. */
const specOf = ({ name, takesValue, choices }: OfferedFlag): string => {
  if (!takesValue) return quote(`--${name}`)
  return quote(`--${name}=:${name}:${choices.length > 0 ? `(${choices.join(' ')})` : '_files'}`)
}

const branchOf = (command: CommandListing): string => {
  const { name, verbs = [] } = command
  const specs = [...GLOBAL_OFFERS, ...offersOf(command)].map(specOf)
  const positionals = verbs.length > 0 ? quote(`1:verb:(${verbs.join(' ')})`) : quote('*: :_files')
  return [`    ${name})`, `      _arguments ${[...specs, positionals].join(' ')}`, '      ;;'].join(
    '\n',
  )
}

/** Script for zsh. */
export const zshScript = (commands: readonly CommandListing[]): string => `#compdef augury
# Completion of augury for zsh: augury completion zsh > a folder of $fpath, as _augury
_augury() {
  local -a commands
  commands=(
${commands.map((command) => `    ${describeCommand(command)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(branchOf).join('\n')}
  esac
}
if [[ $funcstack[1] == _augury ]]; then
  _augury "$@"
else
  compdef _augury augury
fi
`
