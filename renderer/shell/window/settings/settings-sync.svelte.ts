import { untrack } from 'svelte'
import type { PageSettings } from '../../../../backend/contract/accounts.ts'
import { pageSettings } from '../../../api/account-queries.ts'
import type { Live } from '../../../api/live.ts'
import type { Account } from '../account.svelte.ts'
import type { Settings } from '../settings.svelte.ts'

interface SyncDeps {
  readonly live: Pick<Live, 'source' | 'subscribe' | 'send'>
  readonly account: Pick<Account, 'user'>
  readonly settings: Settings
  showNotice(text: string, tone: 'error'): void
}

/**
 * Makes the settings of the page those of the signed-in user's account, and stores changes there.
 * Only the settings that were changed here are sent, so that two machines do not undo each other's
 * changes; an account without settings receives those of this machine. Call it inside an effect;
 * returns a function that stops it.
 */
export function syncSettings(deps: SyncDeps): () => void {
  const { live, account, settings } = deps
  const source = live.source(pageSettings)
  /** The answer that was applied last. */
  let appliedSettings: PageSettings | null = null
  /** When the account's settings were changed last, as far as known. */
  let changedAt = ''
  /** Id of the user whose account these describe. */
  let userId = ''
  let isSending = false
  let hasFailed = false

  const send = async (user: string, isFirst: boolean): Promise<void> => {
    isSending = true
    for (;;) {
      const sentSettings = settings.values
      const names = settings.unsentOf(user)
      const answer = await live.send('PUT', '/api/terminal/settings', {
        settings: isFirst
          ? sentSettings
          : Object.fromEntries(names.map((name) => [name, sentSettings[name]])),
      })
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
      if (settings.values !== sentSettings) continue
      settings.markSent(user)
      // The answer has what other machines changed meanwhile.
      if (answer.body.settings !== null) settings.replace(answer.body.settings, user)
      break
    }
    isSending = false
  }

  const receive = (user: string, body: PageSettings): void => {
    if (isSending) return
    if (user !== userId) {
      userId = user
      changedAt = ''
    }
    const isNew = body !== appliedSettings
    appliedSettings = body
    // An answer requested before the last change is outdated.
    if (isNew && body.settings !== null && (body.updatedAt ?? '') > changedAt) {
      changedAt = body.updatedAt ?? ''
      settings.replace(body.settings, user)
    }
    const isFirst = isNew && body.settings === null && changedAt === ''
    if (isFirst || settings.unsentOf(user).length > 0) void send(user, isFirst)
  }

  return $effect.root(() => {
    $effect(() => live.subscribe(source))
    $effect(() => {
      const user = account.user?.id
      const { body } = source
      const { unsent: _unsent, values: _changed } = settings
      if (user !== undefined && body !== null) untrack(() => receive(user, body))
    })
  })
}
