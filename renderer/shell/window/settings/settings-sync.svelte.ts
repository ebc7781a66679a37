import { untrack } from 'svelte'
import type { PageSettings } from '../../../../backend/contract/accounts.ts'
import { pageSettings } from '../../../api/account-queries.ts'
import type { Live } from '../../../api/live.ts'
import type { Account } from '../account.svelte.ts'
import type { Settings } from '../settings.svelte.ts'

interface SyncDeps {
  readonly live: Pick<Live, 'source' | 'hold' | 'send'>
  readonly account: Pick<Account, 'user'>
  readonly settings: Settings
  showNotice(text: string, tone: 'error'): void
}

/**
 * Makes the settings of the page those of the signed-in user's account, and stores changes there.
 * An account without settings receives those of this machine. Call it inside an effect; returns a
 * function that stops it.
 */
export function syncSettings(deps: SyncDeps): () => void {
  const { live, account, settings } = deps
  const source = live.source(pageSettings)
  /** The answer that was taken over last. */
  let taken: PageSettings | null = null
  /** When the account's settings were changed last, as far as known. */
  let changedAt = ''
  let isSending = false
  let hasFailed = false

  const send = async (user: string): Promise<void> => {
    isSending = true
    for (;;) {
      const sent = settings.shared
      const answer = await live.send('PUT', '/api/terminal/settings', { settings: sent })
      if (account.user?.id !== user) break
      if (!answer.ok) {
        // The change stays unsent: the next change or answer sends it again.
        const message = `Settings are stored on this machine only: ${answer.failure.message}`
        if (!hasFailed) deps.showNotice(message, 'error')
        hasFailed = true
        break
      }
      hasFailed = false
      changedAt = answer.body.updatedAt ?? ''
      if (settings.shared !== sent) continue
      settings.markSent(user)
      break
    }
    isSending = false
  }

  const receive = (user: string, body: PageSettings, isUnsent: boolean): void => {
    if (isSending) return
    const isNew = body !== taken
    taken = body
    // A change made in this window is newer than the account's settings.
    const isChange = isUnsent && (settings.owner === user || settings.changes > 0)
    if (isChange || (isNew && body.settings === null && changedAt === '')) void send(user)
    // An answer requested before the last change is outdated.
    else if (isNew && body.settings !== null && (body.updatedAt ?? '') > changedAt) {
      changedAt = body.updatedAt ?? ''
      settings.replace(body.settings, user)
    }
  }

  return $effect.root(() => {
    $effect(() => live.hold(source))
    $effect(() => {
      const user = account.user?.id
      const { body } = source
      const { isUnsent, shared: _changed } = settings
      if (user !== undefined && body !== null) untrack(() => receive(user, body, isUnsent))
    })
  })
}
