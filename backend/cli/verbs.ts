import type { Client } from './client.ts'
import type { Call } from './command.ts'
import { usageError, type ExitCode } from './failure.ts'

const LIST = new Intl.ListFormat('en-GB')

/** A verb of a command, such as `list` of `augury alerts`. */
export interface Verb<Run = RunVerb> {
  /** Least and most words after it. */
  readonly argumentCount: readonly [min: number, max: number]
  /** The verb with its words and flags; `[flags]` for more of them than fit a line. */
  readonly usage: string
  readonly run: Run
}
export type RunVerb = (client: Client, call: Call, args: readonly string[]) => Promise<ExitCode>
/** Most words after a command with verbs: each verb has its own limit. */
export const LIMITED_BY_VERB = Infinity
export type Verbs<V extends Verb<unknown> = Verb> = Readonly<Record<string, V>>

/**
 * The verb of a command that a name chooses, when the right number of words follows.
 * @throws CliFailure (usage)
 */
export function findVerb<V extends Verb<unknown>>(
  command: string,
  verbs: Verbs<V>,
  name: string,
  args: readonly string[],
): V {
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) {
    throw usageError(`${command} has the verbs ${LIST.format(Object.keys(verbs))}, not "${name}"`)
  }
  const [min, max] = verb.argumentCount
  if (args.length < min || args.length > max) {
    const [program] = command.split(' ')
    throw usageError(
      `wrong number of arguments after ${command} ${name}`,
      `Usage: augury ${command} ${verb.usage}\nSee: augury ${program} --help`,
    )
  }
  return verb
}
