import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { press, shownPane } from '../../testing/shown-pane.ts'
import { renderSignedIn } from '../../testing/signed-in.svelte.ts'
import SettingsPane from './SettingsPane.svelte'
import { waitUntil } from '../../testing/wait-until.ts'

const prepare = vi.hoisted(() => vi.fn<() => Promise<string>>())
vi.mock('../../shell/window/notifier.ts', async (original) => ({
  ...(await original<object>()),
  prepare,
}))

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)
const AT = '2026-11-20T10:00:00.000Z'
const part = () => screen.getByRole('region').textContent.replace(/\s+/g, ' ').trim()
const settings = (
  line: string,
  answers: (path: string) => object | null = () => null,
  writes?: Writes,
) => shownPane(line, SettingsPane, answers, writes)
/** The pane for a visitor, or for a user who is no administrator. */
async function shownTo(
  who: 'visitor' | 'user',
  line: string,
  answers: (path: string) => object | null,
) {
  const user = { id: 'usr_2', name: 'Other', email: null, tier: 'free', isAdmin: false }
  const auth = { kind: 'session', sessionId: 's', keyId: null, expiresAt: AT }
  const page = pageUnderTest((path) => {
    if (!path.startsWith('/api/auth/me')) return answers(path)
    return who === 'visitor' ? refused(401, null, '') : { user, auth, tier: {} }
  })
  await renderSignedIn(SettingsPane, page.terminal, page.paneOf(line))
  onTestFinished(page.stop)
  return page
}

it('the parts of the settings are reached by keys and by name, up to both ends', async () => {
  const { pane, keys, stop } = await settings('SET')
  const shown = () => screen.getByRole('region').getAttribute('aria-label')
  expect(shown()).toBe('Appearance settings')
  await keys('[')
  expect(shown()).toBe('Appearance settings')
  await keys(']')
  expect(shown()).toBe('Keys settings')
  expect(pane.command.args['part']).toBe('keys')
  await keys(']', ']', ']')
  expect(shown()).toBe('Data folder settings')
  await press('Sources')
  expect(shown()).toBe('Sources settings')
  expect(pane.sources.length).toBeGreaterThan(0)
  await keys('[')
  await pass(50)
  expect(pane.sources).toEqual([])
  stop()
})

describe('appearance', () => {
  it.each([
    ['Theme', 'Light', 'theme', 'light'],
    ['Text size', 'Large', 'textSize', 'large'],
    ['Row height', 'Roomy', 'density', 'roomy'],
    ['Price colours', 'Green up, red down', 'colours', 'green-red'],
    ['Volumes in', 'Contracts', 'volumeUnit', 'contracts'],
    ['Time zone', 'New York', 'timeZone', 'America/New_York'],
    ['Charts', 'Line', 'chartType', 'line'],
  ] as const)('%s: %s is chosen and stored', async (group, name, field, value) => {
    const { terminal, stop } = await settings('SET')
    const save = vi.spyOn(terminal.settings, 'save')
    const choice = within(screen.getByRole('group', { name: group })).getByRole('button', { name })
    await fireEvent.click(choice)
    expect(terminal.settings[field]).toBe(value)
    expect(choice.getAttribute('aria-pressed')).toBe('true')
    expect(save).toHaveBeenCalledTimes(1)
    stop()
  })

  it('text becomes smaller and larger in steps', async () => {
    const { stop } = await settings('SET')
    const size = () => Number.parseInt(screen.getByText(/^\d+%$/).textContent, 10)
    const before = size()
    expect(before).toBe(100)
    await press('Larger text')
    expect(size()).toBeGreaterThan(before)
    await press('Smaller text')
    await press('Smaller text')
    expect(size()).toBeLessThan(before)
    stop()
  })

  it.each([
    ['shown', true],
    ['denied', false],
  ])('notifications that are %s are on: %s', async (result, isOn) => {
    prepare.mockReset().mockResolvedValue(result)
    const { terminal, stop } = await settings('SET')
    const save = vi.spyOn(terminal.settings, 'save')
    const group = within(screen.getByRole('group', { name: 'Notifications' }))
    await fireEvent.click(group.getByRole('button', { name: 'On' }))
    await waitUntil(() => expect(save).toHaveBeenCalled())
    expect(terminal.settings.notifies).toBe(isOn)
    expect(prepare).toHaveBeenCalledTimes(1)
    expect(group.getByRole('button', { name: isOn ? 'On' : 'Off' }).ariaPressed).toBe('true')
    expect(
      screen
        .getByRole('group', { name: 'Notifications' })
        .parentElement?.querySelector('[role="status"]'),
    ).not.toBeNull()
    await fireEvent.click(group.getByRole('button', { name: 'Off' }))
    await waitUntil(() => expect(save).toHaveBeenCalledTimes(2))
    expect(terminal.settings.notifies).toBe(false)
    expect(prepare).toHaveBeenCalledTimes(1)
    expect(
      screen
        .getByRole('group', { name: 'Notifications' })
        .parentElement?.querySelector('[role="status"]'),
    ).toBeNull()
    stop()
  })

  it('shows the first steps again, and where the settings are stored', async () => {
    const { terminal, stop } = await settings('SET')
    expect(part()).toContain('Stored in your account')
    terminal.welcome.isOpen = false
    await pass(50)
    await press('Show the card again')
    expect(terminal.welcome.isOpen).toBe(true)
    stop()
    cleanup()
    await shownTo('visitor', 'SET', () => null)
    expect(part()).toContain('Stored in this browser')
    expect(part()).not.toContain('Secrets')
  })

  it('of the desktop shows where secrets are stored, and opens the logs', async () => {
    const showLogs = vi.fn()
    vi.stubGlobal('augury', {
      secretStorage: () => Promise.resolve({ text: 'In the keychain.' }),
      showLogs,
    })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { stop } = await settings('SET')
    expect(part()).toContain('In the keychain.')
    await press('Open folder')
    expect(showLogs).toHaveBeenCalledTimes(1)
    stop()
  })
})

describe('keys', () => {
  const pressKey = async (label: RegExp, key: string, more: object = {}) => {
    const button = screen.getByRole('button', { name: label })
    await fireEvent.click(button)
    await fireEvent.keyDown(button, { key, ...more })
  }
  async function keysPane() {
    const page = await settings('SET keys')
    page.terminal.keys.bind('global', [
      { chord: 'F6', label: 'one action', run: () => {} },
      { chord: 'F7', label: 'another action', run: () => {} },
    ])
    page.terminal.keys.bind(`pane:${page.pane.id}`, [
      { chord: 'F9', label: 'an action of panes', run: () => {} },
    ])
    // The list is rebuilt when a pane opens.
    page.terminal.panes.set('other', page.paneOf('SET'))
    await pass(50)
    return page
  }
  const chordOf = (label: string) =>
    screen.getByRole('button', { name: new RegExp(`^Key of ${label}:`) }).textContent.trim()
  const asks = () => screen.queryByRole('alertdialog', { name: 'Key in use' })

  it('are assigned by a press, removed and reset', async () => {
    const { terminal, stop } = await keysPane()
    const reset = screen.getByRole<HTMLButtonElement>('button', { name: 'Reset shortcuts' })
    expect(reset.disabled).toBe(true)
    await pressKey(/^Key of one action/, 'F8')
    expect(chordOf('one action')).toBe('F8')
    expect(reset.disabled).toBe(false)
    expect(asks()).toBeNull()
    await press('one action: back to F6')
    expect(chordOf('one action')).toBe('F6')
    await press('one action: none')
    expect(chordOf('one action')).toBe('none')
    await fireEvent.click(reset)
    expect(chordOf('one action')).toBe('F6')
    expect(terminal.keySettings.chords).toEqual({})
    stop()
  })

  it('are assigned while listening only, and neither by Escape nor by reserved keys', async () => {
    const { stop } = await keysPane()
    const name = /^Key of one action/
    const button = () => screen.getByRole('button', { name })
    await fireEvent.keyDown(button(), { key: 'F8' })
    expect(chordOf('one action')).toBe('F6')
    for (const escape of [{ key: 'Escape' }, { key: 'Tab' }, { key: 'Tab', shiftKey: true }]) {
      await fireEvent.click(button())
      expect(button().textContent).toContain('Press a key, Esc to cancel')
      expect(button().getAttribute('aria-pressed')).toBe('true')
      await fireEvent.keyDown(button(), { key: 'Control', ctrlKey: true })
      expect(button().getAttribute('aria-pressed')).toBe('true')
      await fireEvent.keyDown(button(), escape)
      expect(button().getAttribute('aria-pressed')).toBe('false')
      expect(chordOf('one action')).toBe('F6')
    }
    await fireEvent.click(button())
    await fireEvent.click(button())
    expect(chordOf('one action')).toBe('F6')
    await fireEvent.click(button())
    await fireEvent.blur(button())
    expect(chordOf('one action')).toBe('F6')
    stop()
  })

  it('in use are assigned after a confirmation, and the other action has none', async () => {
    const { stop } = await keysPane()
    await pressKey(/^Key of one action/, 'F7')
    expect(asks()?.textContent).toContain(
      'F7 is assigned to “another action”, which will have no key.',
    )
    expect(asks()?.closest('tr')?.previousElementSibling?.textContent).toContain('one action')
    await press('Cancel')
    expect(asks()).toBeNull()
    expect(chordOf('one action')).toBe('F6')
    await pressKey(/^Key of one action/, 'F7')
    await press('Use it here')
    expect(asks()).toBeNull()
    expect([chordOf('one action'), chordOf('another action')]).toEqual(['F7', 'none'])
    stop()
  })

  it('of a pane may share the chord of a global key', async () => {
    const { stop } = await keysPane()
    await pressKey(/^Key of an action of panes/, 'F6')
    expect(asks()?.textContent).toContain(
      'F6 is also “one action”; keys of the pane or bar take precedence.',
    )
    await press('Use it here')
    expect([chordOf('an action of panes'), chordOf('one action')]).toEqual(['F6', 'F6'])
    stop()
  })

  it('run a command of the user', async () => {
    const { terminal, stop } = await keysPane()
    const add = async (line: string) => {
      await fireEvent.input(screen.getByLabelText('Command'), { target: { value: line } })
      await press('Add')
    }
    await add('WORLD iran')
    expect(screen.getByRole('alert').textContent).toBe('Press a key first.')
    await pressKey(/^Key of the command/, 'F10')
    await add('NOTHING AT ALL')
    expect(screen.getByRole('alert').textContent).toMatch(/^The command cannot be read: .+\.$/)
    expect(terminal.keySettings.own).toEqual([])
    await add(' WORLD iran ')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(terminal.keySettings.own).toEqual([{ chord: 'F10', line: 'WORLD iran' }])
    expect(screen.getByLabelText<HTMLInputElement>('Command').value).toBe('')
    expect(screen.getByRole('button', { name: /^Key of the command/ }).textContent).toBe('none')
    // One that is in use is assigned after a confirmation.
    await pressKey(/^Key of the command/, 'F10')
    await add('MOV')
    expect(terminal.keySettings.own).toHaveLength(1)
    await press('Use it here')
    expect(asks()).toBeNull()
    expect(terminal.keySettings.own).toEqual([{ chord: 'F10', line: 'MOV' }])
    await press('Remove MOV')
    expect(terminal.keySettings.own).toEqual([])
    expect(screen.queryByRole('table', { name: 'Custom shortcuts' })).toBeNull()
    stop()
  })

  it('of single letters are switched off and on', async () => {
    const { terminal, stop } = await keysPane()
    const save = vi.spyOn(terminal.keySettings, 'save')
    const box = screen.getByRole<HTMLInputElement>('checkbox')
    expect(box.checked).toBe(true)
    await fireEvent.click(box)
    expect([terminal.keySettings.singleKeys, save.mock.calls.length]).toEqual([false, 1])
    await fireEvent.click(box)
    expect(terminal.keySettings.singleKeys).toBe(true)
    stop()
  })
})

describe('sources', () => {
  const component = (name: string, more: object = {}) => ({
    name,
    status: 'operational',
    dataAgeSeconds: null,
    lastOkAt: null,
    message: null,
    ...more,
  })
  const model = {
    name: 'llm',
    configured: false,
    source: null,
    url: null,
    hasKey: false,
    models: null,
  }
  const body = (path: string): object | null => {
    if (path.startsWith('/status')) {
      const components = [
        component('venue_a', { status: 'outage', dataAgeSeconds: 90, message: 'silent' }),
        component('other'),
      ]
      return { status: 'degraded', components, incidents: [], updatedAt: AT }
    }
    if (path.startsWith('/api/doctor')) {
      const check = (name: string, state: string, fix: string | null) => ({
        name,
        state,
        detail: `Detail of ${name}`,
        fix,
      })
      return {
        checks: [check('disk', 'fail', 'Free space'), check('clock', 'ok', null)],
        providers: [
          { name: 'news', configured: true },
          { name: 'social', configured: false },
        ],
      }
    }
    return path.startsWith('/api/admin/providers') ? model : null
  }
  const rows = (name: string) =>
    within(screen.getByRole('table', { name }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => [...row.children].map(({ textContent }) => textContent))

  it('of the owner have the checks, the providers and the model', async () => {
    const { stop } = await settings('SET sources', body)
    expect(part()).toContain('Not known yet')
    expect(rows('Sources')).toEqual([
      ['Kalshi', 'outage', '1m', 'silent'],
      ['other', 'operational', '–', '–'],
    ])
    expect(document.querySelectorAll('tr.warns')).toHaveLength(1)
    expect(rows('Providers')).toEqual([
      ['news', 'configured'],
      ['social', 'not configured'],
    ])
    expect(
      [...document.querySelectorAll('li.warns')].map((item) =>
        item.textContent.replace(/\s+/g, ' '),
      ),
    ).toEqual([expect.stringMatching(/disk ?failed ?Detail of disk ?· Free space/)])
    expect(part()).toContain('Language model')
    stop()
  })

  it.each([
    ['visitor', true],
    ['user', false],
  ] as const)(
    'of a %s have neither, with a sentence that explains it: %s',
    async (who, isExplained) => {
      const { requested } = await shownTo(who, 'SET sources', body)
      expect(requested.filter((path) => /doctor|providers/.test(path))).toEqual([])
      expect(screen.queryByRole('table', { name: 'Providers' })).toBeNull()
      expect(part().includes('Checks and providers are shown to the signed-in owner only.')).toBe(
        isExplained,
      )
    },
  )
})

describe('the data folder', () => {
  const folder = { path: '/data/augury', bytes: 1_500_000 }
  const run = (state: string, more: object = {}) => ({
    id: 'bak_1',
    state,
    out: '/backups/one',
    at: AT,
    error: null,
    filesDone: 3,
    filesAll: null,
    rows: 12_000,
    bytes: 2_000_000,
    startedAt: AT,
    endedAt: null,
    ...more,
  })
  async function dataPane(
    states: readonly object[],
    start: ReturnType<Writes> = { ok: true, body: { id: 'bak_1' } },
  ) {
    const left = [...states]
    const page = await settings(
      'SET data',
      (path) => {
        if (path.startsWith('/api/doctor')) return { checks: [], providers: [], folder }
        if (!path.startsWith('/api/backups')) return null
        return left.length > 1 ? (left.shift() ?? null) : (left[0] ?? null)
      },
      ({ method }) => (method === 'POST' ? start : { ok: true, body: {} }),
    )
    const out = () => screen.getByLabelText<HTMLInputElement>(/^Folder on the service/)
    const posts = () => page.sent.filter(({ method }) => method === 'POST').map(({ body }) => body)
    return { ...page, out, posts }
  }

  it('is backed up to the suggested folder, with its progress and a way to cancel', async () => {
    const { out, posts, sent, stop } = await dataPane([
      run('queued'),
      run('running', { filesAll: 1_000 }),
      run('done'),
    ])
    expect(part()).toContain('/data/augury')
    expect(part()).toContain('1.5 MB')
    expect(out().value).toBe('/data/augury-backup-2026-11-20')
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    await press('Back up now')
    await pass(50)
    expect(posts()).toEqual([{ out: '/data/augury-backup-2026-11-20' }])
    expect(part()).toContain('Scanning files')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Back up now' }).disabled).toBe(
      true,
    )
    await press('Cancel')
    expect(
      sent.some(({ method, path }) => method === 'DELETE' && path === '/api/backups/bak_1'),
    ).toBe(true)
    await pass(600)
    expect(part()).toContain('3 of 1,000 files')
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
    expect(screen.getByRole('progressbar').getAttribute('value')).toBe('3')
    await pass(600)
    expect(part()).toMatch(/Backup written: 12,000 rows, 2\.0 MB, as of 2026-11-20/)
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
    // The command restores what was written.
    expect(part()).toContain('npx augury restore /backups/one --data /data/augury --force')
    stop()
  })

  it('is backed up to a typed folder with its options, and not to none', async () => {
    const { out, posts, stop } = await dataPane([run('cancelled')])
    await fireEvent.input(out(), { target: { value: '  ' } })
    await press('Back up now')
    expect(posts()).toEqual([])
    await fireEvent.input(out(), { target: { value: ' /backups/two ' } })
    await fireEvent.click(screen.getByRole('checkbox', { name: /^Replace an older backup/ }))
    await fireEvent.click(screen.getByRole('checkbox', { name: /^Include session signing keys/ }))
    await press('Back up now')
    await pass(50)
    expect(posts()).toEqual([{ out: '/backups/two', force: true, withSecrets: true }])
    expect(part()).toContain('The backup was cancelled and its files were removed.')
    stop()
  })

  it.each([
    ['no space left', 'The backup failed: no space left.'],
    [null, 'The backup failed: no reason was reported.'],
  ])('may fail because of %s', async (error, text) => {
    const { stop } = await dataPane([run('failed', { error })])
    await press('Back up now')
    await pass(50)
    expect(screen.getByRole('alert').textContent).toBe(text)
    stop()
  })

  it('states why a backup was refused', async () => {
    const { stop } = await dataPane([], refused(400, 'VALIDATION_ERROR', 'the folder is not empty'))
    await press('Back up now')
    await pass(50)
    expect(screen.getByRole('alert').textContent).toContain('not empty')
    stop()
  })

  it('is restored from a typed folder', async () => {
    const { stop } = await dataPane([])
    const field = screen.getByLabelText('Backup folder')
    expect(part()).not.toContain('npx augury restore')
    await fireEvent.input(field, { target: { value: ' /backups/my one ' } })
    expect(part()).toContain("npx augury restore '/backups/my one' --data /data/augury --force")
    await fireEvent.input(field, { target: { value: ' ' } })
    expect(part()).not.toContain('npx augury restore')
    stop()
  })

  it.each([
    ['visitor', 'to see the data folder and make a backup'],
    ['user', 'Only the owner of this service can see the data folder and its backups.'],
  ] as const)('is hidden from a %s', async (who, text) => {
    const { requested } = await shownTo(who, 'SET data', () => null)
    expect(part()).toContain(text)
    expect(requested.filter((path) => path.includes('doctor'))).toEqual([])
  })
})
