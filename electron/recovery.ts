/** Why a page's process ended, in Electron's words. */
export type ExitReason =
  | 'clean-exit'
  | 'abnormal-exit'
  | 'killed'
  | 'crashed'
  | 'oom'
  | 'launch-failed'
  | 'integrity-failure'
  | 'memory-eviction'

export type Recovery =
  /** Load the page again: it shows the saved layout. */
  | { readonly kind: 'reload' }
  /** It keeps crashing: the user chooses between another try, a fresh layout and quitting. */
  | { readonly kind: 'ask'; readonly message: string }
  | { readonly kind: 'nothing' }

/** This many crashes within this time are a crash loop. */
const LOOP = { crashes: 3, withinMs: 5 * 60_000 } as const

/** Fragment of the page's address that sets its saved layout aside. */
export const FRESH_LAYOUT = '#layout=fresh'

/**
 * Decides what to do after the page's process ended.
 * @param before times of earlier crashes, on the clock of `now`
 */
export function recoveryAfterExit(
  reason: ExitReason,
  before: readonly number[],
  now: number,
): Recovery {
  if (reason === 'clean-exit') return { kind: 'nothing' }
  if (reason === 'launch-failed' || reason === 'integrity-failure') {
    return {
      kind: 'ask',
      message:
        reason === 'launch-failed'
          ? 'The system could not start the page’s process.'
          : 'A program file is damaged. Reinstall Augury.',
    }
  }
  const recent = before.filter((at) => now - at < LOOP.withinMs).length + 1
  if (recent < LOOP.crashes) return { kind: 'reload' }
  const cause = reason === 'oom' ? 'It ran out of memory. ' : ''
  return {
    kind: 'ask',
    message: `The page crashed ${recent} times within five minutes. ${cause}Its panes may be the cause: a fresh layout starts without them, and the saved layout is set aside.`,
  }
}

export const RECOVERY_CHOICES = ['Try again', 'Start with a fresh layout', 'Quit'] as const

/** The address to load for a choice of `RECOVERY_CHOICES`; null to quit. */
export function addressAfter(choice: number, address: string): string | null {
  if (choice === 0) return address
  return choice === 1 ? `${new URL(address).origin}/${FRESH_LAYOUT}` : null
}
