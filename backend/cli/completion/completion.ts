import type { Command, CommandListing } from '../command.ts'
import { EXIT, usageError } from '../failure.ts'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS: Readonly<Record<string, (commands: readonly CommandListing[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}
const SHELLS = Object.keys(SCRIPTS)

/**
 * `augury completion SHELL`: the script with which a shell completes commands, flags and values.
 */
export const completionCommand = (commands: () => readonly CommandListing[]): Command => ({
  name: 'completion',
  synopsis: SHELLS.join('|'),
  summary: 'print the completion script of a shell',
  notes: [
    '  bash            eval "$(augury completion bash)" in ~/.bashrc',
    '  zsh             augury completion zsh > a folder of $fpath, as _augury',
    '  fish            augury completion fish > ~/.config/fish/completions/augury.fish',
    '',
  ],
  flags: {},
  verbs: SHELLS,
  argumentCount: [1, 1],
  async run({ args: [shell = ''], flags, system }) {
    const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
    if (script === undefined) {
      throw usageError(`completion supports ${SHELLS.join(', ')}, not "${shell}"`)
    }
    const text = script(commands())
    system.print(flags.has('json') ? `${JSON.stringify({ shell, script: text })}\n` : text)
    return EXIT.done
  },
})
