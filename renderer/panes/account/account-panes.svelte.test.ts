import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from '../../api/client.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import AccountPane from './AccountPane.svelte'
import CliLogin from './CliLogin.svelte'
import KeysPane from './KeysPane.svelte'
import UsagePane from './UsagePane.svelte'

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
}

async function setUp(
  line: string,
  { isSignedIn = true, writes }: { isSignedIn?: boolean; writes?: Writes } = {},
) {
  const scene: Scene = { me, keys: [key('key_1', 'agent')], usage }
  const page = pageUnderTest((path) => {
    if (path === '/api/auth/me') {
      return page.service.isSignedIn ? scene.me : refused(401, 'AUTH_REQUIRED', 'Sign in')
    }
    if (path === '/api/keys') return { keys: scene.keys }
    if (path === '/api/data-keys') return { keys: [] }
    if (path.startsWith('/api/dashboard/usage')) return scene.usage
    return path === '/api/auth/sessions' ? { sessions: [] } : null
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
    terminal.account.entered()
    await pass(100)
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

describe('the usage pane', () => {
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
    await vi.waitFor(() => expect(screen.getByLabelText('Check code ba78-16bf')).toBeTruthy())
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
