import { vi } from 'vitest'
import type { Answer } from '../api/client.ts'
import { Live } from '../api/live.ts'
import { Topics } from '../api/socket/topics.svelte.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import type { Keep } from '../lib/keep.ts'
import { parseLine } from '../shell/parse.ts'
import { Terminal } from '../shell/terminal.svelte.ts'
import type { Pane } from '../shell/pane.svelte.ts'
import { FakeService } from './fake-service.ts'

const isRefusal = (body: object): body is Answer<never> => 'ok' in body && body.ok === false

const START = Date.parse('2026-11-20T10:00:00.000Z')

/** One write as the page sent it. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
}
/** How the service of a test answers a write: a body, or a failure by its status and code. */
export type Writes = (sent: Sent) => Answer<object>

/** A refusal as the client reports it. */
export const refused = (status: number, code: string | null, message: string): Answer<never> => ({
  ok: false,
  failure: {
    ...{ kind: status === 429 ? 'limited' : 'refused', status, code, message },
    retryAfter: status === 429 ? 30_000 : null,
  },
})

/**
 * A terminal on mocked timers over a service of the test's own. Frames take 16 ms.
 * @param answers the body of a read, a refusal, or null for one that is not found
 */
export function pageUnderTest(
  answers: (path: string) => object | null,
  writes: Writes = () => refused(405, null, 'No writes'),
  keep: Keep = { getItem: () => null, setItem: () => {} },
) {
  const begun = vi.getMockedSystemTime()?.getTime() ?? 0
  const elapsed = () => (vi.getMockedSystemTime()?.getTime() ?? 0) - begun
  const clock = new PageClock({ wall: () => START + elapsed(), monotonic: elapsed })
  const service = new FakeService(() => clock.read())
  const asked: string[] = []
  const sent: Sent[] = []
  const onFrame = (work: () => void) => void setTimeout(work, 16)
  const topics = new Topics({
    ...{ clock, onFrame, open: service.open },
    chance: () => 0,
    onTime: () => {},
  })
  const live = new Live({
    ...{ clock, topics, onFrame },
    inView: () => true,
    client: {
      async get<T extends object>(path: string): Promise<Answer<T>> {
        asked.push(path)
        const body = answers(path)
        if (body === null) return refused(404, null, '')
        return isRefusal(body) ? body : { ok: true, body: body as T }
      },
      async send<T extends object>(method: string, path: string, body?: object) {
        const write = { method, path, body }
        sent.push(write)
        return writes(write) as Answer<T>
      },
    },
  })
  const terminal = new Terminal(live, keep)
  const paneOf = (line: string): Pane => {
    const commands = parseLine(line)
    if ('message' in commands || commands[0] === undefined) throw new Error(`no command: ${line}`)
    return terminal.newPane(commands[0], 'A')
  }
  return { service, terminal, asked, sent, paneOf, stop: topics.start() }
}
