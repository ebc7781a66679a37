import { commandText, type Command } from './command.ts'
import { specOf } from './commands.ts'
import { parseLine } from './parse.ts'
import { isTextSink } from './parse-sink.ts'

/** Verbs that open something; a link may use no other. */
const isOpening = (command: Command): boolean => {
  const { verb, subject, flags, args } = command
  const hasNoArguments = subject === null && flags.length === 0
  if (verb === 'WATCH') return hasNoArguments
  // A price sets an alert at once.
  if (verb === 'ALERT' && args['price'] !== undefined) return false
  // A filled-in form would be one key press away from its action.
  if (verb === 'BT' && (args['strategy'] !== undefined || args['action'] === 'cancel')) return false
  if (verb === 'INTENT' && args['action'] !== undefined) return false
  if (verb === 'BT' && args['action'] === 'run' && args['id'] !== undefined) return false
  // A statement costs the service time; only the user's own input may run one.
  if (verb === 'SQL' && args['statement'] !== undefined) return false
  if (verb === 'REPLAY' && args['action'] !== undefined) return false
  return specOf(verb).effect === 'read' || ['HELP', 'WS', 'SET', 'TERM'].includes(verb)
}

/** The commands of a link's line, which may only open panes; or why the link is rejected. */
export function openCommandsOf(line: string): readonly Command[] | string {
  const commands = parseLine(line)
  if ('message' in commands) return `The link cannot be read: ${commands.message}`
  const foreign = commands.find((command) => !isOpening(command) || isTextSink(command.sink))
  if (foreign === undefined) return commands
  return `A link can only open panes: “${commandText(foreign)}” was not run`
}
