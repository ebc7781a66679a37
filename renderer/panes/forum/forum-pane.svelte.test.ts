import '../../testing/set-up-page.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/svelte'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { pageUnderTest, refused, type Sent } from '../../testing/page-under-test.ts'
import ForumPane from './ForumPane.svelte'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  // jsdom does not implement scrolling.
  HTMLElement.prototype.scrollTo = () => {}
})
afterEach(() => vi.useRealTimers())
const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const AT = '2026-11-20T10:00:00.000Z'
const me = {
  user: { id: 'usr_1', name: 'Owner', tier: 'free', isOwner: true, isAdmin: true },
  auth: { kind: 'session', sessionId: 'ses_1', keyId: null, expiresAt: AT },
  tier: { tier: 'free', requestsPerMinute: 600 },
}
const channel = (id: string, name: string, unread: number) => ({
  id,
  name,
  description: `About ${name}`,
  defaultTtl: 3_600,
  isSystem: true,
  subscribed: unread > 0,
  unread,
  messageCount: 0,
  lastMessageAt: null,
})
const message = (id: string, content: string, more: object = {}) => ({
  id,
  channelId: 'signals',
  type: 'signal',
  content,
  payload: null,
  tickers: [],
  createdAt: AT,
  expiresAt: '2026-11-20T11:00:00.000Z',
  author: { id: 'agt_1', name: 'Watcher', role: 'agent' },
  nextActions: { inspect: [] },
  ...more,
})

interface Scene {
  channels: object[]
  inbox: boolean[]
  refusal: object | null
  market: object
}

async function setUp(line: string, post: (sent: Sent) => object = () => ({})) {
  const scene: Scene = {
    channels: [channel('signals', 'Signals', 2), channel('edges', 'Edges', 0)],
    inbox: [],
    refusal: null,
    market: { price: 63.5 },
  }
  const pages = [[message('msg_1', 'Cut <b>priced</b> in', { tickers: ['KXFED-26DEC'] })]]
  const page = pageUnderTest(
    (path) => {
      if (path === '/api/auth/me') return me
      if (path === '/api/forum/channels') {
        return { channels: scene.channels }
      }
      if (path.startsWith('/api/forum/messages')) {
        if (scene.refusal !== null) return scene.refusal
        const messages = pages.shift() ?? []
        return { messages, cursor: AT, count: messages.length, hasMore: false }
      }
      if (path.startsWith('/api/forum/inbox'))
        return { messages: [], hasMore: scene.inbox.shift() ?? false }
      return path.startsWith('/api/public/market/') ? scene.market : null
    },
    (sent) => {
      const body = post(sent)
      if (body instanceof Promise) return body as never
      return 'ok' in body ? (body as ReturnType<typeof refused>) : { ok: true, body }
    },
  )
  page.service.isSignedIn = true
  const { account } = page.terminal
  const stop = $effect.root(() => {
    $effect(() => page.terminal.live.clock.start())
    $effect(() => account.watch())
    $effect(() => account.follow())
  })
  await pass(100)
  const pane = page.paneOf(line)
  render(ForumPane, { terminal: page.terminal, pane })
  await pass(200)
  return { ...page, pane, pages, scene, end: () => (stop(), page.stop()) }
}

// [terminal.forum.pane]
describe('the forum pane', () => {
  it('lists channels with unread counts, and messages as text with badges and tickers', async () => {
    const { pane, requested, pages, end } = await setUp('FORUM signals')
    expect(pane.note).toBe('2 unread')
    expect(screen.getByLabelText('2 unread').textContent).toBe('2')
    const first = screen.getByRole('article', { name: 'Signal by Watcher' })
    expect(within(first).getByText('Cut <b>priced</b> in')).toBeTruthy()
    expect(within(first).getByText('agent')).toBeTruthy()
    expect(within(first).getByRole('button', { name: 'KXFED-26DEC' })).toBeTruthy()
    // New ones are polled with the cursor of the last answer.
    pages.push([message('msg_2', 'Reply', { type: 'reply', replyTo: 'msg_1' })])
    await pass(5_000)
    const polls = requested.filter((path) => path.startsWith('/api/forum/messages'))
    expect(polls.at(-1)).toBe(
      `/api/forum/messages?channel=signals&since=${encodeURIComponent(AT)}&limit=200`,
    )
    expect(screen.getByText('In reply to Watcher: Cut <b>priced</b> in')).toBeTruthy()
    end()
  })

  it('posts a message with tickers, and counts its characters', async () => {
    const { sent, end } = await setUp('FORUM signals')
    const post = screen.getByRole<HTMLButtonElement>('button', { name: 'Post' })
    expect(post.disabled).toBe(true)
    await fireEvent.input(screen.getByLabelText('Message'), {
      target: { value: 'x'.repeat(2_001) },
    })
    expect(screen.getByText('2,001 / 2,000')).toBeTruthy()
    expect(post.disabled).toBe(true)
    await fireEvent.input(screen.getByLabelText('Message'), { target: { value: 'Up' } })
    const tickers = screen.getByLabelText('Add tickers')
    await fireEvent.input(tickers, { target: { value: 'kxfed-26dec' } })
    await fireEvent.keyDown(tickers, { key: 'Enter' })
    await pass(20)
    expect(screen.getByText('63.5¢')).toBeTruthy()
    await fireEvent.click(post)
    await pass(20)
    expect(sent).toEqual([
      {
        method: 'POST',
        path: '/api/forum/messages',
        body: { channel: 'signals', type: 'analysis', content: 'Up', tickers: ['KXFED-26DEC'] },
      },
    ])
    end()
  })

  it('replies to a message', async () => {
    const { sent, end } = await setUp('FORUM signals')
    await fireEvent.click(screen.getByRole('button', { name: 'Reply' }))
    await fireEvent.input(screen.getByLabelText('Message'), { target: { value: 'Agreed' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Post' }))
    await pass(20)
    expect(sent[0]?.body).toEqual({
      channel: 'signals',
      type: 'reply',
      content: 'Agreed',
      replyTo: 'msg_1',
    })
    end()
  })

  it('waits with a countdown once the limit is reached, and keeps the text', async () => {
    const { end } = await setUp('FORUM signals', () => refused(429, 'RATE_LIMITED', 'limit'))
    const field = screen.getByLabelText<HTMLTextAreaElement>('Message')
    await fireEvent.input(field, { target: { value: 'Up' } })
    await fireEvent.click(screen.getByRole('button', { name: 'Post' }))
    await pass(20)
    const waiting = screen.getByRole<HTMLButtonElement>('button', { name: /^Post in (29|30) s$/ })
    expect(waiting.disabled).toBe(true)
    expect(field.value).toBe('Up')
    await pass(31_000)
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(false)
    end()
  })

  const type = (label: string, value: string) =>
    fireEvent.input(screen.getByLabelText(label), { target: { value } })
  const click = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
  const reads = (requested: readonly string[], part: string) =>
    requested.filter((path) => path.startsWith(part)).length

  it('subscribes to a channel or leaves it, and reads the channels again', async () => {
    const { sent, requested, terminal, scene, end } = await setUp('FORUM signals')
    requested.length = 0
    await click('Unsubscribe')
    await pass(50)
    expect(reads(requested, '/api/forum/channels')).toBe(1)
    scene.channels = [channel('signals', 'Signals', 0)]
    await click('Unsubscribe')
    await pass(100)
    await click('Subscribe')
    await pass(50)
    expect(sent.map(({ method, body }) => [method, body])).toEqual([
      ['DELETE', { channels: ['signals'] }],
      ['DELETE', { channels: ['signals'] }],
      ['POST', { channels: ['signals'] }],
    ])
    expect(terminal.notice).toBeNull()
    end()
  })

  it('reports why a subscription failed', async () => {
    const { terminal, end } = await setUp('FORUM signals', () => refused(503, null, 'Busy'))
    await click('Unsubscribe')
    await pass(50)
    expect(terminal.notice).toEqual({ text: 'Busy.', tone: 'error' })
    end()
  })

  it('marks all as read, page by page', async () => {
    const { requested, pane, scene, end } = await setUp('FORUM signals')
    scene.inbox = [true, true, false]
    requested.length = 0
    scene.channels = [channel('signals', 'Signals', 0)]
    await click('Mark all as read')
    await pass(200)
    expect(reads(requested, '/api/forum/inbox')).toBe(3)
    expect(reads(requested, '/api/forum/channels')).toBe(1)
    expect(pane.note).toBe('')
    expect(screen.queryByRole('button', { name: 'Mark all as read' })).toBeNull()
    end()
  })

  it('shows another channel or all, and no composer there', async () => {
    const { pane, requested, pages, end } = await setUp('FORUM signals')
    expect(screen.getByText('About Signals')).toBeTruthy()
    await click('Reply')
    expect(screen.getByText(/^Reply to Watcher:/)).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Message'))
    await click('Edges')
    await pass(50)
    expect(pane.command.args['channel']).toBe('edges')
    expect(requested.at(-1)).toContain('channel=edges')
    expect(screen.queryByText(/^Reply to Watcher:/)).toBeNull()
    expect(screen.getByText('No messages now. Post the first.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Edges' }).ariaPressed).toBe('true')
    pages.push([message('msg_9', 'Of all', { channelId: 'edges' })])
    await click('All channels')
    await pass(50)
    expect(screen.queryByRole('form', { name: 'New message' })).toBeNull()
    expect(screen.getByText('#edges')).toBeTruthy()
    // A reply is written in the channel of its message.
    await click('Reply')
    await pass(50)
    expect(pane.command.args['channel']).toBe('edges')
    expect(screen.getByText(/^Reply to Watcher: Of all/)).toBeTruthy()
    await click('Cancel reply')
    expect(screen.queryByText(/^Reply to Watcher:/)).toBeNull()
    end()
  })

  it('of all channels without messages leads to a channel, and an unknown one is named', async () => {
    const all = await setUp('FORUM')
    expect(screen.queryByText(/^No messages now/)).toBeNull()
    expect(screen.getByText('All channels, oldest first')).toBeTruthy()
    all.end()
    cleanup()
    const { end } = await setUp('FORUM nowhere')
    expect(screen.getByText('There is no channel "nowhere". Choose one.')).toBeTruthy()
    end()
  })

  it('keeps the messages when a poll fails, and states why', async () => {
    const { scene, end } = await setUp('FORUM signals')
    scene.refusal = refused(503, null, 'Busy')
    await pass(5_000)
    expect(screen.getByRole('alert').textContent.trim()).toBe('Messages could not be read. Busy.')
    expect(screen.getByRole('article')).toBeTruthy()
    scene.refusal = null
    await pass(5_000)
    expect(screen.queryByRole('alert')).toBeNull()
    end()
  })

  it('reads nothing while it is hidden, and catches up when it is shown again', async () => {
    const { pane, pages, requested, end } = await setUp('FORUM signals')
    pane.visible = false
    await pass(20)
    requested.length = 0
    await pass(20_000)
    expect(reads(requested, '/api/forum/messages')).toBe(0)
    pages.push([message('msg_2', 'Missed')])
    pane.visible = true
    await pass(100)
    expect(screen.getByText('Missed')).toBeTruthy()
    end()
  })

  it('keeps what is typed while a message is being posted', async () => {
    let answer: (body: object) => void = () => {}
    const { sent, end } = await setUp(
      'FORUM signals',
      () => new Promise((resolve) => (answer = resolve)),
    )
    const field = screen.getByLabelText<HTMLTextAreaElement>('Message')
    await type('Message', 'First')
    await click('Post')
    await type('Message', 'Second')
    answer({ ok: true, body: {} })
    await pass(50)
    expect([sent.length, field.value]).toEqual([1, 'Second'])
    end()
  })

  it('posts no reply to a message of another channel', async () => {
    const { sent, terminal, pane, end } = await setUp('FORUM signals')
    await click('Reply')
    terminal.setArguments(pane, { channel: 'edges' })
    await pass(100)
    expect(screen.queryByText(/^Reply to Watcher:/)).toBeNull()
    await type('Message', 'Up')
    await click('Post')
    await pass(50)
    expect(sent.map(({ body }) => body)).toEqual([
      { channel: 'edges', type: 'analysis', content: 'Up' },
    ])
    end()
  })

  it('keeps a reply that is begun while a message is being posted', async () => {
    let answer: (body: object) => void = () => {}
    const { end } = await setUp('FORUM signals', () => new Promise((resolve) => (answer = resolve)))
    await type('Message', 'First')
    await click('Post')
    await click('Reply')
    answer({ ok: true, body: {} })
    await pass(50)
    expect(screen.getByText(/^Reply to Watcher:/)).toBeTruthy()
    end()
  })

  it.each([
    [404, 'no such market'],
    [503, '–'],
  ])('shows the price of a ticker after status %d as %s', async (status, text) => {
    const { scene, end } = await setUp('FORUM signals')
    scene.market = refused(status, null, 'Failed')
    await type('Add tickers', 'KX-1')
    await fireEvent.blur(screen.getByLabelText('Add tickers'))
    await pass(50)
    expect(screen.getByText('KX-1').nextElementSibling?.textContent).toBe(text)
    end()
  })

  it('drops messages at their end', async () => {
    const { end } = await setUp('FORUM signals')
    await pass(3_599_000 - 300)
    expect(screen.queryByRole('article')).not.toBeNull()
    await pass(2_000)
    expect(screen.queryByRole('article')).toBeNull()
    end()
  })

  it('scrolls to the newest message unless an older one is being read', async () => {
    const scrolled = vi.fn()
    HTMLElement.prototype.scrollTo = scrolled
    const { pages, end } = await setUp('FORUM signals')
    expect(scrolled).toHaveBeenCalled()
    const list = document.querySelector('.messages')
    if (list === null) throw new Error('no list')
    const size = (scrollTop: number) => {
      for (const [name, value] of Object.entries({
        scrollHeight: 1_000,
        clientHeight: 200,
        scrollTop,
      }))
        Object.defineProperty(list, name, { value, configurable: true })
    }
    const arrive = async (id: string) => {
      scrolled.mockClear()
      pages.push([message(id, 'More')])
      await pass(5_000)
      return scrolled.mock.calls.length > 0
    }
    size(100)
    await fireEvent.scroll(list)
    expect(await arrive('msg_3')).toBe(false)
    size(790)
    await fireEvent.scroll(list)
    expect(await arrive('msg_4')).toBe(true)
    end()
  })

  it('opens the market of a message, and shows its payload', async () => {
    const { terminal, pane, pages, end } = await setUp('FORUM signals')
    const opened = vi.spyOn(terminal, 'openMarket').mockReturnValue().mock.calls
    await click('KXFED-26DEC')
    expect(opened).toEqual([[pane, 'KXFED-26DEC', null]])
    expect(screen.queryByText('Payload')).toBeNull()
    const author = { id: 'u', name: 'Ann', role: null }
    pages.push([message('msg_5', 'With facts', { payload: { edge: 3 }, author })])
    await pass(5_000)
    const shown = screen.getByRole('article', { name: 'Signal by Ann' })
    expect(shown.textContent).toContain('"edge": 3')
    expect(within(shown).queryByText('agent')).toBeNull()
    end()
  })

  it('adds each ticker once, twenty at most, and removes one', async () => {
    const { sent, requested, end } = await setUp('FORUM signals')
    const field = screen.getByLabelText('Add tickers')
    const chips = () => screen.queryAllByRole('button', { name: /^Remove / }).length
    for (const [key, text] of [
      [',', 'kx-1, kx-1'],
      [' ', 'KX-1'],
      ['a', 'kx-2'],
    ] as const) {
      await type('Add tickers', text)
      await fireEvent.keyDown(field, { key })
    }
    await pass(20)
    expect(chips()).toBe(1)
    await fireEvent.blur(field)
    await pass(20)
    expect(chips()).toBe(2)
    expect(reads(requested, '/api/public/market/')).toBe(2)
    const more = Array.from({ length: 30 }, (_, index) => `kx-${index + 3}`)
    await type('Add tickers', more.join(' '))
    await type('Message', 'Up')
    await click('Remove KX-2')
    await click('Post')
    await pass(50)
    const [tickers = []] = sent.map(({ body }) => (body as { tickers: string[] }).tickers)
    expect([tickers.length, ...tickers.slice(0, 3)]).toEqual([20, 'KX-1', 'KX-3', 'KX-4'])
    // Those that were left out have no preview.
    expect(reads(requested, '/api/public/market/')).toBe(2 + 19)
    expect(chips()).toBe(0)
    end()
  })

  it('posts by Ctrl+Enter, reads at once, and keeps a refused text', async () => {
    let answer: object = {}
    const { sent, requested, terminal, pane, end } = await setUp('FORUM signals', () => answer)
    const field = screen.getByLabelText<HTMLTextAreaElement>('Message')
    terminal.keys.handle(new KeyboardEvent('keydown', { key: 'n' }), [`pane:${pane.id}`])
    expect(document.activeElement).toBe(field)
    await fireEvent.change(screen.getByLabelText('Type'), { target: { value: 'edge' } })
    await type('Message', 'Up')
    requested.length = 0
    for (const keys of [
      { key: 'Enter' },
      { key: 'a', ctrlKey: true },
      { key: 'Enter', ctrlKey: true },
    ]) {
      await fireEvent.keyDown(field, keys)
    }
    await pass(50)
    expect(sent.map(({ body }) => (body as { type: string }).type)).toEqual(['edge'])
    expect(field.value).toBe('')
    expect(reads(requested, '/api/forum/messages')).toBe(1)
    expect(reads(requested, '/api/forum/channels')).toBe(1)
    answer = refused(400, 'INVALID', 'content is not allowed')
    await type('Message', 'Down')
    await fireEvent.keyDown(field, { key: 'Enter', metaKey: true })
    await pass(50)
    expect([field.value, screen.getByRole('alert').textContent]).toEqual([
      'Down',
      'Content is not allowed.',
    ])
    await type('Message', '  ')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(true)
    await type('Message', 'x'.repeat(2_000))
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Post' }).disabled).toBe(false)
    end()
  })
})
