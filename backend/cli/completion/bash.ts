import type { CommandListing } from '../command.ts'
import { GLOBAL_OFFERS, offersOf, type OfferedFlag } from './offers.ts'

const flagsIn = (flags: readonly OfferedFlag[]): string =>
  flags.map(({ name }) => `--${name}`).join(' ')

const valueFlags = [...GLOBAL_OFFERS].filter(({ takesValue }) => takesValue)

/** Lines of a `case` over `command` and the previous flag, for flags with choices. */
const choicesOf = (command: CommandListing): string[] =>
  offersOf(command)
    .filter(({ choices }) => choices.length > 0)
    .map(({ name, choices }) => `    "${command.name} --${name}") words="${choices.join(' ')}" ;;`)

/** Names of flags of a command whose value is free text. */
const freeOf = (command: CommandListing): string[] =>
  offersOf(command)
    .filter(({ takesValue, choices }) => takesValue && choices.length === 0)
    .map(({ name }) => `"${command.name} --${name}"`)

/** Script for bash 3.2 and newer; file names are offered where nothing else applies. */
export function bashScript(commands: readonly CommandListing[]): string {
  const free = [...valueFlags.map(({ name }) => `*" --${name}"`), ...commands.flatMap(freeOf)]
  return `# Completion of augury for bash: eval "$(augury completion bash)"
_augury() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local command='' place=0 index words=''
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "\${COMP_WORDS[index]}" in
      ${valueFlags.map(({ name }) => `--${name}`).join('|')}) index=$((index + 1)) ;;
      -*) ;;
      *) command="\${COMP_WORDS[index]}"; place=$index; break ;;
    esac
  done
  COMPREPLY=()
  case "$command $previous" in
${commands.flatMap(choicesOf).join('\n')}
    ${free.join('|')}) return ;;
  esac
  if [[ -z "$words" ]]; then
    case "$command" in
      '') words="${commands.map(({ name }) => name).join(' ')}" ;;
${commands
  .filter(({ verbs = [] }) => verbs.length > 0)
  .map(
    ({ name, verbs = [] }) =>
      `      ${name}) [[ $place -eq $((COMP_CWORD - 1)) ]] && words="${verbs.join(' ')}" ;;`,
  )
  .join('\n')}
    esac
    if [[ "$current" == -* ]]; then
      words="${flagsIn(GLOBAL_OFFERS)}"
      case "$command" in
${commands
  .filter(({ flags }) => Object.keys(flags).length > 0)
  .map((command) => `        ${command.name}) words="$words ${flagsIn(offersOf(command))}" ;;`)
  .join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _augury augury
`
}
