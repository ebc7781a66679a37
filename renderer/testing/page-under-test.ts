import { vi } from 'vitest'
import type { Answer } from '../api/client.ts'
import type { Path } from '../api/path.ts'
import { Live } from '../api/live.ts'
import { Topics } from '../api/socket/topics.svelte.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import type { KeyValueStore } from '../lib/key-value-store.ts'
import { parseLine } from '../shell/commands/parse.ts'
import { Terminal } from '../shell/terminal.svelte.ts'
import type { Pane } from '../shell/dock/pane.svelte.ts'
import { FakeService } from './fake-service.ts'

const isRefusal = (body: object): body is Answer<never> => 'ok' in body && body.ok === false

const START = Date.parse('2026-11-20T10:00:00.000Z')

/** One write that the page sent. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
  /** Its `Idempotency-Key`; absent without one. */
  readonly repeatKey?: string
}
/** The response to a write: a body, or an error with its status and code. */
export type Writes = (sent: Sent) => Answer<object>

/** An error as the client reports it. */
export const refused = (
  status: number,
  code: string | null,
  message: string,
  more?: Readonly<Record<string, unknown>>,
): Answer<never> => ({
  ok: false,
  failure: {
    kind: status === 429 ? 'limited' : 'refused',
    status,
    code,
    message,
    retryAfter: status === 429 ? 30_000 : null,
    ...(more !== undefined && { details: more }),
  },
})

/**
 * A terminal on mocked timers over the test's own service. Frames take 16 ms.
 * @param answers the body of a read, an error, or null for not found
 */
export function pageUnderTest(
  answers: (path: string) => object | null,
  writes: Writes = () => refused(405, null, 'No writes'),
  keep: KeyValueStore = { getItem: () => null, setItem: () => {} },
) {
  const started = vi.getMockedSystemTime()?.getTime() ?? 0
  const elapsed = () => (vi.getMockedSystemTime()?.getTime() ?? 0) - started
  const clock = new PageClock({ wall: () => START + elapsed(), monotonic: elapsed })
  const service = new FakeService(() => clock.read())
  const requested: string[] = []
  const sent: Sent[] = []
  const onFrame = (work: () => void) => void setTimeout(work, 16)
  const topics = new Topics({
    clock,
    onFrame,
    open: service.open,
    chance: () => 0,
    onTime: () => {},
  })
  const live = new Live({
    clock,
    topics,
    onFrame,
    inView: () => true,
    client: {
      async get<T>(path: Path<T>): Promise<Answer<T>> {
        requested.push(path)
        const body = answers(path)
        if (body === null) return refused(404, null, '')
        return isRefusal(body) ? body : { ok: true, body: body as T }
      },
      async send(method: string, path: string, body?: object, _?: number, repeatKey?: string) {
        const write = { method, path, body, ...(repeatKey !== undefined && { repeatKey }) }
        sent.push(write)
        return writes(write) as Answer<never>
      },
    },
  })
  const terminal = new Terminal(live, keep)
  const paneOf = (line: string): Pane => {
    const commands = parseLine(line)
    if ('message' in commands || commands[0] === undefined) throw new Error(`no command: ${line}`)
    return terminal.newPane(commands[0], 'A')
  }
  return { service, terminal, requested, sent, paneOf, stop: topics.start() }
}
