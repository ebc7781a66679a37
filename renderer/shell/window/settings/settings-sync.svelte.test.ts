import { flushSync } from 'svelte'
import { expect, it, vi } from 'vitest'
import type { PageSettings } from '../../../../backend/contract/accounts.ts'
import { Settings } from '../settings.svelte.ts'
import { syncSettings } from './settings-sync.svelte.ts'

const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`
const stored = (settings: PageSettings['settings'], minute: number): PageSettings => ({
  settings,
  updatedAt: settings === null ? null : at(minute),
})

/** A signed-in page; `answer` is the newest answer of the service, which stores at minute 5. */
function setUp(local: Readonly<Record<string, unknown>> = {}) {
  const kept = new Map([['augury.settings', JSON.stringify({ version: 1, ...local })]])
  const settings = new Settings({
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, value) => void kept.set(name, value),
  })
  let body = $state.raw<PageSettings | null>(null)
  let user = $state({ id: 'ann' })
  let isFull = false
  let inAccount: Readonly<Record<string, unknown>> = {}
  const sent: unknown[] = []
  const notices: string[] = []
  const live = {
    source: () => ({
      get body() {
        return body
      },
    }),
    subscribe: () => () => {},
    send: (_method: string, _path: string, { settings: put }: { settings: object }) => {
      sent.push(put)
      if (isFull) return Promise.resolve({ ok: false, failure: { message: 'limit reached' } })
      inAccount = { ...inAccount, ...put }
      return Promise.resolve({ ok: true, body: { settings: inAccount, updatedAt: at(5) } })
    },
  }
  const end = syncSettings({
    live: live as never,
    account: {
      get user() {
        return user
      },
    } as never,
    settings,
    showNotice: (text) => notices.push(text),
  })
  const settle = async () => {
    flushSync()
    await vi.waitFor(() => Promise.resolve())
    flushSync()
  }
  return {
    settings,
    sent,
    notices,
    end,
    settle,
    keptNow: () => JSON.parse(kept.get('augury.settings') ?? '{}') as Record<string, unknown>,
    /** Another machine stores settings; this one has not read them. */
    changeElsewhere: (change: object) => void (inAccount = { ...inAccount, ...change }),
    fill: (value: boolean) => (isFull = value),
    /** Another user signs in; the answers of the former one are dropped. */
    signIn: (id: string) => {
      body = null
      user = { id }
      return settle()
    },
    answer: (next: PageSettings) => {
      body = next
      inAccount = next.settings ?? {}
      return settle()
    },
  }
}

it('takes over the settings of the account, and stores a change there [terminal.settings.account]', async () => {
  const { settings, sent, answer, settle, keptNow, end } = setUp({ theme: 'contrast' })
  await answer(stored({ theme: 'light', scale: 1.25, density: 'compact' }, 1))
  expect([settings.theme, settings.textSize, settings.density]).toEqual([
    'light',
    'large',
    'compact',
  ])
  expect(sent).toEqual([])
  expect(keptNow()).toMatchObject({ theme: 'light', owner: 'ann', unsent: [] })
  settings.density = 'roomy'
  settings.save()
  await settle()
  expect(sent).toEqual([{ density: 'roomy' }])
  expect(settings.unsent).toEqual([])
  // After a reload it is not sent a second time.
  expect(keptNow()).toMatchObject({ density: 'roomy', owner: 'ann', unsent: [] })
  // An answer from before the change is outdated; one of another machine is not.
  await answer(stored({ theme: 'light', density: 'compact' }, 1))
  expect(settings.density).toBe('roomy')
  await answer(stored({ theme: 'dark', density: 'normal' }, 6))
  expect([settings.theme, settings.density]).toEqual(['dark', 'normal'])
  end()
})

it('gives an account without settings those of this machine, once [terminal.settings.account]', async () => {
  const { sent, answer, end, settings } = setUp({ theme: 'light', notifies: true })
  await answer(stored(null, 0))
  await answer(stored(null, 0))
  expect(sent).toEqual([expect.objectContaining({ theme: 'light' })])
  expect(sent[0]).not.toHaveProperty('notifies')
  expect([settings.owner, settings.notifies]).toEqual(['ann', true])
  end()
})

it('sends a change that the account does not have after a reload [terminal.settings.account]', async () => {
  const local = { density: 'roomy', owner: 'ann', unsent: ['density'] }
  const { settings, sent, notices, answer, fill, end } = setUp(local)
  fill(true)
  await answer(stored({ density: 'compact' }, 1))
  expect(settings.density).toBe('roomy')
  expect(notices).toEqual(['Settings are stored on this machine only: limit reached'])
  expect(sent).toHaveLength(1)
  fill(false)
  await answer(stored({ density: 'compact' }, 1))
  expect([sent.length, settings.unsent, settings.density]).toEqual([2, [], 'roomy'])
  end()
})

it('replaces settings of another account [terminal.settings.account]', async () => {
  const { settings, sent, answer, end } = setUp({ theme: 'light', owner: 'bob', unsent: ['theme'] })
  await answer(stored({ theme: 'contrast' }, 1))
  expect([settings.theme, settings.owner, sent]).toEqual(['contrast', 'ann', []])
  end()
})

it('a change before the account answered replaces that setting only [terminal.settings.account]', async () => {
  const { settings, sent, answer, end } = setUp({ scale: 2, owner: 'bob', unsent: ['scale'] })
  settings.density = 'compact'
  settings.save()
  await answer(stored({ theme: 'contrast', density: 'roomy', scale: 1.25, later: true }, 1))
  expect([settings.theme, settings.density, settings.scale]).toEqual(['contrast', 'compact', 1.25])
  expect([settings.owner, settings.unsent]).toEqual(['ann', []])
  expect(sent).toEqual([{ density: 'compact' }])
  end()
})

it('takes over the settings of the next user, however old they are [terminal.settings.account]', async () => {
  const { settings, sent, answer, signIn, end } = setUp()
  await answer(stored({ theme: 'light' }, 3))
  await signIn('bob')
  await answer(stored({ theme: 'contrast' }, 1))
  expect([settings.theme, settings.owner, sent]).toEqual(['contrast', 'bob', []])
  end()
})

it('two machines do not undo each other’s changes [terminal.settings.account]', async () => {
  const { settings, sent, answer, changeElsewhere, settle, end } = setUp()
  await answer(stored({ theme: 'light', density: 'normal' }, 1))
  changeElsewhere({ theme: 'contrast' })
  settings.density = 'compact'
  settings.save()
  await settle()
  expect(sent).toEqual([{ density: 'compact' }])
  expect([settings.theme, settings.density, settings.unsent]).toEqual(['contrast', 'compact', []])
  end()
})
