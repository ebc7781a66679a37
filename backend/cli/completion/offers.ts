import type { CommandListing } from '../command.ts'
import { GLOBAL_FLAGS, type FlagKind } from '../flags.ts'

/** A flag as a shell offers it. */
export interface OfferedFlag {
  readonly name: string
  readonly takesValue: boolean
  /** The only accepted values; empty when any value is accepted. */
  readonly choices: readonly string[]
}

const flagOffers = (
  flags: Readonly<Record<string, FlagKind>>,
  choices: CommandListing['choices'] = {},
): OfferedFlag[] =>
  Object.entries(flags).map(([name, kind]) => ({
    name,
    takesValue: kind !== 'switch',
    choices: choices[name] ?? [],
  }))

export const GLOBAL_OFFERS: readonly OfferedFlag[] = flagOffers(GLOBAL_FLAGS)

/** The flags of a command besides the global ones. */
export const offersOf = ({ flags, choices }: CommandListing): OfferedFlag[] =>
  flagOffers(flags, choices)
