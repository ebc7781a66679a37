/** Exit codes of the command line. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  folderHeld: 3,
  credential: 4,
  missing: 5,
  rateLimited: 6,
  unreachable: 7,
  refused: 8,
  interrupted: 130,
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A failure that ends a command: an exit code, what happened, and advice where it helps. */
export class CliFailure extends Error {
  readonly exit: ExitCode
  readonly code: string
  readonly status: number | null
  readonly details: object | null
  readonly advice: string | null

  constructor(
    exit: ExitCode,
    code: string,
    message: string,
    extra: { status?: number; details?: object | null; advice?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: extra.cause })
    this.name = 'CliFailure'
    this.exit = exit
    this.code = code
    this.status = extra.status ?? null
    this.details = extra.details ?? null
    this.advice = extra.advice ?? null
  }
}

/** An unknown command or flag, or a bad value. */
export const usageError = (message: string, advice?: string): CliFailure =>
  new CliFailure(EXIT.usage, 'USAGE', message, advice === undefined ? {} : { advice })

/** The exit code for an HTTP error status. */
export function exitOfStatus(status: number): ExitCode {
  if (status === 400) return EXIT.usage
  if (status === 401 || status === 403) return EXIT.credential
  if (status === 404 || status === 410) return EXIT.missing
  if (status === 409) return EXIT.refused
  if (status === 429) return EXIT.rateLimited
  return EXIT.failed
}
