import '../../testing/set-up-page.ts'
import { fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { UserBody } from '../../../backend/contract/accounts.ts'
import type { Answer } from '../../api/client.ts'
import { pageUnderTest, refused, type Writes } from '../../testing/page-under-test.ts'
import AccountPane from './AccountPane.svelte'

const ends: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const OWNER: UserBody = {
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
const WITH_PASSWORD: UserBody = { ...OWNER, email: 'me@example.com', hasPassword: true }
const ok: Answer<object> = { ok: true, body: {} }

/** The account pane of a user with its form open. */
async function setUp(user: UserBody, writes: Writes = () => ok) {
  let current = user
  const page = pageUnderTest((path) => {
    if (path === '/api/auth/me') {
      return {
        user: current,
        tier: { tier: current.tier, requestsPerMinute: 60_000 },
        auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
      }
    }
    return path === '/api/auth/sessions' ? { sessions: [] } : null
  }, writes)
  const { account } = page.terminal
  const stop = $effect.root(() => {
    $effect(() => account.watch())
    $effect(() => account.follow())
  })
  ends.push(stop, page.stop)
  await pass(100)
  const pane = page.paneOf('ACCOUNT')
  render(AccountPane, { terminal: page.terminal, pane })
  await pass(100)
  await fireEvent.click(screen.getByRole('button', { name: 'Change' }))
  await pass(20)
  const press = (key: string) =>
    page.terminal.keys.handle(new KeyboardEvent('keydown', { key, cancelable: true }), [
      `pane:${pane.id}`,
    ])
  return { ...page, press, become: (next: UserBody) => (current = next) }
}

/** The error of a field is part of its label. */
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`))
const type = (label: string, value: string) => fireEvent.input(field(label), { target: { value } })
const save = async () => {
  await fireEvent.submit(screen.getByRole('form', { name: 'Change the account' }))
  await pass(100)
}
const PASSWORD = 'Password, at least 10 characters'
const NEW_PASSWORD = 'New password'
const PROOF = 'Current password'

describe('changing the account', () => {
  // [terminal.access.own-account]
  it('sets the email and password of the owner, and clears the form', async () => {
    const { sent, terminal, become } = await setUp(OWNER)
    expect(document.activeElement).toBe(field('Name'))
    await type('Name', ' Ann ')
    await type('Email', 'Ann@Example.com')
    await type(PASSWORD, 'correct horse battery')
    become({ ...OWNER, name: 'Ann', email: 'ann@example.com', hasPassword: true })
    await save()
    const body = { name: 'Ann', email: 'ann@example.com', password: 'correct horse battery' }
    expect(sent).toEqual([{ method: 'PATCH', path: '/api/auth/me', body }])
    expect(screen.queryByRole('form', { name: 'Change the account' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change' }))
    expect(screen.getByText('ann@example.com')).toBeTruthy()
    expect(terminal.account.user?.name).toBe('Ann')
    expect(document.body.innerHTML).not.toContain('horse')
  })

  // [terminal.access.own-account]
  it.each([
    ['Name', '  ', 'Name must be 1 to 60 characters.'],
    ['Name', 'x'.repeat(61), 'Name must be 1 to 60 characters.'],
    ['Email', 'nowhere', 'Email must be an address.'],
    [NEW_PASSWORD, 'too short', 'Password must be 10 to 256 characters.'],
  ])('shows beside %s what is required, and sends nothing', async (label, value, sentence) => {
    const { sent } = await setUp(WITH_PASSWORD)
    await type(label, value)
    await save()
    const input = field(label)
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      sentence,
    )
    expect([input.getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', input])
    expect(sent).toEqual([])
  })

  it.each([
    [
      refused(400, 'INVALID_INPUT', 'email must be an address'),
      'Email',
      'Email must be an address.',
    ],
    [
      refused(409, 'EMAIL_TAKEN', 'An account with this email exists'),
      'Email',
      'An account with this email exists.',
    ],
    [refused(401, 'AUTH_INVALID', 'Wrong password'), PROOF, 'Wrong password.'],
  ])('shows the error of the service beside its field: %j', async (refusal, label, sentence) => {
    const { sent } = await setUp(WITH_PASSWORD, () => refusal)
    await type('Email', 'other@example.com')
    await pass(20)
    await type(PROOF, 'correct horse battery')
    await save()
    const body = { email: 'other@example.com', currentPassword: 'correct horse battery' }
    expect(sent).toEqual([{ method: 'PATCH', path: '/api/auth/me', body }])
    const input = field(label)
    expect(screen.getByRole('alert').textContent).toBe(sentence)
    expect(input.getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
    expect(input.value).not.toBe('')
  })

  it('requires the current password only where the service does', async () => {
    const { sent } = await setUp(WITH_PASSWORD)
    expect(screen.queryByLabelText(PROOF)).toBeNull()
    await type('Name', 'Ann')
    expect(screen.queryByLabelText(PROOF)).toBeNull()
    await type(NEW_PASSWORD, 'another battery')
    await save()
    expect(screen.getByRole('alert').textContent).toBe('Enter your current password.')
    await type(NEW_PASSWORD, '')
    await save()
    expect(sent.map(({ body }) => body)).toEqual([{ name: 'Ann' }])
  })

  it('sends no password that cannot be used to sign in', async () => {
    const { sent } = await setUp(OWNER)
    await type(PASSWORD, 'correct horse battery')
    await save()
    expect(screen.getByRole('alert').textContent).toBe(
      'Enter an email as well: you sign in with it.',
    )
    expect(sent).toEqual([])
  })

  it.each([
    [ok, 'Account updated'],
    [
      refused(409, 'EMAIL_TAKEN', 'An account with this email exists'),
      'Account not changed: An account with this email exists.',
    ],
    [refused(503, null, 'Busy'), 'Account not changed: Busy.'],
  ])('reports the answer after the form was closed, and keeps the next form: %j', async (...of) => {
    const [answer, notice] = of
    const { terminal, press, requested } = await setUp(OWNER)
    let end: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (end = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    await type('Name', 'Ann')
    await save()
    press('Escape')
    await pass(20)
    expect(screen.queryByRole('form', { name: 'Change the account' })).toBeNull()
    press('e')
    await pass(20)
    await type('Name', 'Bob')
    requested.length = 0
    end(answer)
    await pass(100)
    expect(terminal.notice?.text).toBe(notice)
    expect(field('Name').value).toBe('Bob')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(requested.includes('/api/auth/sessions')).toBe(answer.ok)
  })

  // [terminal.access.own-account]
  it('opens and closes by keys, and saves only on submit', async () => {
    const { sent, press } = await setUp(OWNER)
    await type('Name', 'Ann')
    press('Escape')
    await pass(20)
    expect(screen.queryByRole('form', { name: 'Change the account' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change' }))
    press('e')
    await pass(20)
    expect(field('Name').value).toBe('Owner')
    await save()
    expect(screen.queryByRole('form', { name: 'Change the account' })).toBeNull()
    expect(sent).toEqual([])
  })
})
