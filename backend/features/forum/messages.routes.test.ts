import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AgentList, MessageCreated, MessagePoll } from '../../contract/forum/forum.ts'
import {
  startForumService,
  type ForumTestService,
  type Member,
} from '../../testing/forum-service.ts'

let service: ForumTestService
let ann: Member
let ben: Member
beforeAll(async () => {
  service = await startForumService()
  ann = await service.join('ann')
  ben = await service.join('ben')
  await ann.send('POST', '/api/forum/channels', { id: 'brief', defaultTtl: 60 })
})
afterAll(() => service.stop())

/** Posts within a minute are limited. */
beforeEach(async () => {
  await service.clock.advance(60_000)
})
const MESSAGES = '/api/forum/messages'
/** The cursor after every message so far. */
const latest = async (): Promise<string> => (await ann.poll('?ticker=NONE')).cursor
const textsOf = ({ messages }: MessagePoll): string[] => messages.map(({ content }) => content)

describe('a posted message', () => {
  it('[forum.messages.post] is returned twice in one body, with its author, tickers and expiry', async () => {
    const created = await ann.post('signals', '  Cut priced in\n', {
      type: 'signal',
      payload: { price: 63.5, nested: { list: [1, null, 'a'] } },
      tickers: ['kxfed-26dec', 'KXFED-26DEC', `pm:0x${'AB'.repeat(32)}`],
    })
    const { message, ...top } = created
    expect(top).toEqual(message)
    const at = service.clock.now()
    expect(message).toEqual({
      id: expect.stringMatching(/^msg_[0-9a-z]{20}$/) as string,
      channelId: 'signals',
      type: 'signal',
      content: '  Cut priced in\n',
      payload: { price: 63.5, nested: { list: [1, null, 'a'] } },
      tickers: ['KXFED-26DEC', `0x${'ab'.repeat(32)}`],
      createdAt: new Date(at).toISOString(),
      expiresAt: new Date(at + 3_600_000).toISOString(),
      author: { id: ann.id, name: 'ann', role: null },
      nextActions: {
        inspect: [
          {
            description: 'Inspect KXFED-26DEC',
            method: 'GET',
            url: 'http://augury.test/api/agent/inspect/KXFED-26DEC',
          },
          expect.objectContaining({ method: 'GET' }),
        ],
      },
    })
    expect((await ben.poll('?channel=signals')).messages).toEqual([message])
  })

  it('[forum.messages.post] keeps every character of its text and payload', async () => {
    const content = 'zero \u0000, lone \ud800, emoji 🎲, tag <b>'
    const { id } = await ann.post('general', content, { payload: { content } })
    const { messages } = await ben.poll('?channel=general')
    const message = messages.find((one) => one.id === id)
    expect(message?.content).toBe(content)
    expect(message?.payload).toEqual({ content })
  })

  it('[forum.messages.reply] can reply to a live message of its channel only', async () => {
    const { id } = await ann.post('brief', 'first')
    const reply = await ben.post('brief', 'second', { type: 'reply', replyTo: id })
    expect(reply.replyTo).toBe(id)
    const body = { channel: 'edges', type: 'reply', content: 'third', replyTo: id }
    const unknown = '404 NOT_FOUND: Message not found'
    expect(await ben.refusal('POST', MESSAGES, body)).toBe(unknown)
    const odd = { ...body, channel: 'brief', replyTo: 'msg_none' }
    expect(await ben.refusal('POST', MESSAGES, odd)).toBe(unknown)
    await service.clock.advance(60_000)
    expect(await ben.refusal('POST', MESSAGES, { ...body, channel: 'brief' })).toBe(unknown)
  })

  it('[forum.messages.expiry] is served until its channel’s lifetime has passed', async () => {
    const cursor = await latest()
    await ann.post('brief', 'short')
    await ann.post('general', 'long')
    await service.clock.advance(59_000)
    expect(textsOf(await ann.poll(`?since=${cursor}`))).toEqual(['short', 'long'])
    await service.clock.advance(1_000)
    expect(textsOf(await ann.poll(`?since=${cursor}`))).toEqual(['long'])
  })

  it('[forum.messages.author] has the user, an administrator or an agent profile as its author', async () => {
    expect((await service.owner.post('general', 'x')).author).toMatchObject({
      name: 'Owner',
      role: 'admin',
    })
    const first = await ann.post('general', 'x', { agentName: ' Fed Watcher ' })
    expect(first.author).toEqual({
      id: expect.stringMatching(/^agt_/) as string,
      name: 'Fed Watcher',
      role: 'agent',
    })
    const again = await ann.post('general', 'x', { agentName: 'fed watcher' })
    expect(again.author).toEqual(first.author)
    const other = await ben.post('general', 'x', { agentName: 'Fed Watcher' })
    expect(other.author.id).not.toBe(first.author.id)
    const { agents } = await ann.read<AgentList>('/api/forum/agents')
    expect(agents).toEqual([
      {
        id: first.author.id,
        name: 'Fed Watcher',
        createdAt: new Date(service.clock.now()).toISOString(),
        lastPostedAt: again.createdAt,
      },
    ])
  })

  it('[forum.messages.author] has profiles that only their user can list', async () => {
    await ann.post('general', 'x', { agentName: 'Of Ann' })
    expect(JSON.stringify(await ben.read('/api/forum/agents'))).not.toContain('Of Ann')
  })

  it('[forum.messages.author] lives out its time under the name "deleted" without its account', async () => {
    const gus = await service.join('gus')
    await gus.send('POST', '/api/forum/channels', { id: 'gus-channel' })
    const mine = await gus.post('gus-channel', 'mine')
    const agents = await gus.post('gus-channel', 'of my agent', { agentName: 'Bot' })
    const [status] = await gus.send('DELETE', '/api/auth/me', { confirm: 'delete my account' })
    expect(status).toBe(200)
    const { messages } = await ben.poll('?channel=gus-channel')
    expect(messages.map(({ author }) => author)).toEqual([
      { id: mine.author.id, name: 'deleted', role: null },
      { id: agents.author.id, name: 'deleted', role: 'agent' },
    ])
  })
})

describe('a refused message', () => {
  const good = { channel: 'signals', type: 'signal', content: 'x' }
  const many = Array.from({ length: 21 }, (_, index) => `T-${index}`)
  const nested = (levels: number): unknown =>
    JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
  // [forum.messages.refused]
  it.each<[string, unknown, string]>([
    ['a list', [], 'Invalid JSON'],
    ['no channel', { type: 'x' }, 'channel required'],
    [
      'an unknown type',
      { ...good, type: 'note' },
      'type must be one of signal, edge, analysis, coordination, request, reply',
    ],
    ['no text', { ...good, content: undefined }, 'content required'],
    ['blank text', { ...good, content: ' \n' }, 'content required'],
    ['a long text', { ...good, content: 'é'.repeat(2_001) }, 'content too long (max 2000 chars)'],
    ['a large payload', { ...good, payload: 'é'.repeat(5_200) }, 'payload too large (max 10 KB)'],
    ['a deep payload', { ...good, payload: nested(33) }, 'payload too deep'],
    ['a ticker as text', { ...good, tickers: 'A' }, 'tickers must be an array of strings'],
    ['an empty ticker', { ...good, tickers: [''] }, 'tickers must be an array of strings'],
    ['many tickers', { ...good, tickers: many }, 'too many tickers (max 20)'],
    [
      'an odd agent name',
      { ...good, agentName: '-x' },
      'agentName must be 1 to 40 letters, digits, spaces, dots, dashes',
    ],
    ['a reply to a number', { ...good, replyTo: 7 }, 'replyTo must be a message id'],
  ])('reports its first error: %s', async (_case, body, text) => {
    expect(await ann.refusal('POST', MESSAGES, body)).toBe(`400 VALIDATION_ERROR: ${text}`)
  })

  it('[forum.messages.refused] is accepted at the limits themselves', async () => {
    const created = await ann.post('signals', '🎲'.repeat(2_000), {
      payload: [nested(31), 'x'.repeat(10_000)],
      tickers: [...many.slice(1), 't-1', 'T-2'],
      agentName: 'x'.repeat(40),
    })
    expect(created.tickers).toHaveLength(20)
  })

  it('[forum.messages.refused] names an unknown channel', async () => {
    expect(await ann.refusal('POST', MESSAGES, { ...good, channel: 'nowhere' })).toBe(
      '404 NOT_FOUND: Channel not found',
    )
    expect(await ann.refusal('GET', `${MESSAGES}?channels=signals,nowhere`)).toBe(
      '404 NOT_FOUND: Channel not found: nowhere',
    )
    expect(await ann.refusal('GET', `${MESSAGES}?since=24h`)).toBe(
      '400 VALIDATION_ERROR: since must be an ISO timestamp',
    )
  })

  it('[forum.limits.agents] is the 51st agent profile of a user', async () => {
    const eve = await service.join('eve')
    for (let index = 1; index <= 50; index += 1) {
      if (index % 10 === 1) await service.clock.advance(60_000)
      await eve.post('general', 'x', { agentName: `Agent ${index}` })
    }
    await service.clock.advance(60_000)
    const body = { ...good, agentName: 'Agent 51' }
    expect(await eve.refusal('POST', MESSAGES, body)).toBe(
      '409 AGENT_LIMIT: At most 50 agent profiles per user',
    )
    await eve.post('general', 'x', { agentName: 'AGENT 50' })
  })

  it('[forum.limits.rate] is the eleventh within a minute; refused ones do not count', async () => {
    const dan = await service.join('dan')
    const refused = { ...good, content: '' }
    const posts = Array.from({ length: 13 }, () => dan.send<MessageCreated>('POST', MESSAGES, good))
    const invalid = Array.from({ length: 13 }, () => dan.send('POST', MESSAGES, refused))
    const statuses = (await Promise.all(posts)).map(([status]) => status)
    await Promise.all(invalid)
    expect(statuses.filter((status) => status === 201)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    const [status, body] = await dan.send('POST', MESSAGES, { ...good, agentName: 'Unmade' })
    expect([status, body]).toEqual([
      429,
      { ok: false, error: { code: 'RATE_LIMITED', status: 429, message: 'rate limit exceeded' } },
    ])
    expect(await dan.read('/api/forum/agents')).toEqual({ agents: [] })
    await service.clock.advance(60_000)
    await dan.post('general', 'again')
  })
})

describe('polling with the cursor', () => {
  it('[forum.poll.filters] filters by channels and ticker, oldest first', async () => {
    const cursor = await latest()
    await ann.post('signals', '1', { tickers: ['A-1'] })
    await ann.post('edges', '2', { tickers: ['A-1', 'B-2'] })
    await ann.post('analysis', '3')
    const since = `since=${cursor}`
    expect(textsOf(await ben.poll(`?${since}`))).toEqual(['1', '2', '3'])
    expect(textsOf(await ben.poll(`?${since}&channel=edges`))).toEqual(['2'])
    expect(textsOf(await ben.poll(`?${since}&channels=analysis,signals`))).toEqual(['1', '3'])
    expect(textsOf(await ben.poll(`?${since}&channel=edges&channels=signals`))).toEqual(['1', '2'])
    expect(textsOf(await ben.poll(`?${since}&ticker=a-1`))).toEqual(['1', '2'])
    expect(textsOf(await ben.poll(`?${since}&ticker=A-1&channel=edges`))).toEqual(['2'])
    expect(textsOf(await ben.poll(`?${since}&ticker=C-3`))).toEqual([])
  })

  it('[forum.poll.cursor] returns each message once, page by page', async () => {
    const start = await latest()
    for (let index = 1; index <= 7; index += 1) await ann.post('signals', String(index))
    const seen: string[] = []
    let cursor = start
    for (let more = true; more;) {
      const page: MessagePoll = await ben.poll(`?since=${cursor}&limit=3`)
      seen.push(...textsOf(page))
      expect(page.count).toBe(page.messages.length)
      ;({ cursor, hasMore: more } = page)
    }
    expect(seen).toEqual(['1', '2', '3', '4', '5', '6', '7'])
    const empty = await ben.poll(`?since=${cursor}`)
    expect(empty).toEqual({ messages: [], cursor, count: 0, hasMore: false })
  })

  it('[forum.poll.cursor] gives times in strict order, also when the clock is behind', async () => {
    await service.clock.advance(1_000)
    const first = await ann.post('signals', 'a')
    const second = await ben.post('edges', 'b')
    expect(Date.parse(second.createdAt)).toBe(Date.parse(first.createdAt) + 1)
    // The newest time is known without its message, and after a restart.
    await service.restart()
    const { cursor, messages } = await ann.poll('?channel=coordination')
    expect(messages).toEqual([])
    expect(cursor).toBe(second.createdAt)
    const future = '2099-01-01T00:00:00.000Z'
    expect((await ann.poll(`?since=${future}`)).cursor).toBe(future)
  })
})
