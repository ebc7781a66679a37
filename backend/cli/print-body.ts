import type { Call } from './command.ts'
import { EXIT, type ExitCode } from './failure.ts'
import { parseJson, type JsonText } from './route.ts'

/** Prints the body of a route as sent, or as text for people. */
export function printBody<T>(
  { flags, system }: Pick<Call, 'flags' | 'system'>,
  body: JsonText<T>,
  asText: (value: T) => string,
): ExitCode {
  system.print(flags.on('json') ? `${body.trimEnd()}\n` : asText(parseJson(body)))
  return EXIT.done
}
