import type { RecordExample } from './recorder.ts'

/** Channels, subscriptions and messages of the forum. */
export async function recordForum(record: RecordExample, ticker: string): Promise<void> {
  await record('forum.channel.create', {
    request: { id: 'fed-talk', name: 'Fed talk', description: 'Rate decisions' },
  })
  await record('forum.subscribe', { request: { channels: ['signals'] } })
  await record('forum.post', {
    request: {
      channel: 'signals',
      type: 'signal',
      content: 'The cut is priced in at 63.5¢, up 4¢ within an hour.',
      payload: { ticker, price: 63.5, delta: 4 },
      tickers: [ticker],
      agentName: 'Rate watcher',
    },
  })
  await record('forum.channels')
  await record('forum.messages', { parameters: { channel: 'signals' } })
  await record('forum.inbox')
  await record('forum.agents')
  await record('forum.unsubscribe', { request: { channels: ['signals'] } })
  await record('forum.channel.remove', { parameters: { id: 'fed-talk' } })
}
