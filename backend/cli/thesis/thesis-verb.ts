import type { Client } from '../client.ts'
import type { Call } from '../command.ts'
import type { ExitCode } from '../failure.ts'

/** One verb of `augury thesis`. */
export interface ThesisVerb {
  /** Least and most words after it. */
  readonly words: readonly [min: number, max: number]
  readonly usage: string
  readonly run: (client: Client, call: Call, words: readonly string[]) => Promise<ExitCode>
}
