import type { Clock } from '../lib/clock.ts'
import type { Client } from './client.ts'
import type { ExitCode } from './failure.ts'
import type { FlagTable, Flags } from './flags.ts'
import type { Env, Settings } from './settings.ts'

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

export interface Command {
  readonly name: string
  /** What follows the name on the usage line. */
  readonly synopsis: string
  readonly summary: string
  /** Further lines of its help. */
  readonly notes?: readonly string[]
  readonly flags: FlagTable
  /** Least and most words after the name. */
  readonly words: readonly [least: number, most: number]
  run(call: Call): Promise<ExitCode>
}
