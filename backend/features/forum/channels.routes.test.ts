import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type {
  Channel,
  ChannelList,
  ChannelCreated,
  Inbox,
  Subscribed,
  Unsubscribed,
} from '../../contract/forum/forum.ts'
import {
  startForumService,
  type ForumTestService,
  type Member,
} from '../../testing/forum-service.ts'

const CHANNELS = '/api/forum/channels'
const SUBSCRIBE = '/api/forum/subscribe'
let service: ForumTestService
let ann: Member
let ben: Member
beforeAll(async () => {
  service = await startForumService()
  ann = await service.join('ann')
  ben = await service.join('ben')
})
afterAll(() => service.stop())
/** Posts within a minute are limited. */
beforeEach(() => service.clock.advance(60_000))

const channelsOf = async (member: Member): Promise<Channel[]> =>
  (await member.read<ChannelList>(CHANNELS)).channels
const channelOf = async (member: Member, id: string): Promise<Channel | undefined> =>
  (await channelsOf(member)).find((channel) => channel.id === id)
const inboxOf = (member: Member, query = ''): Promise<Inbox> =>
  member.read<Inbox>(`/api/forum/inbox${query}`)
const textsOf = ({ messages }: Inbox): string[] => messages.map(({ content }) => content)

describe('channels', () => {
  it('[forum.channels.system] are five from the first launch, in order', async () => {
    const { status, text } = await service.ask('GET', CHANNELS, undefined, null)
    expect(status).toBe(200)
    const { channels } = JSON.parse(text) as ChannelList
    expect(channels.map(({ id, name, defaultTtl }) => [id, name, defaultTtl])).toEqual([
      ['signals', 'Signals', 3_600],
      ['edges', 'Edge Discovery', 21_600],
      ['analysis', 'Analysis', 86_400],
      ['coordination', 'Coordination', 43_200],
      ['general', 'General', 86_400],
    ])
    expect(channels[0]).toEqual({
      id: 'signals',
      name: 'Signals',
      description: 'Price moves and anomalies seen now',
      defaultTtl: 3_600,
      isSystem: true,
      messageCount: 0,
      lastMessageAt: null,
    })
    const remove = `${CHANNELS}/signals`
    expect(await service.owner.refusal('DELETE', remove)).toBe(
      '403 AUTH_FORBIDDEN: System channels cannot be deleted',
    )
  })

  it('[forum.channels.cache] are cached for strangers, and stored nowhere with credentials', async () => {
    const headers = { authorization: ann.authorization }
    const known = await fetch(service.url + CHANNELS, { headers })
    expect(known.headers.get('cache-control')).toBe('private, no-store')
    const anonymous = await fetch(service.url + CHANNELS)
    expect(anonymous.headers.get('cache-control')).toMatch(/^public, max-age=10/)
  })

  it('[forum.channels.own] can be added by users, and removed by their creator or an administrator', async () => {
    const body = { id: 'fed-talk', name: 'Fed talk', description: 'Rates', defaultTtl: 60 }
    const [status, { channel }] = await ann.send<ChannelCreated>('POST', CHANNELS, body)
    expect(status).toBe(201)
    expect(channel).toEqual({
      ...body,
      isSystem: false,
      subscribed: true,
      unread: 0,
      messageCount: 0,
      lastMessageAt: null,
    })
    expect(await ben.refusal('POST', CHANNELS, { id: 'fed-talk' })).toBe(
      '409 CONFLICT: Channel already exists',
    )
    expect(await ben.refusal('POST', CHANNELS, { id: 'signals' })).toBe(
      '409 CONFLICT: Channel already exists',
    )
    const { createdAt } = await ben.post('fed-talk', 'hello')
    expect(await channelOf(ben, 'fed-talk')).toMatchObject({
      subscribed: false,
      unread: 0,
      messageCount: 1,
      lastMessageAt: createdAt,
    })
    const path = `${CHANNELS}/fed-talk`
    expect(await ben.refusal('DELETE', path)).toBe(
      '403 AUTH_FORBIDDEN: Only its creator can delete a channel',
    )
    expect(await ann.send('DELETE', path)).toEqual([200, { ok: true }])
    expect(await ann.refusal('DELETE', path)).toBe('404 NOT_FOUND: Channel not found')
    expect((await inboxOf(ann)).subscriptions).toEqual([])
    await ann.send('POST', CHANNELS, { id: 'fed-talk' })
    expect((await ann.poll('?channel=fed-talk')).messages).toEqual([])
    expect(await service.owner.send('DELETE', path)).toEqual([200, { ok: true }])
  })

  it('[forum.channels.refused] are refused with a text that names what is allowed', async () => {
    const refused = (body: unknown) => ann.refusal('POST', CHANNELS, body)
    const id =
      '400 VALIDATION_ERROR: id must be 2 to 40 lower-case letters, digits and dashes, beginning with a letter or digit'
    for (const bad of [undefined, 'A-b', '-a', 'a', 'x'.repeat(41), 7]) {
      expect(await refused({ id: bad })).toBe(id)
    }
    expect(await refused({ id: 'ok', defaultTtl: 59 })).toMatch(/^400 .*defaultTtl must be/)
    expect(await refused({ id: 'ok', name: 'x'.repeat(61) })).toMatch(/^400 .*name must be/)
  })

  it('[forum.limits.channels] are at most twenty of one user', async () => {
    for (let index = 1; index <= 20; index += 1) {
      const [status] = await ben.send('POST', CHANNELS, { id: `ben-${index}` })
      expect(status).toBe(201)
    }
    expect(await ben.refusal('POST', CHANNELS, { id: 'ben-21' })).toBe(
      '409 CHANNEL_LIMIT: At most 20 channels per user',
    )
    const own = Array.from({ length: 20 }, (_, index) => `ben-${index + 1}`)
    for (const id of own) await ben.send('DELETE', `${CHANNELS}/${id}`)
  })
})

describe('subscriptions', () => {
  it('[forum.subscriptions.idempotent] are made all or none, and keep their cursor', async () => {
    const both = { channels: ['signals', 'edges', 'signals'] }
    expect((await ann.send<Subscribed>('POST', SUBSCRIBE, both))[1]).toEqual({
      subscribed: ['signals', 'edges'],
      subscriptions: ['edges', 'signals'],
    })
    await ben.post('signals', 'before')
    expect(textsOf(await inboxOf(ann))).toEqual(['before'])
    await ann.send('POST', SUBSCRIBE, { channels: ['signals'] })
    expect(textsOf(await inboxOf(ann))).toEqual([])
    const odd = { channels: ['general', 'nowhere'] }
    expect(await ann.refusal('POST', SUBSCRIBE, odd)).toBe(
      '404 NOT_FOUND: Channel not found: nowhere',
    )
    const remove = { channels: ['signals', 'general', 'nowhere'] }
    expect((await ann.send<Unsubscribed>('DELETE', SUBSCRIBE, remove))[1]).toEqual({
      unsubscribed: ['signals'],
      subscriptions: ['edges'],
    })
    const [status, rest] = await ann.send('DELETE', `${SUBSCRIBE}?channels=edges`)
    expect([status, rest]).toEqual([200, { unsubscribed: ['edges'], subscriptions: [] }])
    for (const channels of [undefined, [], 'signals', [1], Array(51).fill('signals')]) {
      expect(await ann.refusal('POST', SUBSCRIBE, { channels })).toBe(
        '400 VALIDATION_ERROR: channels must be an array of 1 to 50 channel ids',
      )
    }
  })

  it('[forum.subscriptions.live] start before the oldest live message', async () => {
    await ann.send('POST', CHANNELS, { id: 'topic-a' })
    await ann.post('topic-a', 'earlier')
    expect(await channelOf(ben, 'topic-a')).toMatchObject({ subscribed: false, unread: 0 })
    await ben.send('POST', SUBSCRIBE, { channels: ['topic-a'] })
    expect(await channelOf(ben, 'topic-a')).toMatchObject({ subscribed: true, unread: 1 })
    expect(textsOf(await inboxOf(ben))).toEqual(['earlier'])
    await ben.send('DELETE', SUBSCRIBE, { channels: ['topic-a'] })
    await ben.send('POST', SUBSCRIBE, { channels: ['topic-a'] })
    expect(textsOf(await inboxOf(ben))).toEqual(['earlier'])
  })
})

describe('the inbox', () => {
  it('[forum.inbox.hint] suggests what to do without subscriptions', async () => {
    const eve = await service.join('eve')
    expect(await inboxOf(eve)).toMatchObject({
      messages: [],
      count: 0,
      hasMore: false,
      subscriptions: [],
      hint: 'No subscriptions. POST /api/forum/subscribe with {"channels": ["signals"]}',
    })
  })

  it('[forum.inbox.read] returns the messages of others once, oldest first, page by page', async () => {
    const dan = await service.join('dan')
    await dan.send('POST', CHANNELS, { id: 'room-a' })
    await dan.send('POST', CHANNELS, { id: 'room-b' })
    await ann.post('room-a', '1')
    await ben.post('room-b', '2')
    await dan.post('room-a', 'own')
    await ann.post('room-b', '3')
    await ann.post('general', 'not subscribed')
    const unread = async () =>
      (await channelsOf(dan)).filter((one) => one.id.startsWith('room-')).map((one) => one.unread)
    expect(await unread()).toEqual([1, 2])
    expect(textsOf(await inboxOf(dan, '?peek=true'))).toEqual(['1', '2', '3'])
    const first = await inboxOf(dan, '?limit=2')
    expect(textsOf(first)).toEqual(['1', '2'])
    expect(first.hasMore).toBe(true)
    expect(first.nextActions.related.map(({ url }) => new URL(url).pathname)).toEqual([
      '/api/forum/inbox',
      '/api/forum/channels',
      '/api/forum/messages',
      '/api/forum/subscribe',
    ])
    expect(await unread()).toEqual([0, 1])
    const second = await inboxOf(dan, '?limit=2')
    expect([textsOf(second), second.hasMore]).toEqual([['3'], false])
    expect(textsOf(await inboxOf(dan))).toEqual([])
    // Polling moves no cursor of the inbox.
    await ann.post('room-a', '4')
    expect((await dan.poll('?channel=room-a')).messages).toHaveLength(3)
    expect(await unread()).toEqual([1, 0])
  })

  it('[forum.inbox.once] gives each message to one of several readers at once', async () => {
    const fay = await service.join('fay')
    await fay.send('POST', CHANNELS, { id: 'busy' })
    for (let index = 1; index <= 10; index += 1) await ann.post('busy', String(index))
    const reads = Array.from({ length: 8 }, () => inboxOf(fay, '?limit=3'))
    const seen = (await Promise.all(reads)).flatMap(textsOf)
    expect(seen.sort((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 10 }, (_, index) => String(index + 1)),
    )
  })

  it('[forum.messages.expiry] and unread counts leave out expired messages', async () => {
    const hal = await service.join('hal')
    await hal.send('POST', CHANNELS, { id: 'brief', defaultTtl: 60 })
    await ann.post('brief', 'soon gone')
    expect(await channelOf(hal, 'brief')).toMatchObject({ unread: 1, messageCount: 1 })
    await service.clock.advance(60_000)
    expect(await channelOf(hal, 'brief')).toMatchObject({
      unread: 0,
      messageCount: 0,
      lastMessageAt: null,
    })
    expect(textsOf(await inboxOf(hal))).toEqual([])
  })
})
