import { render } from '@testing-library/svelte'
import type { Component } from 'svelte'
import { onTestFinished, vi } from 'vitest'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import type { Terminal } from '../shell/terminal.svelte.ts'

export const AT = '2026-11-20T10:00:00.000Z'

/** The answer of `/api/auth/me` to a signed-in owner. */
export const OWNER = {
  user: { id: 'usr_1', name: 'Owner', email: null, tier: 'institutional', isAdmin: true },
  auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
  tier: { tier: 'institutional', requestsPerMinute: 60_000 },
}

/** Draws a pane on mocked timers once the terminal knows its user, and waits for its answers. */
export async function renderSignedIn(
  drawn: Component<{ terminal: Terminal; pane: Pane }>,
  terminal: Terminal,
  pane: Pane,
): Promise<void> {
  const { account } = terminal
  onTestFinished(
    $effect.root(() => {
      $effect(() => account.watch())
      $effect(() => account.follow())
    }),
  )
  await vi.advanceTimersByTimeAsync(100)
  render(drawn, { terminal, pane })
  await vi.advanceTimersByTimeAsync(1_000)
}
