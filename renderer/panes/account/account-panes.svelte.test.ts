import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import { column } from '../../testing/shown-pane.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import AccountPane from './AccountPane.svelte'
import CliLogin from './CliLogin.svelte'
import KeysPane from './KeysPane.svelte'
import UsagePane from './UsagePane.svelte'
import { waitUntil } from '../../testing/wait-until.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  // jsdom does not implement dialogs.
  HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement) {
    this.setAttribute('open', '')
  }
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const user = {
  id: 'usr_1',
  email: null,
  name: 'Owner',
  tier: 'institutional',
  isOwner: true,
  isAdmin: true,
  provider: 'local',
  hasPassword: false,
  createdAt: AT,
}
const me = {
  user,
  auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
  tier: { tier: 'institutional', requestsPerMinute: 60_000 },
}
const key = (id: string, name: string, revokedAt: string | null = null) => ({
  id,
  name,
  keyPrefix: 'svc_live_abc',
  lastUsedAt: null,
  revokedAt,
  createdAt: AT,
})
const usage = {
  period: '30d',
  from: '2026-11-19T00:00:00.000Z',
  to: AT,
  totals: {
    requests: 1_500,
    errors: 2,
    rateLimited: 7,
    llmCalls: 1,
    inputTokens: 10,
    outputTokens: 20,
    costUsd: 0.5,
  },
  byDay: [{ date: '2026-11-19', requests: 1_500, errors: 2, costUsd: 0.5 }],
  byRoute: [{ route: 'GET /api/keys', requests: 3, p50Ms: 1.25, p95Ms: null }],
  byKey: [{ keyId: null, name: 'session', requests: 1_500 }],
  limits: [{ class: 'query', limit: 60, used: 60, resetAt: AT }],
}

interface Scene {
  me: object
  keys: object[]
  usage: object
  sessions: object[]
}

async function setUp(
  line: string,
  { isSignedIn = true, writes }: { isSignedIn?: boolean; writes?: Writes } = {},
) {
  const scene: Scene = { me, keys: [key('key_1', 'agent')], usage, sessions: [] }
  const page = pageUnderTest((path) => {
    if (path === '/api/auth/me') {
      return page.service.isSignedIn ? scene.me : refused(401, 'AUTH_REQUIRED', 'Sign in')
    }
    if (path === '/api/keys') return { keys: scene.keys }
    if (path === '/api/data-keys') return { keys: [] }
    if (path.startsWith('/api/dashboard/usage')) return scene.usage
    return path === '/api/auth/sessions' ? { sessions: scene.sessions } : null
  }, writes)
  page.service.isSignedIn = isSignedIn
  const { account } = page.terminal
  const stop = $effect.root(() => {
    $effect(() => account.watch())
    $effect(() => account.follow())
  })
  await pass(100)
  const pane = page.paneOf(line)
  return { ...page, pane, scene, end: () => (stop(), page.stop()) }
}

const ok = (body: object): Answer<object> => ({ ok: true, body })
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
const click = (name: string | RegExp) => fireEvent.click(button(name))
/** Writes that are answered later. */
function heldWrites() {
  const answers: ((answer: Answer<object>) => void)[] = []
  const writes: Writes = () =>
    new Promise<Answer<object>>((resolve) => answers.push(resolve)) as never
  const answer = async (given: Answer<object>) => {
    answers.shift()?.(given)
    await pass(100)
  }
  return { writes, answer }
}
/** Presses keys in a pane. */
const keysIn =
  ({ terminal, pane }: Pick<Awaited<ReturnType<typeof setUp>>, 'terminal' | 'pane'>) =>
  async (...keys: readonly string[]) => {
    for (const key of keys) {
      terminal.keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
      await pass(50)
    }
  }

describe('the keys pane', () => {
  it('sends no request when signed out, and offers to sign in', async () => {
    const { terminal, pane, requested, end } = await setUp('KEY', { isSignedIn: false })
    render(KeysPane, { terminal, pane })
    await pass(100)
    expect(screen.getByText(/to see your keys/)).toBeTruthy()
    expect(requested.filter((path) => path.startsWith('/api/'))).toEqual([])
    end()
  })

  // [terminal.access.key-refusals]
  it('explains why a key was not created', async () => {
    const { terminal, pane, end } = await setUp('KEY', {
      writes: () => refused(409, 'KEY_LIMIT', 'At most 20 active keys'),
    })
    render(KeysPane, { terminal, pane })
    await pass(100)
    await fireEvent.click(screen.getByRole('button', { name: 'Create key' }))
    await pass(20)
    expect(screen.getByRole('alert').textContent).toMatch(/20 active keys.*Revoke one/)
    end()
  })

  it('discards an unsaved key when another user signs in', async () => {
    const created = {
      id: 'key_2',
      key: 'svc_live_RAW',
      keyPrefix: 'svc_live_RAW',
      name: 'x',
      message: '',
    }
    const { terminal, pane, scene, end } = await setUp('KEY', { writes: () => ok(created) })
    render(KeysPane, { terminal, pane })
    await pass(100)
    await fireEvent.click(screen.getByRole('button', { name: 'Create key' }))
    await pass(100)
    expect(screen.getByText('svc_live_RAW', { selector: 'code' })).toBeTruthy()
    scene.me = { ...me, user: { ...user, id: 'usr_2', name: 'Other' } }
    terminal.account.onSignIn()
    await pass(100)
    expect(screen.queryByText('svc_live_RAW', { selector: 'code' })).toBeNull()
    end()
  })

  it('shows a key to nobody else when the user changes before it is created', async () => {
    const { writes, answer } = heldWrites()
    const { terminal, pane, scene, end } = await setUp('KEY', { writes })
    render(KeysPane, { terminal, pane })
    await pass(100)
    await click('Create key')
    scene.me = { ...me, user: { ...user, id: 'usr_2', name: 'Other' } }
    terminal.account.onSignIn()
    await pass(100)
    expect(terminal.account.user?.id).toBe('usr_2')
    await answer(ok({ id: 'key_2', key: 'svc_live_RAW', keyPrefix: 'svc', name: 'x', message: '' }))
    expect(screen.queryByText('svc_live_RAW', { selector: 'code' })).toBeNull()
    end()
  })

  it('revokes nothing without a confirmation', async () => {
    const { terminal, pane, sent, end } = await setUp('KEY', {
      writes: () => ok({ success: true }),
    })
    render(KeysPane, { terminal, pane })
    await pass(100)
    await fireEvent.click(screen.getByRole('button', { name: 'Revoke agent' }))
    expect(sent).toEqual([])
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Revoke agent' }))
    await fireEvent.click(screen.getByRole('button', { name: 'Revoke key' }))
    await pass(20)
    expect(sent).toEqual([{ method: 'DELETE', path: '/api/keys/key_1', body: undefined }])
    end()
  })
})

describe('the list of keys', () => {
  const created = {
    id: 'key_2',
    key: 'svc_live_RAW',
    keyPrefix: 'svc_live_R',
    name: 'x',
    message: '',
  }

  it('counts the active ones, and marks those that were revoked', async () => {
    const { terminal, pane, scene, end } = await setUp('KEY')
    scene.keys = [key('key_1', 'agent'), { ...key('key_2', 'script', AT), lastUsedAt: AT }]
    render(KeysPane, { terminal, pane })
    await pass(100)
    expect(pane.note).toBe('1')
    expect(column(0)).toEqual(['agent', 'script'])
    expect(column(1)).toEqual(['Service', 'Service'])
    expect(column(4)).toEqual(['–', expect.stringMatching(/\d\d:\d\d/)])
    expect(column(5)).toEqual(['Revoke', expect.stringMatching(/^revoked/)])
    expect(screen.queryByText(/^No API keys yet/)).toBeNull()
    expect(await tableColumns()).toBe(
      'Name | Use, hides 2 | Prefix | Created, right, hides 3 | Last used, right, hides 1 | State',
    )
    end()
  })

  it('without keys explains what they are for', async () => {
    const { terminal, pane, scene, end } = await setUp('KEY')
    scene.keys = []
    render(KeysPane, { terminal, pane })
    await pass(100)
    expect(screen.getByText(/^No API keys yet/)).toBeTruthy()
    expect(pane.note).toBe('')
    end()
  })

  it('creates one key a press, of the chosen kind, and shows it once', async () => {
    const { writes, answer } = heldWrites()
    const page = await setUp('KEY', { writes })
    const { terminal, pane, sent, requested, end } = page
    render(KeysPane, { terminal, pane })
    await pass(100)
    await keysIn(page)('n')
    const field = screen.getByLabelText<HTMLInputElement>('Name of the new key')
    expect(document.activeElement).toBe(field)
    await fireEvent.input(field, { target: { value: 'agent two' } })
    await click('Data')
    expect(screen.getByText('for the real-time data service: /v1 and /ws')).toBeTruthy()
    const form = screen.getByRole('form', { name: 'New key' })
    await fireEvent.submit(form)
    expect(button('Create key').disabled).toBe(true)
    await fireEvent.submit(form)
    expect(sent).toEqual([{ method: 'POST', path: '/api/data-keys', body: { name: 'agent two' } }])
    requested.length = 0
    await answer(ok(created))
    expect(requested).toContain('/api/data-keys')
    expect(requested).not.toContain('/api/keys')
    expect(field.value).toBe('')
    expect(button('Create key').disabled).toBe(false)
    const notice = screen.getByRole('region', { name: 'New key x' })
    expect(document.activeElement).toBe(
      within(notice).getByRole('button', { name: 'Copy the key' }),
    )
    await click('I have stored it')
    expect(screen.queryByText('svc_live_RAW', { selector: 'code' })).toBeNull()
    expect(document.activeElement?.hasAttribute('data-focus')).toBe(true)
    end()
  })

  it('revokes one key a confirmation, and a refusal is explained until the next try', async () => {
    const { writes, answer } = heldWrites()
    const page = await setUp('KEY', { writes })
    const { terminal, pane, scene, sent, requested, end } = page
    scene.keys = [key('key_1', 'agent'), key('key_9', 'gone', AT)]
    render(KeysPane, { terminal, pane })
    await pass(100)
    // A revoked key cannot be revoked again.
    await keysIn(page)('Home', 'j', 'Delete')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await keysIn(page)('k', 'Delete')
    expect(screen.getByRole('alertdialog').textContent).toContain('Revoke “agent” (svc_live_abc…)?')
    await click('Revoke key')
    expect(button('Revoke key').disabled).toBe(true)
    requested.length = 0
    await answer(refused(503, null, 'Busy'))
    expect(screen.getByRole('alert').textContent).toBe('Busy.')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(terminal.notice).toBeNull()
    expect(requested).toContain('/api/keys')
    expect(document.activeElement?.hasAttribute('data-focus')).toBe(true)
    await click('Revoke agent')
    await click('Revoke key')
    expect(screen.queryByRole('alert')).toBeNull()
    await answer(ok({ success: true }))
    expect(terminal.notice?.text).toBe('Revoked agent: requests with it are now refused')
    expect(sent).toHaveLength(2)
    end()
  })

  it('drops a new key that is revoked before it was stored', async () => {
    const { terminal, pane, scene, end } = await setUp('KEY', {
      writes: ({ method }) => ok(method === 'POST' ? { ...created, id: 'key_1' } : {}),
    })
    scene.keys = [key('key_1', 'agent'), key('key_3', 'other')]
    render(KeysPane, { terminal, pane })
    await pass(100)
    const shown = () => screen.queryByText('svc_live_RAW', { selector: 'code' }) !== null
    await click('Create key')
    await pass(100)
    await click('Revoke other')
    await click('Revoke key')
    await pass(100)
    expect(shown()).toBe(true)
    await click('Revoke agent')
    await click('Revoke key')
    await pass(100)
    expect(shown()).toBe(false)
    end()
  })
})

describe('the usage pane', () => {
  it('is requested over a shorter or longer period, to the ends of the list', async () => {
    const page = await setUp('USE')
    const { terminal, pane, requested, end } = page
    const keys = keysIn(page)
    render(UsagePane, { terminal, pane })
    await pass(100)
    expect(requested.at(-1)).toContain('period=30d')
    const seen: unknown[] = []
    for (const pressed of ['[', '[', '[', ']', ']', ']', ']', ']']) {
      await keys(pressed)
      seen.push(pane.command.args['period'])
    }
    expect(seen).toEqual(['7d', '1d', '1d', '7d', '30d', '90d', '365d', '365d'])
    await pass(500)
    expect(requested.at(-1)).toContain('period=365d')
    end()
  })

  it('names what it does not have', async () => {
    const { terminal, pane, scene, end } = await setUp('USE')
    scene.usage = { ...usage, byRoute: [], byKey: [], limits: [], byDay: [] }
    render(UsagePane, { terminal, pane })
    await pass(100)
    expect(screen.getAllByText('No requests in this period.').length).toBeGreaterThan(1)
    expect(screen.getByText('No limited requests in the last minute.')).toBeTruthy()
    end()
  })

  it('names the windows of the terminal, marks a used limit, and labels each day', async () => {
    const { terminal, pane, scene, end } = await setUp('USE')
    scene.usage = {
      ...usage,
      byKey: [...usage.byKey, { keyId: 'key_1', name: 'agent', requests: 2 }],
      limits: [
        ...usage.limits,
        { class: 'other', limit: 60, used: 61, resetAt: AT },
        { class: 'third', limit: 60, used: 59, resetAt: AT },
      ],
    }
    render(UsagePane, { terminal, pane })
    await pass(100)
    const rows = (name: string) =>
      within(screen.getByRole('table', { name })).getAllByRole('row').slice(1)
    expect(rows('Requests by key').map((row) => row.textContent.trim())).toEqual([
      expect.stringMatching(/^Terminal windows ?1,500$/),
      expect.stringMatching(/^agent ?2$/),
    ])
    expect(rows('Current limits').map((row) => row.classList.contains('warns'))).toEqual([
      true,
      true,
      false,
    ])
    expect(rows('Current limits').map((row) => row.children[3]?.textContent)).toEqual([
      '0',
      '0',
      '1',
    ])
    expect(
      [...document.querySelectorAll('circle title')].map((title) => title.textContent),
    ).toEqual(['2026-11-19: 1,500 requests, 2 errors', '2026-11-20: 0 requests, 0 errors'])
    end()
  })

  // [terminal.access.usage]
  it('shows totals, days, routes, keys and limits, and the days as a table too', async () => {
    const { terminal, pane, end } = await setUp('USE')
    render(UsagePane, { terminal, pane })
    await pass(100)
    expect(screen.getByText('Rate limited').parentElement?.textContent).toContain('7')
    const sentence = '1,500 requests in 2 days, most on 2026-11-19 with 1,500.'
    expect(screen.getByRole('img', { name: sentence })).toBeTruthy()
    const routes = within(screen.getByRole('table', { name: 'Requests by route' }))
    expect(routes.getByRole('row', { name: 'GET /api/keys 3 1.3 ms –' })).toBeTruthy()
    const limits = within(screen.getByRole('table', { name: 'Current limits' }))
    expect(limits.getByRole('row', { name: /^query 60 60 0/ })).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'table' }))
    expect(screen.getByRole('table', { name: 'Requests by day' })).toBeTruthy()
    end()
  })

  it.each([
    [404, null, /not|404/i],
    [500, null, /500/],
  ])(
    'reports that it cannot show usage when the service responds with %d',
    async (status, code, description) => {
      const { terminal, pane, scene, end } = await setUp('USE')
      scene.usage = refused(status, code, 'Not available')
      render(UsagePane, { terminal, pane })
      await pass(100)
      expect(screen.getByRole('alert').textContent).toMatch(description)
      end()
    },
  )
})

describe('the account pane', () => {
  // [terminal.access.sign-in]
  it('signs in, shows the user, and signs out', async () => {
    const { terminal, pane, sent, service, end } = await setUp('ACCOUNT', {
      isSignedIn: false,
      writes: ({ path, body }) =>
        path === '/api/auth/signin' && (body as { password: string }).password === 'wrong'
          ? refused(401, 'AUTH_INVALID', 'Wrong email or password')
          : ok({ ended: 1 }),
    })
    render(AccountPane, { terminal, pane })
    await pass(100)
    const type = (label: string, value: string) =>
      fireEvent.input(screen.getByLabelText(label), { target: { value } })
    const submit = () => fireEvent.submit(screen.getByRole('form', { name: 'Sign in' }))
    await type('Email', 'me@example.com')
    await type('Password', 'wrong')
    await submit()
    await pass(20)
    expect(screen.getByRole('alert').textContent).toBe('Wrong email or password.')
    await type('Password', 'right password')
    service.isSignedIn = true
    await submit()
    await pass(100)
    expect(sent.at(-1)?.body).toEqual({ email: 'me@example.com', password: 'right password' })
    expect(screen.getByText('Owner')).toBeTruthy()
    expect(document.body.innerHTML).not.toContain('right password')
    service.isSignedIn = false
    await fireEvent.click(screen.getByRole('button', { name: 'Sign out' }))
    service.close(4401)
    await pass(100)
    expect(sent.at(-1)).toMatchObject({ path: '/api/auth/signout', body: { all: false } })
    expect(terminal.account.user).toBeNull()
    expect(terminal.notice?.text).toBe('Signed out. Public data stays available')
    end()
  })
})

describe('sessions', () => {
  const session = (id: string, current: boolean) => ({
    id,
    userAgent: 'curl/8.0',
    method: 'password',
    createdAt: AT,
    lastSeenAt: AT,
    expiresAt: AT,
    current,
  })
  async function accountPane() {
    const { writes, answer } = heldWrites()
    const page = await setUp('ACCOUNT', { writes })
    page.scene.sessions = [session('ses_1', true), session('ses_2', false)]
    render(AccountPane, { terminal: page.terminal, pane: page.pane })
    await pass(100)
    const reads = () => page.requested.filter((path) => path === '/api/auth/sessions').length
    return { ...page, answer, reads, keys: keysIn(page) }
  }

  it('are listed with their user, and another than this window is signed out', async () => {
    const { terminal, pane, keys, sent, answer, reads, end } = await accountPane()
    expect(pane.note).toBe('Owner')
    expect(column(5)).toEqual(['this window', 'Sign out'])
    await keys('Home', 'Delete')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    await keys('j', 'Delete')
    expect(screen.getByRole('alertdialog').textContent).toContain('Sign out curl/8.0? It will have')
    await click('Cancel')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(document.activeElement?.hasAttribute('data-focus')).toBe(true)
    await click('Sign out curl/8.0')
    await click('Sign out session')
    const before = reads()
    // The second press of a confirmation does nothing.
    expect(button('Sign out session').disabled).toBe(true)
    await answer(ok({}))
    expect(sent).toEqual([{ method: 'DELETE', path: '/api/auth/sessions/ses_2', body: undefined }])
    expect(terminal.notice?.text).toBe('Session signed out')
    expect(reads()).toBe(before + 1)
    expect(document.activeElement?.hasAttribute('data-focus')).toBe(true)
    expect(await tableColumns()).toBe(
      'Program | Signed in, hides 2 | Started, right, hides 1 | Last seen, right | Expires, right, hides 3 | State',
    )
    end()
  })

  it('that cannot be signed out keep a reason', async () => {
    const { terminal, answer, end } = await accountPane()
    await click('Sign out curl/8.0')
    await click('Sign out session')
    await answer(refused(503, null, 'Busy'))
    expect(screen.getByRole('alert').textContent).toBe('Busy.')
    expect(terminal.notice).toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    // It can be tried again.
    await click('Sign out curl/8.0')
    await click('Sign out session')
    await answer(ok({}))
    expect(screen.queryByRole('alert')).toBeNull()
    expect(terminal.notice?.text).toBe('Session signed out')
    end()
  })

  it('end once a press, and nothing else is sent meanwhile', async () => {
    const { sent, answer, end } = await accountPane()
    const signOut = button('Sign out')
    void fireEvent.click(signOut)
    await fireEvent.click(signOut)
    await pass(20)
    expect([signOut.disabled, button('Sign out everywhere').disabled]).toEqual([true, true])
    expect(sent).toHaveLength(1)
    await answer(refused(503, null, 'Busy'))
    expect(screen.getByRole('alert').textContent).toBe('Busy.')
    expect(signOut.disabled).toBe(false)
    end()
  })

  it('are all signed out after a confirmation, and the keys are one press away', async () => {
    const { terminal, sent, answer, end } = await accountPane()
    const run = vi.spyOn(terminal, 'run').mockReturnValue(null)
    await click('API keys')
    expect(run.mock.calls).toEqual([['KEY']])
    await click('Sign out everywhere')
    expect(sent).toEqual([])
    const strip = within(screen.getByRole('alertdialog', { name: 'Sign out everywhere' }))
    expect(screen.getByRole('alertdialog').textContent).toContain('including this window')
    await fireEvent.click(strip.getByRole('button', { name: 'Sign out everywhere' }))
    await answer(ok({ ended: 2 }))
    expect(sent.at(-1)).toMatchObject({ path: '/api/auth/signout', body: { all: true } })
    end()
  })
})

describe('a new account', () => {
  const type = (label: RegExp, value: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } })
  const form = () => screen.getByRole('form')
  const reason = () => screen.queryByRole('alert')?.textContent ?? null

  it.each([
    ['', 'x', 'Type your email address.'],
    ['nowhere', 'x', 'Type your email address.'],
    ['a@b', '', 'Type your password.'],
    ['a@b', '123456789', 'A password must have 10 to 256 characters.'],
    ['a@b', 'x'.repeat(257), 'A password must have 10 to 256 characters.'],
  ])('of “%s” is not sent: it lacks something', async (email, password, text) => {
    const { terminal, pane, sent, end } = await setUp('ACCOUNT', { isSignedIn: false })
    render(AccountPane, { terminal, pane })
    await pass(100)
    await click('New account')
    await type(/^Email/, email)
    await type(/^Password/, password)
    await fireEvent.submit(form())
    await pass(20)
    expect([reason(), sent]).toEqual([text, []])
    await click('Sign in')
    expect(reason()).toBeNull()
    end()
  })

  it('is created once, and shows its first key', async () => {
    const { writes, answer } = heldWrites()
    const { terminal, pane, sent, service, end } = await setUp('ACCOUNT', {
      isSignedIn: false,
      writes,
    })
    render(AccountPane, { terminal, pane })
    await pass(100)
    await click('New account')
    await type(/^Email/, ' a@b.example ')
    await type(/^Password/, '1234567890')
    await fireEvent.submit(form())
    await fireEvent.submit(form())
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({
      path: '/api/signup',
      body: { email: 'a@b.example', password: '1234567890' },
    })
    service.isSignedIn = true
    const first = {
      id: 'key_1',
      key: 'svc_live_FIRST',
      keyPrefix: 'svc',
      name: 'first',
      message: '',
    }
    await answer(ok({ user, key: first }))
    expect(screen.getByText('svc_live_FIRST', { selector: 'code' })).toBeTruthy()
    await click('I have stored it')
    expect(screen.queryByText('svc_live_FIRST', { selector: 'code' })).toBeNull()
    end()
  })

  /** The pane with the first key of a new account, and whether the key is shown. */
  const withFirstKey = async (other: Writes) => {
    const first = {
      id: 'key_1',
      key: 'svc_live_FIRST',
      keyPrefix: 'svc',
      name: 'first',
      message: '',
    }
    const page = await setUp('ACCOUNT', {
      isSignedIn: false,
      writes: (sent) => (sent.path === '/api/signup' ? ok({ user, key: first }) : other(sent)),
    })
    render(AccountPane, { terminal: page.terminal, pane: page.pane })
    await pass(100)
    await click('New account')
    await type(/^Email/, 'a@b.example')
    await type(/^Password/, '1234567890')
    page.service.isSignedIn = true
    await fireEvent.submit(form())
    await pass(100)
    const isShown = () => screen.queryByText('svc_live_FIRST', { selector: 'code' }) !== null
    expect(isShown()).toBe(true)
    return { ...page, isShown }
  }

  it('keeps its first key when signing out fails', async () => {
    const { isShown, end } = await withFirstKey(() => refused(503, null, 'Busy'))
    await click('Sign out')
    await pass(100)
    expect([reason(), isShown()]).toEqual(['Busy.', true])
    end()
  })

  it('shows its first key to no other user', async () => {
    const { terminal, scene, isShown, end } = await withFirstKey(() => ok({}))
    scene.me = { ...me, user: { ...user, id: 'usr_2', name: 'Other' } }
    terminal.account.onSignIn()
    await pass(100)
    expect([terminal.account.user?.id, isShown()]).toEqual(['usr_2', false])
    end()
  })

  it('of ten characters signs in with a shorter password too', async () => {
    const { terminal, pane, sent, end } = await setUp('ACCOUNT', {
      isSignedIn: false,
      writes: () => refused(401, 'AUTH_INVALID', 'Wrong email or password'),
    })
    render(AccountPane, { terminal, pane })
    await pass(100)
    await type(/^Email/, 'a@b')
    await type(/^Password/, 'short')
    await fireEvent.submit(form())
    await pass(20)
    expect(sent).toHaveLength(1)
    expect(reason()).toBe('Wrong email or password.')
    end()
  })
})

describe('the page of a command-line login', () => {
  const login = async (options: Parameters<typeof setUp>[1] = {}) => {
    const page = await setUp('ACCOUNT', options)
    const closed: boolean[] = []
    render(CliLogin, {
      terminal: page.terminal,
      token: 'abc',
      onclose: () => void closed.push(true),
    })
    await pass(100)
    await waitUntil(() => expect(screen.getByLabelText('Check code ba78-16bf')).toBeTruthy())
    return page
  }

  // [terminal.access.cli-click]
  it('completes nothing before a click, and then once', async () => {
    const { sent, end } = await login({ writes: () => ok({ ok: true }) })
    await pass(60_000)
    expect(sent).toEqual([])
    expect(screen.getByText('Owner')).toBeTruthy()
    const allow = screen.getByRole('button', { name: 'Allow' })
    void fireEvent.click(allow)
    await fireEvent.click(allow)
    await pass(20)
    const body = { sessionToken: 'abc' }
    expect(sent).toEqual([{ method: 'POST', path: '/api/auth/cli/complete', body }])
    expect(screen.getByText('Done.')).toBeTruthy()
    end()
  })

  it.each([
    [410, null, 'Session expired or already used', /expired or was already used/],
    [409, 'KEY_LIMIT', 'At most 20 active keys', /Revoke one first/],
    [401, null, 'Not authenticated', /no longer signed in/],
  ])('explains a response with status %d', async (status, code, message, description) => {
    const { requested, end } = await login({ writes: () => refused(status, code, message) })
    const reads = requested.filter((path) => path === '/api/auth/me').length
    await fireEvent.click(screen.getByRole('button', { name: 'Allow' }))
    await pass(20)
    expect(screen.getByRole('alert').textContent).toMatch(description)
    // A session that has ended is noticed at once.
    const readAgain = requested.filter((path) => path === '/api/auth/me').length - reads
    expect(readAgain > 0).toBe(status === 401)
    end()
  })

  it('offers only to sign in when signed out', async () => {
    const { end } = await login({ isSignedIn: false })
    expect(screen.queryByRole('button', { name: 'Allow' })).toBeNull()
    expect(screen.getByRole('form', { name: 'Sign in' })).toBeTruthy()
    end()
  })
})
