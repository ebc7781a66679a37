import { describe, expect, it } from 'vitest'
import { prefersEvents } from './accept.ts'

const ATOM = 'application/atom+xml'

describe('an event stream is preferred', () => {
  it.each(['text/event-stream', 'TEXT/Event-Stream', 'text/event-stream, */*', 'text/*'])(
    'by %s',
    (accept) => {
      expect(prefersEvents(accept, ATOM)).toBe(true)
    },
  )

  it.each([
    undefined,
    null,
    '',
    '*/*',
    ATOM,
    `${ATOM}, text/event-stream`,
    `text/event-stream;q=0.3, ${ATOM};q=0.8`,
    'text/event-stream;q=0, */*',
    'text/event-stream;q=x',
  ])('not by %s', (accept) => {
    expect(prefersEvents(accept, ATOM)).toBe(false)
  })
})
