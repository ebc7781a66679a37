import '../../testing/set-up-page.ts'
import { fireEvent, render, screen, within } from '@testing-library/svelte'
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

async function setUp(line: string, post: (sent: Sent) => object = () => ({})) {
  const pages = [[message('msg_1', 'Cut <b>priced</b> in', { tickers: ['KXFED-26DEC'] })]]
  const page = pageUnderTest(
    (path) => {
      if (path === '/api/auth/me') return me
      if (path === '/api/forum/channels') {
        return { channels: [channel('signals', 'Signals', 2), channel('edges', 'Edges', 0)] }
      }
      if (path.startsWith('/api/forum/messages')) {
        const messages = pages.shift() ?? []
        return { messages, cursor: AT, count: messages.length, hasMore: false }
      }
      if (path.startsWith('/api/forum/inbox')) return { messages: [], hasMore: false }
      return path.startsWith('/api/public/market/') ? { price: 63.5 } : null
    },
    (sent) => {
      const body = post(sent)
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
  return { ...page, pane, pages, end: () => (stop(), page.stop()) }
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
})
