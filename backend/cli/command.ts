import type { Clock } from '../lib/clock.ts'
import type { Client } from './client.ts'
import type { ExitCode } from './failure.ts'
import type { FlagTable, Flags } from './flags.ts'
import type { Env } from './config-file.ts'
import type { Settings } from './settings.ts'

/** The world around the command line. */
export interface Surroundings {
  readonly env: Env
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly clock: Clock
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  /** Someone sits at the keyboard. */
  readonly isInteractive: boolean
  /** Width of the terminal that stdout is; null where it is none. */
  readonly columns: number | null
  /** Asks that person, who answers with a line. */
  readonly ask: (question: string) => Promise<string>
  /** All that is sent to stdin, until it ends. */
  readonly input: () => Promise<string>
  /** Text for programs and people alike. */
  readonly print: (text: string) => void
  /** Progress, warnings and failures. */
  readonly tell: (text: string) => void
}

/** One call of one command. */
export interface Call {
  readonly words: readonly string[]
  readonly flags: Flags
  readonly settings: Settings
  readonly client: Client
  readonly around: Surroundings
}

/** What help and completion know of a command. */
export interface Listed {
  readonly name: string
  readonly summary: string
  readonly flags: FlagTable
  /** Words that may come right after the name. */
  readonly verbs?: readonly string[]
  /** Values of flags that have only these. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
}

export interface Command extends Listed {
  /** What follows the name on the usage line. */
  readonly synopsis: string
  /** Further lines of its help. */
  readonly notes?: readonly string[]
  /** It may take a bad value out of the configuration file, so that none stops it. */
  readonly isCure?: true
  /** Least and most words after the name. */
  readonly words: readonly [least: number, most: number]
  run(call: Call): Promise<ExitCode>
}
