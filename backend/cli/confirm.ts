import type { Call } from './command.ts'
import { CliFailure, EXIT, misuse } from './failure.ts'
import { clean } from './output.ts'

/**
 * Has a person type `word` before what cannot be undone; `--yes` stands for it.
 * @param what is about to happen, as in `Revoking key_1 cannot be undone.`
 * @throws CliFailure (usage) without `--yes` where nobody sits at the keyboard, or another word
 */
export async function confirm(
  { flags, around }: Pick<Call, 'flags' | 'around'>,
  what: string,
  word: string,
): Promise<void> {
  if (flags.on('yes')) return
  if (!around.isInteractive) throw misuse(clean(what), 'Confirm it with --yes.')
  const typed = await around.ask(`${clean(what)} Type "${word}" to go on: `)
  if (typed.trim() !== word) {
    throw new CliFailure(EXIT.usage, 'NOT_CONFIRMED', 'not confirmed; nothing was changed')
  }
}
