import { flushSync } from 'svelte'
import { describe, expect, it, vi } from 'vitest'
import { HIDDEN_AT_FIRST, MARK_KINDS } from '../../../charts/mark-kinds.ts'
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

it('reports once that changes are stored on this machine only [terminal.settings.account]', async () => {
  const { settings, sent, notices, answer, settle, fill, end } = setUp()
  await answer(stored({ theme: 'dark' }, 1))
  fill(true)
  for (const scale of [1.1, 1.25]) {
    settings.scale = scale
    settings.save()
    await settle()
  }
  expect([sent.length, notices.length]).toEqual([2, 1])
  fill(false)
  settings.scale = 1.5
  settings.save()
  await settle()
  expect([sent.at(-1), settings.unsent]).toEqual([{ scale: 1.5 }, []])
  fill(true)
  settings.scale = 2
  settings.save()
  await settle()
  expect(notices).toHaveLength(2)
  end()
})

it('sends nothing after its end', async () => {
  const { settings, sent, answer, settle, end } = setUp()
  await answer(stored({ theme: 'dark' }, 1))
  end()
  settings.scale = 2
  settings.save()
  await settle()
  expect(sent).toEqual([])
})

describe('settings of this machine', () => {
  const settingsOf = (own: object) => {
    const kept = new Map([['augury.settings', JSON.stringify({ version: 1, ...own })]])
    const keep = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
    }
    return { settings: new Settings(keep), keep }
  }

  it.each([
    ['theme', 'light', 'dark'],
    ['density', 'roomy', 'normal'],
    ['scale', 1.75, 1],
    ['colours', 'green-red', 'blue-orange'],
    ['volumeUnit', 'contracts', 'usd'],
    ['chartType', 'candles', 'step'],
    ['timeZone', 'UTC', 'local'],
  ] as const)('%s may be %s; anything else is %s', (name, value, standard) => {
    expect(settingsOf({ [name]: value }).settings[name]).toBe(value)
    expect(settingsOf({ [name]: 'other' }).settings[name]).toBe(standard)
    expect(settingsOf({}).settings[name]).toBe(standard)
  })

  it('has a permission, an owner and unsent names only when they are valid', () => {
    const valid = { notifies: true, owner: 'ann', unsent: ['scale', 'other', 'theme'] }
    const { notifies, owner, unsent } = settingsOf(valid).settings
    expect({ notifies, owner, unsent }).toEqual({ ...valid, unsent: ['theme', 'scale'] })
    const none = settingsOf({ notifies: 'yes', owner: 7, unsent: 'scale' }).settings
    expect([none.notifies, none.owner, none.unsent]).toEqual([false, null, []])
  })

  it('rows are as high as the density and the size of the text need', () => {
    const height = (own: object) => settingsOf(own).settings.rowHeight
    expect([
      height({}),
      height({ density: 'compact' }),
      height({ density: 'roomy', scale: 1.25 }),
      height({ scale: 0.9 }),
    ]).toEqual([26, 22, 40, 23])
  })

  it('the text grows and shrinks by steps, to 80 and 200 %', () => {
    const { settings, keep } = settingsOf({ scale: 1.75 })
    const sizes = []
    for (const step of [1, 1] as const) {
      settings.zoom(step)
      sizes.push(settings.scale)
    }
    expect([sizes, settings.textSize, new Settings(keep).scale]).toEqual([[2, 2], null, 2])
    const small = settingsOf({ scale: 0.9 }).settings
    expect(small.textSize).toBe('small')
    for (const step of [-1, -1] as const) small.zoom(step)
    expect([small.scale, small.textSize]).toEqual([0.8, null])
  })

  it('kinds of events are hidden and marked again', () => {
    const { settings, keep } = settingsOf({ hiddenMarks: ['trade', 'other'] })
    expect(settings.hiddenMarks).toEqual([])
    const [kind] = MARK_KINDS
    settings.toggleMarks(kind)
    expect([settings.hiddenMarks, new Settings(keep).hiddenMarks]).toEqual([[kind], [kind]])
    settings.toggleMarks(kind)
    expect([settings.hiddenMarks, new Settings(keep).hiddenMarks]).toEqual([[], []])
    expect(settingsOf({ hiddenMarks: 7 }).settings.hiddenMarks).toEqual(HIDDEN_AT_FIRST)
  })

  it('the theme of the system is drawn as the machine prefers', () => {
    const { settings } = settingsOf({ theme: 'system' })
    expect([settings.themeInEffect(true), settings.themeInEffect(false)]).toEqual(['light', 'dark'])
    settings.theme = 'contrast'
    expect(settings.themeInEffect(true)).toBe('contrast')
  })

  it('volumes name their unit', () => {
    const names = ['usd', 'contracts'].map(
      (volumeUnit) => settingsOf({ volumeUnit }).settings.volumeName.split(';')[0],
    )
    expect(names).toEqual(['dollars', 'contracts'])
  })

  it('are reloaded from another window; what it changed is no change of this one', () => {
    const { settings, keep } = settingsOf({ scale: 1 })
    const other = new Settings(keep)
    other.scale = 2
    other.save()
    settings.reload()
    expect([settings.scale, settings.unsent]).toEqual([2, ['scale']])
    settings.theme = 'light'
    settings.save()
    expect(settings.unsent).toEqual(['theme', 'scale'])
    expect(settings.unsentOf('ann')).toEqual(['theme'])
    settings.owner = 'ann'
    expect(settings.unsentOf('ann')).toEqual(['theme', 'scale'])
  })
})

it('stores whose settings they are, and that the account has them', () => {
  const kept = new Map<string, string>()
  const keep = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  }
  const settings = new Settings(keep)
  settings.theme = 'light'
  settings.save()
  expect([new Settings(keep).owner, new Settings(keep).unsent]).toEqual([null, ['theme']])
  settings.markSent('ann')
  expect([new Settings(keep).owner, new Settings(keep).unsent]).toEqual(['ann', []])
  settings.density = 'roomy'
  settings.save()
  settings.replace({ theme: 'dark', density: 'compact' }, 'ann')
  const again = new Settings(keep)
  // The change that the account does not have stays.
  expect([again.owner, again.unsent, again.theme, again.density]).toEqual([
    'ann',
    ['density'],
    'dark',
    'roomy',
  ])
})
