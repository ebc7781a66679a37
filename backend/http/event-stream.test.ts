import { describe, expect, it } from 'vitest'
import { EventStream } from './event-stream.ts'

const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string | null> => {
  const { value, done } = await reader.read()
  return done ? null : new TextDecoder().decode(value)
}

function opened() {
  let ends = 0
  const stream = new EventStream(() => {
    ends += 1
  })
  return { stream, reader: stream.body.getReader(), ends: () => ends }
}

describe('event stream', () => {
  it('frames events as lines of JSON', async () => {
    const { stream, reader } = opened()
    stream.line('retry: 5000')
    stream.send({ event: 'delta', id: '7', data: { text: 'one\ntwo' } })
    stream.send({ event: 'reset', data: {} })
    expect(await textOf(reader)).toBe('retry: 5000\n\n')
    expect(await textOf(reader)).toBe('id: 7\nevent: delta\ndata: {"text":"one\\ntwo"}\n\n')
    expect(await textOf(reader)).toBe('event: reset\ndata: {}\n\n')
  })

  it('sends queued events before it closes, and none after', async () => {
    const { stream, reader, ends } = opened()
    stream.line('a')
    stream.line('b')
    stream.close()
    stream.line('c')
    expect([await textOf(reader), await textOf(reader), await textOf(reader)]).toEqual([
      'a\n\n',
      'b\n\n',
      null,
    ])
    expect(ends()).toBe(1)
    expect(stream.isOver).toBe(true)
  })

  it('ends when the client disconnects', async () => {
    const { stream, reader, ends } = opened()
    await reader.cancel()
    stream.line('a')
    stream.close()
    expect(ends()).toBe(1)
  })

  // [world.feed.queue]
  it.each([
    ['events', 257, { n: 1 }],
    ['bytes', 3, { text: 'x'.repeat(400_000) }],
  ])('cuts a reader off who lets too many %s wait', async (_what, count, data) => {
    const { stream, reader, ends } = opened()
    for (let i = 0; i < count; i++) stream.send({ event: 'delta', data })
    expect(ends()).toBe(1)
    await expect(textOf(reader)).rejects.toThrow('the reader is too slow')
  })

  it('queues events up to its limit', () => {
    const { stream, ends } = opened()
    for (let i = 0; i < 256; i++) stream.send({ event: 'delta', data: {} })
    expect(ends()).toBe(0)
  })
})
