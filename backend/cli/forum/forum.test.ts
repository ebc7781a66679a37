import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { MessagePoll } from '../../contract/forum/forum.ts'
import { commandLine, type CommandLine } from '../../testing/command-line.ts'
import {
  startForumService,
  type ForumTestService,
  type Member,
} from '../../testing/forum-service.ts'

let service: ForumTestService
let line: CommandLine
let ann: Member
let key: string
beforeAll(async () => {
  service = await startForumService()
  line = commandLine()
  ann = await service.join('ann')
  const ben = await service.join('ben')
  key = (await ben.send<{ key: string }>('POST', '/api/keys', {}))[1].key
})
afterAll(async () => {
  line.remove()
  await service.stop()
})
const augury = (...words: string[]) =>
  line.run(['forum', ...words, '--api-url', service.url, '--api-key', key])

it('[client.cli.forum] subscribes, reads the inbox and replies', async () => {
  expect((await augury('inbox')).err).toContain('Try: augury forum subscribe signals')
  expect((await augury('subscribe', 'signals', 'edges')).out).toBe(
    'subscriptions: edges, signals\n',
  )
  const { id } = await ann.post('signals', 'Cut\nat \u001b[31m63¢', {
    tickers: ['KXFED-26DEC'],
    payload: { price: 63 },
    agentName: 'Watcher',
  })
  expect((await augury('channels')).out).toMatch(/Signals +1 +1 +2026-11-20 12:00 +yes +signals/)
  const peeked = await augury('inbox', '--peek')
  expect(peeked.out).toBe(
    `2026-11-20 12:00  signals  analysis  Watcher (agent)  ${id}\n  Cut\n  at [31m63¢\n  payload: {"price":63}\n  tickers: KXFED-26DEC\n\n`,
  )
  expect((await augury('inbox')).out).toBe(peeked.out)
  expect((await augury('inbox')).err).toBe('No unread messages.\n')

  const file = join(line.home, 'payload.json')
  writeFileSync(file, '{"answer": 1}')
  const words = 'post signals reply Seen --payload @payload.json --ticker kxfed-26dec B-1'.split(
    ' ',
  )
  const posted = await augury(...words, '--reply-to', id, '--agent', 'Ben bot')
  expect([posted.exit, posted.err]).toEqual([0, ''])
  expect(posted.out).toMatch(/^posted to signals as Ben bot: msg_\w+\n$/)
  const { messages } = await ann.poll('?ticker=B-1')
  expect(messages).toMatchObject([
    { replyTo: id, payload: { answer: 1 }, tickers: ['KXFED-26DEC', 'B-1'] },
  ])
  expect((await augury('agents')).out).toMatch(/Ben bot +2026-11-20 12:00 +agt_/)
  expect((await augury('unsubscribe', 'signals')).out).toBe('subscriptions: edges\n')
})

it('[client.cli.forum] prints the route’s body with --json, and pages as one body with --all', async () => {
  for (let index = 1; index <= 5; index += 1) await ann.post('edges', String(index))
  const once = await augury('read', '--channel', 'edges', '--limit', '2', '--json')
  expect(JSON.parse(once.out)).toEqual(await ann.poll('?channel=edges&limit=2'))
  const all = await augury('read', '--channel', 'edges', '--limit', '2', '--all', '--json')
  const { messages, count, hasMore } = JSON.parse(all.out) as MessagePoll
  expect(messages.map(({ content }) => content)).toEqual(['1', '2', '3', '4', '5'])
  expect([count, hasMore]).toEqual([5, false])
  const { out, err } = await augury('read', '--channel', 'edges', '--limit', '2')
  expect(out).toContain('\n  2\n')
  expect(err).toMatch(/^More with: --since 2026-/)
})

it('[client.cli.forum] follows new messages, one document per line, until interrupted', async () => {
  const { cursor } = await ann.poll('?ticker=NONE')
  const ended = new AbortController()
  let out = ''
  let posted = 0
  await ann.post('general', 'first')
  const filter = ['--follow', '--json', '--since', cursor, '--channel', 'general']
  const ran = await line.run(
    ['forum', 'read', ...filter, '--api-url', service.url, '--api-key', key],
    {
      signal: ended.signal,
      print: (text) => {
        out += text
        if (out.split('\n').length > 2) ended.abort()
        else void ann.post('general', 'second').then(() => (posted += 1))
      },
      report: () => {},
    },
  )
  expect(ran.exit).toBe(130)
  expect(posted).toBe(1)
  const pages = out
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one) as MessagePoll)
  expect(pages.flatMap(({ messages }) => messages.map(({ content }) => content))).toEqual([
    'first',
    'second',
  ])
})

it('[client.cli.forum] ends with the exit code of the refusal', async () => {
  expect((await augury('post', 'nowhere', 'signal', 'x')).exit).toBe(5)
  const type = await augury('post', 'signals', 'note', 'x')
  expect([type.exit, type.err]).toEqual([2, expect.stringContaining('type must be one of')])
  expect((await augury('post', 'signals', 'signal')).exit).toBe(2)
  expect((await augury('post', 'signals', 'signal', 'x', '--payload', '{')).exit).toBe(2)
  expect((await augury('shout')).err).toContain('forum has the verbs channels, subscribe')
  const statuses: number[] = []
  for (let index = 0; index < 10; index += 1) {
    statuses.push((await augury('post', 'signals', 'signal', 'x')).exit)
  }
  expect(statuses.at(-1)).toBe(6)
})
