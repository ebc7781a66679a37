import { vi } from 'vitest'
import type { Answer } from '../api/client.ts'
import { Live } from '../api/live.ts'
import { Topics } from '../api/socket/topics.svelte.ts'
import { PageClock } from '../lib/clock.svelte.ts'
import { parseLine } from '../shell/parse.ts'
import { Terminal } from '../shell/terminal.svelte.ts'
import type { Pane } from '../shell/pane.svelte.ts'
import { FakeService } from './fake-service.ts'

const START = Date.parse('2026-11-20T10:00:00.000Z')

/** A terminal on mocked timers over a service of the test's own. Frames take 16 ms. */
export function pageUnderTest(answers: (path: string) => object | null) {
  const begun = vi.getMockedSystemTime()?.getTime() ?? 0
  const elapsed = () => (vi.getMockedSystemTime()?.getTime() ?? 0) - begun
  const clock = new PageClock({ wall: () => START + elapsed(), monotonic: elapsed })
  const service = new FakeService(() => clock.read())
  const asked: string[] = []
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
        if (body !== null) return { ok: true, body: body as T }
        const failure = { kind: 'refused', status: 404, code: null, message: '', retryAfter: null }
        return { ok: false, failure: { ...failure, kind: 'refused' } }
      },
    },
  })
  const terminal = new Terminal(live, { getItem: () => null, setItem: () => {} })
  const paneOf = (line: string): Pane => {
    const commands = parseLine(line)
    if ('message' in commands || commands[0] === undefined) throw new Error(`no command: ${line}`)
    return terminal.newPane(commands[0], 'A')
  }
  return { service, terminal, asked, paneOf, stop: topics.start() }
}
