import type { Call } from '../command.ts'
import { CliFailure, EXIT, usageError } from '../failure.ts'
import { clean } from './output.ts'

/**
 * Requires a person to type `word` before an action that cannot be undone; `--yes` replaces it.
 * @param action the action, as in `Revoking key_1 cannot be undone.`
 * @throws CliFailure (usage) without `--yes` when no person is at the keyboard, or for another
 * word
 */
export async function confirm(
  { flags, system }: Pick<Call, 'flags' | 'system'>,
  action: string,
  confirmation: string,
): Promise<void> {
  if (flags.has('yes')) return
  if (!system.isInteractive) throw usageError(clean(action), 'Confirm it with --yes.')
  const answer = await system.ask(`${clean(action)} Type "${confirmation}" to continue: `)
  if (answer.trim() !== confirmation) {
    throw new CliFailure(EXIT.usage, 'NOT_CONFIRMED', 'not confirmed; nothing was changed')
  }
}
