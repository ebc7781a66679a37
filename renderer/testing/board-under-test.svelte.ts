import './set-up-page.ts'
import { render, screen } from '@testing-library/svelte'
import { afterEach, beforeEach, vi } from 'vitest'
import type { Answer } from '../api/client.ts'
import type { Panel } from '../../backend/contract/panels/panels.ts'
import { isoOf } from '../lib/format.ts'
import BoardPane from '../panes/board/BoardPane.svelte'
import { pageUnderTest, refused, type Sent } from './page-under-test.ts'
import { boardOf, panel } from './panels.ts'

const ends: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})
/** Advances the clock of the test. */
export const pass = (span: number) => vi.advanceTimersByTimeAsync(span)

const BOARD = '/api/dashboard2/market-watch-v2'
/** Route of panel writes. */
export const PANELS = '/api/dashboard2/market-watch/panels'
/** An instant before all events of the test. */
export const AT = '2026-11-20T10:00:00.000Z'
const user = {
  id: 'usr_1',
  email: null,
  name: 'Owner',
  tier: 'free',
  isOwner: true,
  isAdmin: true,
  provider: 'local',
  hasPassword: false,
  createdAt: AT,
}
const ok = (body: object = { ok: true }): Answer<object> => ({ ok: true, body })
/** An error with its reason code. */
export const because = (
  status: number,
  more: Readonly<Record<string, unknown>>,
): Answer<object> => {
  const answer = refused(status, null, 'in the words of the service')
  return answer.ok ? answer : { ...answer, failure: { ...answer.failure, details: more } }
}

/** A fake service whose board behaves like the real one, as far as the page can see. */
function service(panels: Panel[]) {
  let created = 0
  const refusals: Answer<object>[] = []
  const idOf = (path: string) => path.slice(PANELS.length + 1).split('/')[0] ?? ''
  const write = ({ method, path, body }: Sent): Answer<object> => {
    const refusal = refusals.shift()
    if (refusal !== undefined) return refusal
    const known = panels.find(({ id }) => id === idOf(path))
    if (path === `${PANELS}/reorder`) {
      const { order } = body as { order: { id: string; sortIdx: number }[] }
      panels = panels
        .map((one) => ({ ...one, sortIdx: order.find(({ id }) => id === one.id)?.sortIdx ?? 0 }))
        .sort((a, b) => a.sortIdx - b.sortIdx)
      return ok()
    }
    if (path === PANELS) {
      created += 1
      const added = panel(`new${created}`, body)
      panels = [...panels, added]
      return ok({ panel: added })
    }
    if (method === 'DELETE') panels = panels.filter((one) => one !== known)
    if (method === 'PATCH')
      panels = panels.map((one) => (one === known ? { ...one, ...body } : one))
    return ok(method === 'POST' ? { panelId: idOf(path) } : { ok: true })
  }
  return { write, refusals, panels: () => panels, set: (next: Panel[]) => (panels = next) }
}

/**
 * A board pane with these panels, on a page whose clock the test advances; it ends with the test.
 */
export async function setUp(panels: Panel[], { isSignedIn = true } = {}) {
  const kept = service(panels)
  const page = pageUnderTest((path) => {
    if (path === '/api/auth/me') {
      return isSignedIn
        ? { user, auth: {}, tier: { tier: 'free', requestsPerMinute: 600 } }
        : refused(401, 'AUTH_REQUIRED', 'Sign in')
    }
    if (path !== BOARD) return null
    return boardOf(kept.panels(), isoOf(page.terminal.live.clock.read()))
  }, kept.write)
  page.service.isSignedIn = isSignedIn
  const { terminal } = page
  const stop = $effect.root(() => {
    $effect(() => terminal.account.watch())
    $effect(() => terminal.account.follow())
    $effect(() => terminal.live.clock.start())
  })
  ends.push(stop, page.stop)
  await pass(100)
  const pane = page.paneOf('MW')
  terminal.focusedPane = pane.id
  render(BoardPane, { terminal, pane })
  await pass(100)
  const press = async (key: string, more: KeyboardEventInit = {}) => {
    const event = new KeyboardEvent('keydown', { key, cancelable: true, ...more })
    Object.defineProperty(event, 'target', { value: document.activeElement })
    const isHandled = terminal.keys.handle(event, [`pane:${pane.id}`])
    await pass(50)
    return isHandled
  }
  const run = async (line: string) => {
    terminal.run(line)
    await pass(50)
  }
  const asks = () => page.requested.filter((path) => path === BOARD).length
  return { ...page, pane, kept, press, run, asks }
}

/** Names of the cards, in order. */
export const titles = () =>
  screen.queryAllByRole('article').map((card) => card.getAttribute('aria-label') ?? '')
/** The card with a name. */
export const card = (name: string) => screen.getByRole('article', { name })
/** Three panels, A to C. */
export const three = () => [panel('a'), panel('b'), panel('c')]
