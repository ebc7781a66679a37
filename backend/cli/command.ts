import type { Clock } from '../lib/clock.ts'
import type { Client } from './client.ts'
import type { ExitCode } from './failure.ts'
import type { FlagTable, Flags } from './flags.ts'
import type { Env } from './config-file.ts'
import type { Settings } from './settings.ts'

/** Environment of the command line. */
export interface CliEnvironment {
  readonly env: Env
  readonly cwd: string
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly clock: Clock
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
  /** Whether a person is at the keyboard. */
  readonly isInteractive: boolean
  /** Width of the terminal on stdout; null without a terminal. */
  readonly columns: number | null
  /** Prompts that person and returns the line typed. */
  readonly ask: (question: string) => Promise<string>
  /** Reads stdin to its end. */
  readonly input: () => Promise<string>
  /** Output for programs and people. */
  readonly print: (text: string) => void
  /** Progress, warnings and failures. */
  readonly report: (text: string) => void
}

/** One invocation of a command. */
export interface Call {
  readonly args: readonly string[]
  readonly flags: Flags
  readonly settings: Settings
  readonly client: Client
  readonly system: CliEnvironment
}

/** The properties of a command that help and completion list. */
export interface CommandListing {
  readonly name: string
  readonly summary: string
  readonly flags: FlagTable
  /** Words that may directly follow the name. */
  readonly verbs?: readonly string[]
  /** Values of flags that accept only these. */
  readonly choices?: Readonly<Record<string, readonly string[]>>
}

export interface Command extends CommandListing {
  /** Arguments after the name on the usage line. */
  readonly synopsis: string
  /** Additional lines of its help. */
  readonly notes?: readonly string[]
  /**
   * Whether the command can remove a bad value from the configuration file, and so must run
   * despite one.
   */
  readonly repairsConfiguration?: true
  /** Minimum and maximum number of words after the name. */
  readonly argumentCount: readonly [min: number, max: number]
  run(call: Call): Promise<ExitCode>
}
