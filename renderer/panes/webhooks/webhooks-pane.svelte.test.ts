import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServedDelivery } from '../../../backend/contract/orders/deliveries.ts'
import type { ServedEndpoint } from '../../../backend/contract/orders/webhooks.ts'
import { EVENT_NAMES } from '../../../backend/domain/webhooks/delivery.ts'
import type { Answer } from '../../api/client.ts'
import { pageUnderTest, refused, type Sent } from '../../testing/page-under-test.ts'
import { tableColumns } from '../../testing/table-columns.ts'
import { deliveryUnderTest, endpointUnderTest } from '../../testing/webhooks.ts'
import WebhooksPane from './WebhooksPane.svelte'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const USER = {
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
const pageInfo = { limit: 200, nextCursor: null, hasMore: false }

interface Given {
  readonly endpoints?: readonly ServedEndpoint[]
  readonly deliveries?: readonly ServedDelivery[]
  /** The page after the newest one. */
  readonly older?: readonly ServedDelivery[]
  readonly isSignedIn?: boolean
  readonly write?: (sent: Sent) => Answer<object>
}

async function setUp(line: string, options: Given = {}) {
  let endpoints = options.endpoints ?? [endpointUnderTest()]
  let user = USER
  const page = pageUnderTest(
    (path) => {
      if (path === '/api/auth/me') {
        if (!page.service.isSignedIn) return refused(401, 'AUTH_REQUIRED', 'Sign in')
        return {
          user,
          auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
          tier: { tier: 'institutional', requestsPerMinute: 60_000 },
        }
      }
      if (path.includes('/deliveries/')) {
        const attempt = { at: AT, error: 'HTTP 503', durationMs: 12, responseExcerpt: null }
        const attemptLog = [{ ...attempt, n: 1, status: 503 }]
        return { ...deliveryUnderTest(), body: { type: 'alert.fired' }, attemptLog }
      }
      if (path.includes('cursor=older')) return { data: options.older, pageInfo }
      if (path.includes('/deliveries') && options.older !== undefined) {
        return { data: options.deliveries, pageInfo: { ...pageInfo, nextCursor: 'older' } }
      }
      if (path.includes('/deliveries')) return { data: options.deliveries ?? [], pageInfo }
      if (path.startsWith('/api/webhook-endpoints')) {
        return { data: endpoints, endpoints, pageInfo }
      }
      return null
    },
    options.write ?? (() => ({ ok: true, body: {} })),
  )
  page.service.isSignedIn = options.isSignedIn ?? true
  const { account, keys } = page.terminal
  const stop = $effect.root(() => {
    $effect(() => account.watch())
    $effect(() => account.follow())
  })
  await pass(100)
  const pane = page.paneOf(line)
  page.terminal.focusedPane = pane.id
  render(WebhooksPane, { terminal: page.terminal, pane })
  await pass(200)
  return {
    ...page,
    pane,
    press: async (...chords: readonly string[]) => {
      for (const key of chords) {
        keys.handle(new KeyboardEvent('keydown', { key }), [`pane:${pane.id}`])
        await pass(50)
      }
    },
    serve: (next: readonly ServedEndpoint[]) => (endpoints = next),
    become: async (id: string) => {
      user = { ...USER, id }
      account.onSignIn()
      await pass(100)
    },
    end: () => (stop(), page.stop()),
  }
}
const ok = (body: object): Answer<object> => ({ ok: true, body })
const secretShown = () => screen.queryByText('whsec_RAW', { selector: 'code' })

describe('the list of webhook endpoints', () => {
  it('sends no request when signed out, and offers to sign in', async () => {
    const { requested, end } = await setUp('HOOK', { isSignedIn: false })
    expect(screen.getByText(/to see your webhooks/)).toBeTruthy()
    expect(requested.filter((path) => path.includes('webhook'))).toEqual([])
    end()
  })

  // [terminal.webhooks.list]
  it('shows host, events, state with its reason, and the last delivery; keys test and pause', async () => {
    const endpoints = [
      endpointUnderTest(),
      endpointUnderTest({
        id: 'we_2',
        label: '<b>old</b>',
        events: ['alert.fired'],
        state: 'paused',
        pausedReason: 'failure_rate',
        lastStatus: 503,
      }),
    ]
    const { sent, pane, press, end } = await setUp('HOOK', {
      endpoints,
      write: ({ path }) =>
        ok(path.endsWith('/test') ? { ok: true, status: 204, durationMs: 3, error: null } : {}),
    })
    expect(pane.note).toBe('2')
    const first = within(screen.getByRole('row', { name: /Trading desk/ }))
    expect(first.getByText('hooks.example.com')).toBeTruthy()
    expect(first.getByText('204')).toBeTruthy()
    expect(first.getByText('1/2')).toBeTruthy()
    const second = within(screen.getByRole('row', { name: /<b>old<\/b>/ }))
    expect(second.getByText('paused: too many errors')).toBeTruthy()
    await press('j', 't', 'p', 'j', 'p')
    expect(sent).toEqual([
      { method: 'POST', path: '/api/webhook-endpoints/we_1/test', body: {} },
      { method: 'PATCH', path: '/api/webhook-endpoints/we_1', body: { state: 'paused' } },
      { method: 'POST', path: '/api/webhook-endpoints/we_2/resume', body: {} },
    ])
    end()
  })

  // [terminal.webhooks.secret]
  it('adds an endpoint and shows its secret until it is stored or another user signs in', async () => {
    const created = { ...endpointUnderTest(), secret: 'whsec_RAW' }
    const { sent, press, become, end } = await setUp('HOOK', {
      endpoints: [],
      write: () => ok(created),
    })
    const add = async () => {
      await press('n')
      const url = screen.getByLabelText('URL')
      expect(document.activeElement).toBe(url)
      await fireEvent.input(url, { target: { value: ' https://hooks.example.com/augury ' } })
      await fireEvent.click(screen.getByRole('checkbox', { name: /alert\.paused/ }))
      await fireEvent.click(screen.getByRole('button', { name: 'Add endpoint' }))
      await pass(50)
    }
    await add()
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/api/webhook-endpoints',
        body: {
          url: 'https://hooks.example.com/augury',
          events: EVENT_NAMES.filter((name) => name !== 'alert.paused'),
        },
      },
    ])
    expect(screen.queryByRole('form')).toBeNull()
    expect(secretShown()).toBeTruthy()
    expect(screen.getByText(/it is not shown again/)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Copy the secret' }))
    await fireEvent.click(screen.getByRole('button', { name: 'I have stored it' }))
    expect(secretShown()).toBeNull()
    await add()
    expect(secretShown()).toBeTruthy()
    await become('usr_2')
    expect(secretShown()).toBeNull()
    end()
  })

  it('keeps the form and shows beside it why an endpoint was refused', async () => {
    const { press, end } = await setUp('HOOK', {
      write: () => refused(400, 'URL_REFUSED', 'url refused: url must use https'),
    })
    await press('n')
    const url = screen.getByLabelText<HTMLInputElement>('URL')
    await fireEvent.input(url, { target: { value: 'http://hooks.example.com' } })
    await fireEvent.submit(screen.getByRole('form', { name: 'New endpoint' }))
    await pass(50)
    expect(screen.getByRole('alert').textContent).toMatch(/starts with https/)
    expect(url.value).toBe('http://hooks.example.com')
    expect(url.getAttribute('aria-invalid')).toBe('true')
    await press('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    expect(screen.queryByRole('alert')).toBeNull()
    end()
  })

  // [terminal.webhooks.confirmed]
  it('removes and rotates nothing without a confirmation', async () => {
    const { sent, press, end } = await setUp('HOOK', {
      write: ({ method }) =>
        ok(
          method === 'DELETE'
            ? { ok: true }
            : { id: 'we_1', secret: 'whsec_RAW', previousSecretExpiresAt: AT },
        ),
    })
    await press('j', 'Delete')
    expect(screen.getByRole('alertdialog', { name: 'Remove endpoint' }).textContent).toContain(
      'Trading desk',
    )
    await press('Escape', 'o')
    expect(sent).toEqual([])
    await fireEvent.click(screen.getByRole('button', { name: 'Rotate secret' }))
    await pass(50)
    expect(secretShown()).toBeTruthy()
    expect(screen.getByText(/old secret is valid until 2026-11-20 10:00:00 UTC/)).toBeTruthy()
    await press('Delete')
    await fireEvent.click(screen.getByRole('button', { name: 'Remove endpoint' }))
    await pass(50)
    expect(sent).toEqual([
      { method: 'POST', path: '/api/webhook-endpoints/we_1/rotate', body: {} },
      { method: 'DELETE', path: '/api/webhook-endpoints/we_1', body: undefined },
    ])
    expect(secretShown()).toBeNull()
    end()
  })
})

describe('one webhook endpoint', () => {
  // [terminal.webhooks.deliveries]
  it('lists its deliveries, filters them, and replays an ended one', async () => {
    const { sent, requested, press, pane, end } = await setUp('HOOK', {
      deliveries: [
        deliveryUnderTest(),
        deliveryUnderTest({ id: 'del_2', status: 'pending', attempts: 1, test: true }),
      ],
    })
    await press('j', 'Enter')
    await pass(100)
    expect(pane.command.args['endpoint']).toBe('we_1')
    const [failed, pending] = within(
      screen.getByRole('grid', { name: 'Deliveries to Trading desk' }),
    )
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row))
    expect(failed?.getByText('alert.fired')).toBeTruthy()
    expect(failed?.getByText('HTTP 503')).toBeTruthy()
    expect(pending?.queryByRole('button', { name: 'Replay' })).toBeNull()
    await press('j', 'y', 'j', 'y')
    const replayed = {
      method: 'POST',
      path: '/api/webhook-endpoints/we_1/deliveries/del_1/replay',
      body: {},
    }
    expect(sent).toEqual([replayed])
    await fireEvent.click(screen.getByRole('button', { name: 'failed' }))
    await pass(50)
    expect(requested.at(-1)).toBe('/api/webhook-endpoints/we_1/deliveries?status=failed&limit=200')
    await press('Escape')
    expect(screen.getByRole('grid', { name: 'Webhook endpoints' })).toBeTruthy()
    end()
  })

  it('shows the attempts and the body of an opened delivery', async () => {
    const { press, sent, end } = await setUp('HOOK we_1', { deliveries: [deliveryUnderTest()] })
    await fireEvent.click(screen.getByRole('button', { name: 'Replay' }))
    expect(screen.queryByRole('region', { name: 'Delivery' })).toBeNull()
    expect(sent.length).toBe(1)
    await press('j', 'Enter')
    await pass(50)
    const attempts = within(screen.getByRole('table', { name: 'Attempts' }))
    expect(attempts.getByRole('row', { name: /^1 .* 503 12 ms HTTP 503$/ })).toBeTruthy()
    expect(screen.getByText(/"type": "alert.fired"/)).toBeTruthy()
    await press('Escape')
    expect(screen.queryByRole('region', { name: 'Delivery' })).toBeNull()
    expect(screen.getByRole('grid', { name: 'Deliveries to Trading desk' })).toBeTruthy()
    end()
  })

  // [terminal.webhooks.edit]
  it('is edited: only changed fields are sent, and an error is shown in the form', async () => {
    let answer = refused(400, 'URL_REFUSED', 'url refused: url must use https') as Answer<object>
    const { sent, press, terminal, end } = await setUp('HOOK we_1', { write: () => answer })
    await press('e')
    const form = screen.getByRole('form', { name: 'Change Trading desk' })
    const url = screen.getByLabelText<HTMLInputElement>('URL')
    expect(url.value).toBe(endpointUnderTest().url)
    await fireEvent.input(url, { target: { value: 'http://other.example.com' } })
    await fireEvent.submit(form)
    await pass(50)
    expect(screen.getByRole('alert').textContent).toMatch(/starts with https/)
    answer = ok({})
    await fireEvent.input(url, { target: { value: 'https://other.example.com' } })
    await fireEvent.click(screen.getByRole('checkbox', { name: /alert\.paused/ }))
    await fireEvent.submit(form)
    await pass(50)
    expect(sent.at(-1)).toEqual({
      method: 'PATCH',
      path: '/api/webhook-endpoints/we_1',
      body: {
        url: 'https://other.example.com',
        events: endpointUnderTest().events.filter((name) => name !== 'alert.paused'),
      },
    })
    expect(terminal.notice?.text).toBe('“Trading desk” changed. Its secret stays the same')
    expect(screen.queryByRole('form')).toBeNull()
    const count = sent.length
    await press('e')
    await fireEvent.submit(screen.getByRole('form'))
    await pass(50)
    expect(sent).toHaveLength(count)
    expect(screen.queryByRole('form')).toBeNull()
    end()
  })

  // [terminal.webhooks.edit]
  it('loads older deliveries', async () => {
    const { press, requested, end } = await setUp('HOOK we_1', {
      deliveries: [deliveryUnderTest()],
      older: [deliveryUnderTest({ id: 'del_0', message: 'An old one' })],
    })
    const rows = () =>
      within(screen.getByRole('grid', { name: 'Deliveries to Trading desk' })).getAllByRole('row')
    expect(rows()).toHaveLength(2)
    await press('m')
    expect(requested.at(-1)).toBe('/api/webhook-endpoints/we_1/deliveries?limit=200&cursor=older')
    expect(rows()).toHaveLength(3)
    expect(screen.queryByRole('button', { name: 'Load older' })).toBeNull()
    end()
  })

  it('offers no changes of an endpoint that a thesis manages', async () => {
    const { sent, press, end } = await setUp('HOOK we_1', {
      endpoints: [endpointUnderTest({ thesisId: '3f2a91c4-0000-4000-8000-000000000000' })],
    })
    expect(screen.getByText(/A thesis manages this endpoint/)).toBeTruthy()
    for (const name of ['Pause', 'Edit', 'Rotate secret', 'Remove']) {
      expect(screen.queryByRole('button', { name })).toBeNull()
    }
    await press('p', 'e', 'o', 'Delete')
    expect(screen.queryByRole('form')).toBeNull()
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(sent).toEqual([])
    end()
  })

  it('explains why a delivery was not replayed', async () => {
    const { end } = await setUp('HOOK we_1', {
      endpoints: [endpointUnderTest({ state: 'paused', pausedReason: 'gone' })],
      deliveries: [deliveryUnderTest()],
      write: () => refused(409, 'CONFLICT', 'endpoint is paused'),
    })
    await fireEvent.click(screen.getByRole('button', { name: 'Replay' }))
    await pass(50)
    expect(screen.getByRole('alert').textContent).toMatch(/Resume it first/)
    expect(screen.getByText(/answered 410 Gone/)).toBeTruthy()
    end()
  })

  it('states that an endpoint of a link does not exist', async () => {
    const { end } = await setUp('HOOK we_9')
    expect(screen.getByText('You have no endpoint “we_9”.')).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'All endpoints' }))
    expect(screen.getByRole('grid', { name: 'Webhook endpoints' })).toBeTruthy()
    end()
  })
})

describe('the tables of webhooks', () => {
  const columnOf = (place: number) =>
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelectorAll('td')[place]?.textContent.trim())

  it('of endpoints have their order, and are exported without nested values', async () => {
    const stats24h = { ...endpointUnderTest().stats24h, delivered: 9, attempts: 9 }
    const endpoints = [
      endpointUnderTest({ lastDeliveryAt: null, lastStatus: null }),
      endpointUnderTest({ id: 'we_2', label: 'Archive', stats24h }),
    ]
    const { pane, end } = await setUp('HOOK', { endpoints })
    expect(columnOf(4)[0]).toBe('–')
    expect(pane.visibleRows?.()).toMatchObject([
      { id: 'we_1', events: EVENT_NAMES.join(' '), delivered: 1, attempts: 2 },
      { id: 'we_2', delivered: 9 },
    ])
    await fireEvent.click(screen.getByRole('button', { name: 'OK 24h' }))
    expect(columnOf(6)).toEqual(['9/9', '1/2'])
    expect(await tableColumns('Webhook endpoints')).toBe(
      'Label | Host | Events, hides 3 | State | Last delivery, right, hides 1 | Status, right, hides 2 | ▼OK 24h, right, hides 4',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
    end()
  })

  it('of deliveries have theirs, and are exported', async () => {
    const deliveries = [
      deliveryUnderTest(),
      deliveryUnderTest({
        id: 'del_2',
        event: null,
        lastStatus: null,
        lastError: null,
        test: true,
      }),
    ]
    const { pane, end } = await setUp('HOOK we_1', { deliveries })
    expect(pane.note).toBe('Trading desk')
    expect(columnOf(1)).toEqual(['alert.fired', 'noticetest'])
    expect(columnOf(4)).toEqual(['503', '–'])
    expect(columnOf(5)).toEqual(['HTTP 503', '–'])
    expect(pane.visibleRows?.()).toEqual(deliveries)
    expect(await tableColumns()).toBe(
      'Time, right | Event | State | Attempts, right, hides 1 | Status, right, hides 2 | Last error, hides 3 | ',
    )
    cleanup()
    expect(pane.visibleRows).toBeNull()
    end()
  })

  it('of another endpoint, opened by a command, are not filtered', async () => {
    const endpoints = [endpointUnderTest(), endpointUnderTest({ id: 'we_2', label: 'Archive' })]
    const { pane, terminal, requested, end } = await setUp('HOOK we_1', { endpoints })
    await fireEvent.click(screen.getByRole('button', { name: 'failed' }))
    await pass(100)
    terminal.setArguments(pane, { endpoint: 'we_2' })
    await pass(100)
    expect(requested.at(-1)).toBe('/api/webhook-endpoints/we_2/deliveries?limit=200')
    end()
  })

  it('without rows explain what appears there', async () => {
    const list = await setUp('HOOK', { endpoints: [] })
    expect(list.pane.note).toBe('')
    expect(screen.getByText(/^No endpoints yet\./)).toBeTruthy()
    list.end()
    cleanup()
    const { end } = await setUp('HOOK we_1')
    expect(screen.getByText(/^Nothing was sent in the last 30 days/)).toBeTruthy()
    await fireEvent.click(screen.getByRole('button', { name: 'failed' }))
    await pass(50)
    expect(screen.getByText('No failed deliveries in the last 30 days.')).toBeTruthy()
    end()
  })
})

describe('the forms of webhooks', () => {
  it('one that was closed during its request leaves the next one open', async () => {
    const { press, terminal, end } = await setUp('HOOK', { endpoints: [] })
    let finish: (answer: Answer<object>) => void = () => {}
    const running = new Promise<Answer<object>>((resolve) => (finish = resolve))
    vi.spyOn(terminal.live, 'send').mockReturnValue(running)
    const form = () => screen.getByRole('form', { name: 'New endpoint' })
    await press('n')
    await fireEvent.submit(form())
    await press('Escape', 'n')
    finish(ok(endpointUnderTest()))
    await pass(50)
    expect(form()).toBeTruthy()
    end()
  })

  const hasRowFocus = () => document.activeElement?.hasAttribute('data-focus') === true

  it('open by a key with the focus in their field, and close by Escape', async () => {
    const { press, sent, end } = await setUp('HOOK', {
      write: () => refused(400, 'URL_REFUSED', 'url refused: url must use https'),
    })
    await press('n')
    const field = screen.getByLabelText('URL')
    expect(document.activeElement).toBe(field)
    expect(screen.queryByRole('button', { name: 'New endpoint' })).toBeNull()
    await fireEvent.input(field, { target: { value: ' http://a.example ' } })
    expect(screen.getByLabelText<HTMLInputElement>('Label (optional)').placeholder).toBe(
      'a.example',
    )
    field.blur()
    await fireEvent.submit(screen.getByRole('form', { name: 'New endpoint' }))
    await pass(50)
    expect(document.activeElement).toBe(field)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await press('Escape')
    expect(screen.queryByRole('form')).toBeNull()
    // The refusal belongs to the form.
    expect(screen.queryByRole('alert')).toBeNull()
    expect(hasRowFocus()).toBe(true)
    expect(sent).toHaveLength(1)
    end()
  })

  it('require an event', async () => {
    const { press, sent, end } = await setUp('HOOK')
    await press('n')
    for (const name of EVENT_NAMES)
      await fireEvent.click(screen.getByRole('checkbox', { name: new RegExp(`^${name}\\b`) }))
    expect(screen.getByRole('status').textContent).toBe('Choose at least one event.')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Add endpoint' }).disabled).toBe(
      true,
    )
    await fireEvent.submit(screen.getByRole('form'))
    await pass(50)
    expect(sent).toEqual([])
    end()
  })

  it('of a confirmation return the focus to the rows, and a removed endpoint to the list', async () => {
    const { press, pane, terminal, end } = await setUp('HOOK we_1', {
      deliveries: [deliveryUnderTest()],
    })
    await press('Delete', 'Escape')
    expect(screen.queryByRole('alertdialog')).toBeNull()
    expect(hasRowFocus()).toBe(true)
    await press('Delete')
    await fireEvent.click(screen.getByRole('button', { name: 'Remove endpoint' }))
    await pass(50)
    expect(terminal.notice?.text).toBe('“Trading desk” was removed')
    expect(pane.command.args['endpoint']).toBe('')
    expect(hasRowFocus()).toBe(true)
    end()
  })

  it('keep the endpoint when its removal is refused', async () => {
    const { press, pane, terminal, end } = await setUp('HOOK we_1', {
      write: () => refused(503, null, 'Busy'),
    })
    await press('Delete')
    await fireEvent.click(screen.getByRole('button', { name: 'Remove endpoint' }))
    await pass(50)
    expect(screen.getByRole('alert').textContent).toBe('Busy.')
    expect(pane.command.args['endpoint']).toBe('we_1')
    expect(terminal.notice).toBeNull()
    end()
  })

  it('send one write at a time, and request the answers again after it', async () => {
    const answers: ((answer: Answer<object>) => void)[] = []
    const { press, sent, requested, end } = await setUp('HOOK we_1', {
      write: () => new Promise((resolve) => answers.push(resolve)) as never,
    })
    await press('p', 'p', 't')
    expect(sent).toHaveLength(1)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Send test' }).disabled).toBe(true)
    requested.length = 0
    answers[0]?.(ok({}))
    await pass(50)
    expect(requested.filter((path) => path.startsWith('/api/webhook-endpoints')).length).toBe(2)
    end()
  })

  it.each([
    [{ ok: true, status: 204, error: null }, 'info', 'delivered: HTTP 204 after 7 ms'],
    [{ ok: false, status: null, error: 'no route' }, 'error', 'failed: no route after 7 ms'],
    [{ ok: false, status: null, error: null }, 'error', 'failed: no response after 7 ms'],
    [{ ok: false, status: 500, error: 'x' }, 'error', 'failed: HTTP 500 after 7 ms'],
  ])('report a test: %o', async (answer, tone, text) => {
    const { press, terminal, end } = await setUp('HOOK we_1', {
      write: () => ok({ ...answer, durationMs: 7 }),
    })
    await press('t')
    expect(terminal.notice).toEqual({ text: `Test of “Trading desk” ${text}`, tone })
    end()
  })

  it('rename an endpoint without its address, and keep a label that is emptied', async () => {
    const { press, sent, terminal, end } = await setUp('HOOK we_1')
    const rename = async (label: string) => {
      await press('e')
      await fireEvent.input(screen.getByLabelText('Label (optional)'), { target: { value: label } })
      await fireEvent.submit(screen.getByRole('form'))
      await pass(50)
    }
    await rename(' Desk two ')
    expect(sent.at(-1)?.body).toEqual({ label: 'Desk two' })
    expect(terminal.notice?.text).toBe('“Desk two” changed')
    await rename('')
    expect(sent).toHaveLength(1)
    end()
  })
})

it('an opened delivery is closed by its button, with the focus on the rows', async () => {
  const { press, pane, requested, end } = await setUp('HOOK we_1', {
    deliveries: [deliveryUnderTest()],
  })
  await press('j', 'Enter')
  await pass(50)
  expect(screen.getByRole('region', { name: 'Delivery' }).textContent).toContain('del_1')
  const reads = () => requested.filter((path) => path.includes('/deliveries/del_1')).length
  expect(reads()).toBe(1)
  await fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  await pass(50)
  expect(screen.queryByRole('region', { name: 'Delivery' })).toBeNull()
  expect(document.activeElement?.hasAttribute('data-focus')).toBe(true)
  expect(pane.command.args['endpoint']).toBe('we_1')
  end()
})
